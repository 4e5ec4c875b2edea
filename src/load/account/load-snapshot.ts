import type { Database } from '../../duckdb/open.js'
import { keyNameOf, type PartWalk, partOf } from '../../land/journal.js'
import type { Loaded } from '../batch.js'
import { NOTHING_BLOCKED } from '../blocking-sessions.js'
import { boundRows } from '../bound-rows.js'
import { answersOfSnapshot, areStored, keepAnswers } from '../repeated.js'
import { recordPages } from '../requests.js'
import { followSteps, SNAPSHOT_STEPS } from '../steps.js'
import { verifyPages } from '../verify-pages.js'
import { checkAccounts } from './account-states.js'
import { ACCOUNT_LIST, ACCOUNT_TABLES } from './account-tables.js'
import type { Suffixes } from './fields.js'
import { type AccountReader, accountReader } from './page-records.js'
import type { ReceivedSnapshot } from './received-snapshot.js'
import { type RequestedRecord, stageTable } from './stage-table.js'
import { storeSnapshot } from './store-snapshot.js'

/**
 * Loads the account walks that one run made with one key as one snapshot: rows, ledger, coverage and quarantine in one
 * transaction. A snapshot that equals the key's latest one of the same trading date changes nothing. If even its pages are
 * equal, only the ledger of pages is written.
 *
 * @param walks every account walk of the key in the run; its snapshot was closed
 * @param options.reader reads the pages; pass the reader that has read them already, so that they are not read twice
 * @throws StorageError if a landed page is missing or changed
 */
export async function loadSnapshot(
  database: Database,
  home: string,
  walks: readonly PartWalk[],
  options: { verify: boolean; suffixes: Suffixes; reader?: AccountReader },
): Promise<Loaded> {
  const { verify, suffixes, reader = accountReader(home, suffixes) } = options
  const pages = walks.flatMap((walk) => walk.pages)
  if (verify) verifyPages(home, pages)
  const read = new Map(pages.map((page) => [page.id, reader(page, partOf(page))]))
  const steps = followSteps(database, SNAPSHOT_STEPS)
  const others = pages.flatMap(({ of_other_keys = [] }) => of_other_keys)
  const snapshot = { steps, walks, pages, read, others }
  const answers = answersOfSnapshot(walks, others, suffixes)
  const answered = { dataset: 'snapshot', keyName: pages[0] ? keyNameOf(pages[0]) : '' } as const
  const rows = [...read.values()].reduce((sum, page) => sum + page.records.length, 0)
  const loaded = { dataset: 'snapshot', pages: pages.length, rows, blocked: NOTHING_BLOCKED } as const
  if (await areStored(steps, answered, answers)) {
    await database.transaction(async () => await recordAnswers(snapshot))
    return { ...loaded, changed: 0, rejected: 0, unreadable: 0, missing: [] }
  }
  const missing = await stageSnapshot(snapshot)
  return await database.transaction(async () => {
    const [account] = await steps.rows<{ changed: boolean }>('load/snapshot/accounts')
    const changed = await storeSnapshot(steps)
    await recordAnswers(snapshot)
    await steps.run('load/snapshot/quarantine')
    await steps.run('load/snapshot/coverage')
    const [counts] = await steps.rows<{ rejected: bigint; unreadable: bigint }>('load/snapshot/counts')
    const rejected = Number(counts?.rejected ?? 0)
    // Keys may list the same account: after one of them has changed rows, the answers of the others are loaded again.
    const forgetAll = changed > 0 || account?.changed === true
    await keepAnswers(steps, answered, answers, { rejected, missing, forgetAll })
    return { ...loaded, changed, rejected, unreadable: Number(counts?.unreadable ?? 0), missing }
  })
}

/** Stages the rows of all tables and the states of the accounts. Returns what is missing, one line per account. */
async function stageSnapshot(snapshot: ReceivedSnapshot): Promise<string[]> {
  const { steps } = snapshot
  await steps.run('load/snapshot/begin')
  for (const table of [ACCOUNT_LIST, ...ACCOUNT_TABLES])
    await stageTable(steps, table, recordsOf(table.name, snapshot))
  await rejectPages(snapshot)
  const states = await checkAccounts(snapshot)
  await steps.run('load/snapshot/account_states', { values: [boundRows(states)] })
  await carryHistories(snapshot)
  await steps.run('load/snapshot/row_counts')
  return states.flatMap(({ account_no, missing }) => (missing ? [`${account_no}: ${missing}`] : []))
}

async function recordAnswers({ steps, pages, read }: ReceivedSnapshot): Promise<void> {
  await recordPages(
    steps,
    pages.map((page) => ({ page, dataset: partOf(page), drift: read.get(page.id)?.drift ?? [] })),
  )
}

/** A page that is not JSON is one rejected record, of position 0. */
async function rejectPages({ steps, pages, read }: ReceivedSnapshot): Promise<void> {
  const rows = pages.flatMap((page) => {
    const problem = read.get(page.id)?.problem
    const { id: request_id, received_at } = page
    return problem ? [{ dataset: partOf(page), ...problem, request_id, received_at }] : []
  })
  if (rows.length > 0) await steps.run('load/snapshot/unproven_pages', { values: [boundRows(rows)] })
}

/** Records of one table, each with the values of its request. */
function recordsOf(table: string, { pages, read }: ReceivedSnapshot): RequestedRecord[] {
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

/** Copies the histories of conditional orders that were not requested from the latest complete snapshot. */
async function carryHistories({ steps, walks }: ReceivedSnapshot): Promise<void> {
  const histories = walks.filter((walk) => walk.window.dataset === 'fcoStatusHistory')
  const orders = histories.map((walk) => walk.window.key)
  await steps.run('load/snapshot/variables', { values: [boundRows(orders)] })
  await steps.run('load/snapshot/carried_events')
}
