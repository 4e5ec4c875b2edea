import type { Database } from '../../duckdb/open.js'
import { type PageRecord, type PartWalk, partOf } from '../../land/journal.js'
import type { Loaded } from '../batch.js'
import { NOTHING_BLOCKED } from '../blocking-sessions.js'
import { boundRows } from '../bound-rows.js'
import { recordPages } from '../requests.js'
import { followSteps, SNAPSHOT_STEPS, type Steps } from '../steps.js'
import { verifyPages } from '../verify-pages.js'
import { checkAccounts } from './account-states.js'
import type { Suffixes } from './fields.js'
import { type AccountPage, accountReader } from './page-records.js'
import { type AnsweredRecord, stageTable } from './stage-table.js'
import { storeSnapshot } from './store-snapshot.js'
import { ACCOUNT_LIST, ACCOUNT_TABLES } from './tables.js'

/**
 * Loads the account walks that one run made with one key as one snapshot: rows, ledger, coverage and quarantine in one transaction. A
 * snapshot that equals the key's latest one of the same trading date changes nothing.
 *
 * @param walks every account walk of the key in the run; its snapshot was closed
 */
export async function loadSnapshot(
  database: Database,
  home: string,
  walks: readonly PartWalk[],
  options: { verify: boolean; suffixes: Suffixes },
): Promise<Loaded> {
  const pages = walks.flatMap((walk) => walk.pages)
  if (options.verify) verifyPages(home, pages)
  const reader = accountReader(home, options.suffixes)
  const read = new Map(pages.map((page) => [page.id, reader(page, partOf(page))]))
  const steps = followSteps(database, SNAPSHOT_STEPS)
  await steps.run('load/snapshot/begin')
  for (const table of [ACCOUNT_LIST, ...ACCOUNT_TABLES])
    await stageTable(steps, table, recordsOf(table.name, pages, read))
  await rejectPages(steps, pages, read)
  const others = pages.flatMap(({ of_other_keys = [] }) => of_other_keys)
  const states = await checkAccounts(steps, walks, read, others)
  await steps.run('load/snapshot/account_states', { values: [boundRows(states)] })
  await carryHistories(steps, walks)
  await steps.run('load/snapshot/row_counts')
  const changed = await database.transaction(async () => {
    await steps.run('load/snapshot/accounts')
    const rows = await storeSnapshot(steps)
    await recordPages(
      steps,
      pages.map((page) => ({ page, dataset: partOf(page), drift: read.get(page.id)?.drift ?? [] })),
    )
    await steps.run('load/snapshot/quarantine')
    await steps.run('load/snapshot/coverage')
    return rows
  })
  const [counts] = await steps.rows<{ rejected: bigint; unreadable: bigint }>('load/snapshot/counts')
  return {
    dataset: 'snapshot',
    pages: pages.length,
    rows: [...read.values()].reduce((sum, page) => sum + page.records.length, 0),
    changed,
    rejected: Number(counts?.rejected ?? 0),
    unreadable: Number(counts?.unreadable ?? 0),
    blocked: NOTHING_BLOCKED,
    missing: states.flatMap(({ account_no, missing }) => (missing ? [`${account_no}: ${missing}`] : [])),
  }
}

/** A page that is not JSON is one rejected record, of position 0. */
async function rejectPages(
  steps: Steps,
  pages: readonly PageRecord[],
  read: ReadonlyMap<string, AccountPage>,
): Promise<void> {
  const rows = pages.flatMap((page) => {
    const problem = read.get(page.id)?.problem
    const { id: request_id, received_at } = page
    return problem ? [{ dataset: partOf(page), ...problem, request_id, received_at }] : []
  })
  if (rows.length > 0) await steps.run('load/snapshot/unproven_pages', { values: [boundRows(rows)] })
}

/** Records of one table, each with the question that brought it. */
function recordsOf(
  table: string,
  pages: readonly PageRecord[],
  read: ReadonlyMap<string, AccountPage>,
): AnsweredRecord[] {
  return pages.flatMap((page) =>
    (read.get(page.id)?.records ?? [])
      .filter((record) => record.table === table)
      .map((record) => ({
        ...record,
        request_id: page.id,
        received_at: page.received_at,
        account_no: page.account ?? '',
        key: page.window.key,
        price: page.query.price ?? null,
      })),
  )
}

/** Histories of conditional orders that were not asked for come along from the latest complete snapshot. */
async function carryHistories(steps: Steps, walks: readonly PartWalk[]): Promise<void> {
  const asked = walks.filter((walk) => walk.window.dataset === 'fcoStatusHistory')
  const orders = asked.map((walk) => walk.window.key)
  await steps.run('load/snapshot/variables', { values: [boundRows(orders)] })
  await steps.run('load/snapshot/carried_events')
}
