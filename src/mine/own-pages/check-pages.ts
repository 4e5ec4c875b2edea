import type { Reader } from '../../duckdb/reader.js'
import type { Effects } from '../../effects.js'
import { namedChoice } from '../../read/chart-model.js'
import { ownFile } from '../own-files.js'
import type { OwnProblem } from '../problem.js'
import { type BlockBounds, blockRows } from './block-rows.js'
import type { OwnPage, PageBlock } from './own-page.js'
import { readOwnPages } from './own-page-files.js'

export interface CheckedPage {
  readonly name: string
  readonly title: string
  readonly blocks: number
  /** Undefined before the first publication. */
  readonly ms: number | undefined
}

export interface PagesCheck {
  readonly pages: readonly CheckedPage[]
  readonly problems: readonly OwnProblem[]
}

/** Somebody waits: a block that takes longer is slow on its page too. */
const BOUNDS: BlockBounds = { ms: 30_000, rows: 200, bytes: 1_000_000, textCharacters: 200 }

/** Tries every page: reads it, and runs its blocks on what is published. */
export async function checkPages(
  home: string,
  reader: Reader | undefined,
  signal: AbortSignal,
  effects: Effects,
): Promise<PagesCheck> {
  const { pages, problems } = readOwnPages(home)
  const wrong: OwnProblem[] = [...problems]
  const checked: CheckedPage[] = []
  for (const page of pages) {
    const began = effects.monotonic()
    wrong.push(...wrongParts(page))
    const blocks = page.parts.flatMap((part) => (part.kind === 'block' ? [part.block] : []))
    for (const block of reader ? blocks : []) {
      signal.throwIfAborted()
      const fault = reader && (await faultOf(reader, block, effects))
      if (fault) wrong.push({ file: ownFile('page', page.name), next: undefined, ...fault })
    }
    const ms = reader && effects.monotonic() - began
    checked.push({ name: page.name, title: page.title, blocks: blocks.length, ms })
  }
  return { pages: checked, problems: wrong }
}

function wrongParts({ name, parts }: OwnPage): OwnProblem[] {
  return parts.flatMap((part) =>
    part.kind === 'wrong'
      ? [{ file: ownFile('page', name), line: part.line, wrong: part.words, next: undefined }]
      : [],
  )
}

async function faultOf(
  reader: Reader,
  block: PageBlock,
  effects: Effects,
): Promise<Pick<OwnProblem, 'line' | 'wrong'> | undefined> {
  const result = await blockRows(reader, block, BOUNDS, effects)
  if ('wrong' in result) return { line: result.line, wrong: result.wrong }
  if (block.shownAs === 'table' || result.rows.length === 0) return undefined
  const choice = namedChoice(result.columns, result.rows, block)
  return typeof choice === 'string' ? { line: block.line - 1, wrong: choice } : undefined
}
