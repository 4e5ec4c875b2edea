import type { Reader } from '../../duckdb/reader.js'
import type { Effects } from '../../effects.js'
import { type BlockBounds, type BlockRows, blockRows } from '../../mine/own-pages/block-rows.js'
import type { PageBlock, PagePart } from '../../mine/own-pages/own-page.js'
import { readOwnPages } from '../../mine/own-pages/own-page-files.js'
import { problemLine } from '../../mine/problem.js'

/** A page of the user's own with the rows of its blocks. */
export interface PageResult {
  readonly name: string
  readonly title: string
  readonly parts: readonly PartResult[]
}

export type PartResult =
  | Exclude<PagePart, { kind: 'block' }>
  /** A file that is not a page. */
  | { readonly kind: 'unread'; readonly words: string }
  | { readonly kind: 'block'; readonly block: PageBlock; readonly result: BlockRows }

/** Of a block: the report is one file, which mail programs and phones open too. */
const BOUNDS = { table: { rows: 50, bytes: 64_000 }, chart: { rows: 1_500, bytes: 256_000 } }

const TEXT_CHARACTERS = 200
const BLOCK_MS = 10_000

/** Of all pages together: a nightly does not wait longer for them. */
const ALL_MS = 30_000

/** Runs the user's own pages on the publication that the report is of. Nothing in them ends the report. */
export async function pageResults(home: string, reader: Reader, effects: Effects): Promise<PageResult[]> {
  const { pages, problems } = readOwnPages(home)
  const ends = effects.monotonic() + ALL_MS
  const results: PageResult[] = []
  for (const { name, title, parts } of pages) {
    const shown: PartResult[] = []
    for (const part of parts)
      shown.push(
        part.kind === 'block' ? { ...part, result: await resultOf(reader, part.block, ends, effects) } : part,
      )
    results.push({ name, title, parts: shown })
  }
  return [...results, ...brokenFiles(problems.map(problemLine))]
}

async function resultOf(
  reader: Reader,
  block: PageBlock,
  ends: number,
  effects: Effects,
): Promise<BlockRows> {
  const left = ends - effects.monotonic()
  if (left <= 0)
    return {
      line: block.line,
      wrong: `not run: the blocks before it took ${ALL_MS / 1000} s, the most that the report waits for pages`,
      hint: 'its page in the console runs it: candlehouse console',
    }
  const bounds: BlockBounds = {
    ...BOUNDS[block.shownAs],
    ms: Math.min(BLOCK_MS, left),
    textCharacters: TEXT_CHARACTERS,
  }
  return await blockRows(reader, block, bounds, effects)
}

/** Files that are not pages: named in a section of their own. */
function brokenFiles(lines: readonly string[]): PageResult[] {
  if (lines.length === 0) return []
  const parts = lines.map((words) => ({ kind: 'unread', words }) as const)
  return [{ name: 'not-read', title: 'Own pages that cannot be read', parts }]
}
