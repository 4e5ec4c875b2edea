import type { Database } from '../duckdb/open.js'
import { literal, sqlFile } from '../duckdb/sqlfile.js'
import { type ClosedWalk, isImported } from '../land/journal.js'
import type { Calendar } from '../market/calendar.js'
import { type Counted, type Dataset, type DatasetName, datasets } from '../plan/datasets.js'
import { markMonths } from '../warehouse/dirty.js'
import { describeWalks, judgeSessions } from './answer.js'
import { keepDistinct } from './distinct.js'
import { applyFacts } from './facts.js'
import { applyList } from './lists.js'
import { cutPayloads } from './payload.js'
import { recordRequests } from './requests.js'
import { stagePages } from './stage.js'
import { type Left, leaveStanding, NOTHING_LEFT } from './standing.js'

/** What one batch did. */
export interface Loaded {
  dataset: Counted
  pages: number
  rows: number
  changed: number
  rejected: number
  /** What a file would have said of what the service has said. */
  left: Left
  /** Windows that are not complete after it, with the reason: `key timeframe day: reason`. */
  missing: string[]
}

/** Pages of one statement: about 100 ms fixed, 1.5 ms a page; more than 500 only costs memory. */
export const PAGES_PER_BATCH = 300

/** Records of one batch; as many as its pages hold where the service made them, pages of files are larger. */
export const RECORDS_PER_BATCH = 300_000

/**
 * Loads closed walks of one dataset: stages their pages, then rows, ledger, coverage, quarantine and dirty
 * marks in one transaction. A kill at any point leaves the batch wholly in or wholly out.
 */
export async function loadBatch(
  database: Database,
  home: string,
  name: DatasetName,
  walks: readonly ClosedWalk[],
  calendar: Calendar,
  options: { verify: boolean },
): Promise<Loaded> {
  const dataset = datasets[name]
  const asOf = walks[0]?.pages[0]?.trading_date ?? ''
  await stagePages(database, home, dataset, walks, options.verify)
  await describeWalks(database, walks)
  await keepDistinct(database, dataset)
  await database.run(sqlFile('load/imported_page.sql'))
  const left = walks.some(isImported) ? await leaveStanding(database, dataset, walks) : NOTHING_LEFT
  await cutPayloads(database, home, walks)
  await database.run(`SET VARIABLE dataset = ${literal(name)}`)
  await database.run(`SET VARIABLE as_of = ${literal(asOf)}::DATE`)
  const changed = await database.transaction(async () => {
    const count = await apply(database, dataset, walks, calendar, asOf)
    await recordRequests(database, dataset, walks)
    await database.run(sqlFile('load/quarantine.sql'))
    const rejected = '(SELECT received_at AS loaded_at FROM staged WHERE reason IS NOT NULL)'
    await markMonths(database, 'ops.quarantine', rejected)
    await database.run(sqlFile('load/coverage.sql'))
    await markMonths(database, 'ops.coverage', 'next_coverage')
    return count
  })
  const [counts] = await database.rows<{ rows: bigint; rejected: bigint }>(
    'SELECT count(*) AS rows, count(reason) AS rejected FROM staged',
  )
  const missing = await database.rows<{ line: string }>(
    `SELECT trim(key || ' ' || timeframe) || ' ' || day || ': ' || coalesce(reason, state) AS line
     FROM session_answer WHERE state = 'incomplete' ORDER BY ALL`,
  )
  return {
    dataset: name,
    pages: walks.reduce((sum, walk) => sum + walk.pages.length, 0),
    rows: Number(counts?.rows ?? 0),
    rejected: Number(counts?.rejected ?? 0),
    changed,
    left,
    missing: missing.map((each) => each.line),
  }
}

async function apply(
  database: Database,
  dataset: Dataset,
  walks: readonly ClosedWalk[],
  calendar: Calendar,
  asOf: string,
): Promise<number> {
  if (dataset.shape === 'list') return await applyList(database, dataset, walks, calendar, asOf)
  await judgeSessions(database, dataset, walks, calendar)
  return await applyFacts(database, dataset, walks.some(isImported))
}

/**
 * Cuts walks into batches: one dataset and one trading date each, at most `PAGES_PER_BATCH` pages and
 * `RECORDS_PER_BATCH` records, never answers beside a file, never two answers to overlapping windows (the later one must
 * see what the earlier one left).
 */
export function batchesOf(walks: readonly ClosedWalk[]): ClosedWalk[][] {
  const batches: ClosedWalk[][] = []
  let pages = 0
  let records = 0
  for (const walk of walks) {
    const batch = batches.at(-1)
    const own = walk.pages.reduce((sum, page) => sum + page.rows, 0)
    const fits =
      batch?.[0] !== undefined &&
      batch[0].window.dataset === walk.window.dataset &&
      batch[0].pages[0]?.trading_date === walk.pages[0]?.trading_date &&
      isImported(batch[0]) === isImported(walk) &&
      pages + walk.pages.length <= PAGES_PER_BATCH &&
      records + own <= RECORDS_PER_BATCH &&
      !batch.some((other) => overlaps(other, walk))
    if (fits) batch.push(walk)
    else {
      batches.push([walk])
      pages = 0
      records = 0
    }
    pages += walk.pages.length
    records += own
  }
  return batches
}

function overlaps(a: ClosedWalk, b: ClosedWalk): boolean {
  const [one, other] = [a.window, b.window]
  return (
    (one.key === other.key || one.key === '*' || other.key === '*') &&
    one.timeframe === other.timeframe &&
    one.from <= other.to &&
    other.from <= one.to
  )
}
