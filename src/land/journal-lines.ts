import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DATASETS } from '../plan/datasets.js'
import { isPart } from '../plan/parts.js'
import type { PageRecord } from './journal.js'

/** A line of a journal that cannot be read. */
export interface DamagedLine {
  readonly run: string
  /** From 1. */
  readonly line: number
  /** Dataset or part of the page that it named; undefined where the line no longer says it. */
  readonly dataset: string | undefined
}

/** Lines of a journal in their order. The last one is left out if a kill has cut it off: it has no newline. */
export interface JournalLines {
  readonly pages: readonly PageRecord[]
  readonly damaged: readonly DamagedLine[]
  /** Both, in the order of the file. */
  readonly lines: readonly (PageRecord | DamagedLine)[]
}

/** Reads the journal of a run. A damaged line costs its own page and no other. @throws the error of the file system */
export function readJournalLines(folder: string, run: string): JournalLines {
  const texts = readFileSync(join(folder, `${run}.ndjson`), 'utf8').split('\n')
  // Empty, or cut off by a kill.
  texts.pop()
  const pages: PageRecord[] = []
  const damaged: DamagedLine[] = []
  const lines = texts.map((text, index) => {
    const page = pageOf(text, run)
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

export function isDamaged(line: PageRecord | DamagedLine): line is DamagedLine {
  return !('file' in line)
}

/** The page of a line; undefined unless its parts agree: a changed byte may leave a line that is still JSON. */
function pageOf(text: string, run: string): PageRecord | undefined {
  let page: Partial<PageRecord> | null
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
  return isWhole ? (page as PageRecord) : undefined
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
