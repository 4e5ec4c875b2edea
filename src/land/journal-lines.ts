import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DATASETS } from '../plan/datasets.js'
import { isPart } from '../plan/parts.js'

export interface DamagedLine {
  readonly run: string
  /** From 1. */
  readonly line: number
  /** Dataset or part of the page that it named; undefined where the line no longer says it. */
  readonly dataset: string | undefined
}

/** The fields of a line that agree with each other, and with the name of the journal. */
interface LineFields {
  readonly id: string
  readonly run: string
  readonly walk: string
  readonly page: number
  readonly window: { readonly dataset: string }
  readonly sha256: string
  readonly file: string
  readonly end: { readonly state: string } | null
}

/** Lines of a journal in their order. The last one is left out if a kill has cut it off: it has no newline. */
interface JournalLines<Page> {
  readonly pages: readonly Page[]
  readonly damaged: readonly DamagedLine[]
  /** Both, in the order of the file. */
  readonly lines: readonly (Page | DamagedLine)[]
}

/** Reads the journal of a run. A damaged line costs its own page and no other. @throws the error of the file system */
export function readJournalLines<Page extends LineFields>(folder: string, run: string): JournalLines<Page> {
  const texts = readFileSync(join(folder, `${run}.ndjson`), 'utf8').split('\n')
  // Empty, or cut off by a kill.
  texts.pop()
  const pages: Page[] = []
  const damaged: DamagedLine[] = []
  const lines = texts.map((text, index) => {
    const page = pageOf<Page>(text, run)
    if (page) {
      pages.push(page)
      return page
    }
    const dataset = /"raw\/([A-Za-z]+)\//.exec(text)?.[1]
    const line = { run, line: index + 1, dataset: isDataset(dataset) ? dataset : undefined }
    damaged.push(line)
    return line
  })
  return { pages, damaged, lines }
}

export function isDamaged(line: LineFields | DamagedLine): line is DamagedLine {
  return !('file' in line)
}

/** The page of a line; undefined unless its parts agree: a changed byte may leave a line that is still JSON. */
function pageOf<Page extends LineFields>(text: string, run: string): Page | undefined {
  let page: Partial<LineFields> | null
  try {
    page = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof page !== 'object' || page === null) return undefined
  const { id, walk, window, file, sha256, page: number } = page
  const isWhole =
    page.run === run &&
    id?.startsWith(`${run}-`) &&
    walk?.startsWith(`${run}-`) &&
    Number.isInteger(number) &&
    isDataset(window?.dataset) &&
    file === `raw/${window?.dataset}/${run}/${id}.json.gz` &&
    /^[0-9a-f]{64}$/.test(sha256 ?? '') &&
    END_STATES.has(page.end?.state)
  return isWhole ? (page as Page) : undefined
}

const END_STATES = new Set<string | undefined>([
  undefined,
  'complete',
  'empty',
  'incomplete',
  'refused',
  'imported',
])

function isDataset(name: string | undefined): boolean {
  return name !== undefined && (isPart(name) || DATASETS.some((dataset) => dataset === name))
}
