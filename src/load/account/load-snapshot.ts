import type { Database } from '../../duckdb/open.js'
import { literal } from '../../duckdb/sqlfile.js'
import { keyNameOf, type PartWalk, partOf } from '../../land/journal.js'
import type { Loaded } from '../batch.js'
import { NOTHING_BLOCKED } from '../blocking-sessions.js'
import { boundRows } from '../bound-rows.js'
import { answersOfSnapshot, areStored, keepAnswers } from '../repeated.js'
import { recordPages } from '../requests.js'
import { followSteps, SNAPSHOT_STEPS, type Steps } from '../steps.js'
import { verifyPages } from '../verify-pages.js'
import { checkAccounts } from './account-states.js'
import { ACCOUNT_LIST, ACCOUNT_TABLES, type AccountTable, recordTypeOf } from './account-tables.js'
import type { Suffixes } from './fields.js'
import { type AccountReader, type AccountRecord, accountReader } from './page-records.js'
import type { ReceivedSnapshot } from './received-snapshot.js'

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
  await steps.run('load/snapshot/account_states', {}, [boundRows(states)])
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
  if (rows.length > 0) await steps.run('load/snapshot/unproven_pages', {}, [boundRows(rows)])
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
  await steps.run('load/snapshot/variables', {}, [boundRows(orders)])
  await steps.run('load/snapshot/carried_events')
}

/** A record with its page and the values of its request. */
interface RequestedRecord extends AccountRecord {
  readonly request_id: string
  readonly received_at: string
  readonly account_no: string
  /** Requested symbol or conditional order. */
  readonly key: string
  /** Requested price; maxBuySell only. */
  readonly price: string | null
}

/** Columns of the page and the request, besides the record's own `r`. */
const REQUEST_COLUMNS = {
  request_id: 'VARCHAR',
  ordinal: 'BIGINT',
  received_at: 'TIMESTAMPTZ',
  account_no: 'VARCHAR',
  symbol: 'VARCHAR',
  fco_id: 'VARCHAR',
  price: 'DECIMAL(18,6)',
  side_of_book: 'VARCHAR',
  payload: 'VARCHAR',
  fault: 'VARCHAR',
} as const

/**
 * Writes the records of one table to temp tables `staged_TABLE` (typed, with `reason` for a record that is not valid) and
 * `received_TABLE` (one row per key, valid records only). Without records only an empty `received_TABLE` is written: DuckDB
 * takes up to 60 ms per table to plan the SQL that reads records. The list of accounts is always read, because it is not stored
 * by snapshot.
 */
async function stageTable(
  steps: Steps,
  table: AccountTable,
  records: readonly RequestedRecord[],
): Promise<void> {
  const { name, part, key, duplicates } = table
  if (records.length === 0 && name !== ACCOUNT_LIST.name) {
    await steps.run('load/snapshot/nothing_received', { table: name })
    return
  }
  const record = literal(JSON.stringify([{ ...REQUEST_COLUMNS, r: recordTypeOf(table) }]))
  await steps.run('load/snapshot/records', { record }, [boundRows(records.map(columnsOf))])
  await steps.run(`load/account/${name}`)
  await steps.run('load/snapshot/staged', { table: name })
  // The position of a record in its page is not a value of the record, except in histories, which are in order.
  const parts = { table: name, key: key.join(', '), ordinal: key.includes('ordinal') ? '' : ', ordinal' }
  if (duplicates === 'reject') await steps.run('load/snapshot/contradictions', parts)
  const order = duplicates === 'later' ? 'DESC' : 'ASC'
  await steps.run('load/snapshot/received', { ...parts, part, order })
}

function columnsOf(record: RequestedRecord): Record<keyof typeof REQUEST_COLUMNS | 'r', unknown> {
  return {
    request_id: record.request_id,
    ordinal: record.ordinal,
    received_at: record.received_at,
    account_no: record.account_no,
    symbol: record.key,
    fco_id: record.key,
    price: record.price,
    side_of_book: record.side,
    payload: record.text,
    fault: record.fault,
    r: record.fields,
  }
}

/**
 * Stores the staged snapshot, unless the latest one of the same trading date is equal: what was asked again and is equal
 * changes nothing. A complete snapshot takes the place of partial ones of its trading date.
 *
 * Returns the rows that changed.
 */
async function storeSnapshot(steps: Steps): Promise<number> {
  const [summary] = await steps.rows<{ partial: bigint; accounts: bigint }>('load/snapshot/summary')
  if (!summary?.accounts) return 0
  const deleted = summary.partial === 0n ? await deletePartial(steps) : 0
  const [latest] = await steps.rows<{ id: string | null }>('load/snapshot/latest_snapshot')
  if (latest?.id && !(await differsFrom(steps, latest.id))) return deleted
  await steps.run('load/snapshot/insert_snapshot')
  let rows = 0
  for (const { name } of ACCOUNT_TABLES) {
    rows += await steps.count('load/snapshot/insert_rows', { table: name })
  }
  return deleted + rows + Number(summary.accounts)
}

/** Returns how many partial snapshots of the trading date were deleted. */
async function deletePartial(steps: Steps): Promise<number> {
  const obsolete = await steps.count('load/snapshot/obsolete_snapshots')
  if (obsolete === 0) return 0
  for (const table of ['snapshot', ...ACCOUNT_TABLES.map(({ name }) => name)]) {
    await steps.run('load/snapshot/delete_obsolete', { table })
  }
  return obsolete
}

async function differsFrom(steps: Steps, id: string): Promise<boolean> {
  const snapshot = literal(id)
  const [states] = await steps.rows<{ differs: boolean }>('load/snapshot/state_differs', { snapshot })
  if (states?.differs) return true
  for (const { name } of ACCOUNT_TABLES) {
    const parts = { table: name, snapshot }
    const [rows] = await steps.rows<{ differs: boolean }>('load/snapshot/rows_differ', parts)
    if (rows?.differs) return true
  }
  return false
}
