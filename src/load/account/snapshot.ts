import type { Database } from '../../duckdb/open.js'
import { literal, sqlFile } from '../../duckdb/sqlfile.js'
import type { PageRecord, PartWalk } from '../../land/journal.js'
import { isPart, type PartName } from '../../plan/parts.js'
import { markMonths } from '../../warehouse/dirty.js'
import type { Loaded } from '../batch.js'
import { recordPages } from '../requests.js'
import { NOTHING_LEFT } from '../standing.js'
import { verifyPages } from '../verify.js'
import type { Suffixes } from './fields.js'
import { type PartAnswer, whatIsMissing } from './judge.js'
import { keepSnapshot } from './keep.js'
import { type AccountPage, accountReader } from './records.js'
import { type Brought, stageTable } from './stage.js'
import { ACCOUNT_LIST, ACCOUNT_TABLES } from './tables.js'

/** How a snapshot of one account went. */
interface AccountState {
  account_no: string
  snapshot_id: string
  as_of: string
  state: 'complete' | 'partial'
  missing: string | null
  request_id: string
  received_at: string
}

/**
 * Loads the account walks of one run as one snapshot: rows, ledger, coverage and quarantine in one transaction. A
 * snapshot that says what the latest one of the same trading date said changes nothing.
 *
 * @param walks every account walk of the run; its snapshot was closed
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
  for (const table of [ACCOUNT_LIST, ...ACCOUNT_TABLES])
    await stageTable(database, table, broughtTo(table.name, pages, read))
  await gatherRejected(database)
  const states = await judgeAccounts(database, walks, read)
  await database.run(sqlFile('load/account/state.sql'), [JSON.stringify(states)])
  const histories = walks.filter((walk) => walk.window.dataset === 'fcoStatusHistory')
  await database.run(
    `SET VARIABLE asked_histories = [${histories.map((walk) => literal(walk.window.key)).join(', ')}]::VARCHAR[]`,
  )
  await database.run(sqlFile('apply/conditional_order_event.sql'))
  await countRows(database)
  const changed = await database.transaction(async () => {
    await database.run(sqlFile('apply/account.sql'))
    const rows = await keepSnapshot(database)
    await recordPages(
      database,
      pages.map((page) => ({ page, dataset: partOf(page), drift: read.get(page.id)?.drift ?? [] })),
    )
    await database.run(sqlFile('load/account/quarantine.sql'))
    await markMonths(database, 'ops.quarantine', '(SELECT received_at AS loaded_at FROM rejected)')
    await database.run(sqlFile('load/account/coverage.sql'))
    await markMonths(database, 'ops.coverage', '(SELECT as_of AS window_from FROM account_state)')
    return rows
  })
  const [rejected] = await database.rows<{ n: bigint }>('SELECT count(*) AS n FROM rejected')
  return {
    dataset: 'snapshot',
    pages: pages.length,
    rows: [...read.values()].reduce((sum, page) => sum + page.records.length, 0),
    changed,
    rejected: Number(rejected?.n ?? 0),
    left: NOTHING_LEFT,
    missing: states.flatMap(({ account_no, missing }) => (missing ? [`${account_no}: ${missing}`] : [])),
  }
}

function partOf({ window }: PageRecord): PartName {
  if (!isPart(window.dataset)) throw new TypeError(`${window.dataset} is no part of a snapshot`)
  return window.dataset
}

function broughtTo(
  table: string,
  pages: readonly PageRecord[],
  read: ReadonlyMap<string, AccountPage>,
): Brought[] {
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

/** What the snapshot holds of each account, histories that came along included. */
async function countRows(database: Database): Promise<void> {
  const rows = ACCOUNT_TABLES.map(({ name }) => `SELECT account_no FROM fresh_${name}`).join(' UNION ALL ')
  await database.run(`UPDATE account_state SET row_count =
    (SELECT count(*) FROM (${rows}) one WHERE one.account_no = account_state.account_no)`)
}

/** Temp table `rejected`: what no table believed. */
async function gatherRejected(database: Database): Promise<void> {
  const branches = [ACCOUNT_LIST, ...ACCOUNT_TABLES].map(
    ({ name, part }) =>
      `SELECT ${literal(part)} AS dataset, reason, payload, ordinal, request_id, received_at
       FROM staged_${name} WHERE reason IS NOT NULL`,
  )
  await database.run(`CREATE OR REPLACE TEMP TABLE rejected AS ${branches.join(' UNION ALL ')}`)
}

async function judgeAccounts(
  database: Database,
  walks: readonly PartWalk[],
  read: ReadonlyMap<string, AccountPage>,
): Promise<AccountState[]> {
  const answers = await answersOf(database, walks, read)
  const accounts = await database.rows<{ account_no: string }>(
    'SELECT account_no FROM fresh_account ORDER BY account_no',
  )
  const last = walks.at(-1)?.pages.at(-1)
  const stateOf = (account: string, mine: readonly Answered[]): AccountState => {
    const missing = mine.flatMap(({ answer }) => whatIsMissing(answer) ?? [])
    return {
      account_no: account,
      snapshot_id: last?.run ?? '',
      as_of: last?.trading_date ?? '',
      state: missing.length > 0 ? 'partial' : 'complete',
      missing: missing.length > 0 ? missing.join('; ') : null,
      request_id: last?.id ?? '',
      received_at: last?.received_at ?? '',
    }
  }
  const list = stateOf(
    '*',
    answers.filter(({ answer }) => answer.part === 'accountInfo'),
  )
  const states = accounts.map(({ account_no }) =>
    stateOf(
      account_no,
      answers.filter(({ account }) => account === account_no),
    ),
  )
  if (states.length === 0) return [{ ...list, state: 'partial', missing: list.missing ?? 'no accounts' }]
  return list.missing ? [...states, list] : states
}

interface Answered {
  readonly account: string
  readonly answer: PartAnswer
}

/** Questions with their walks: a list that came short has two. */
async function answersOf(
  database: Database,
  walks: readonly PartWalk[],
  read: ReadonlyMap<string, AccountPage>,
): Promise<Answered[]> {
  const questions = new Map<string, PartWalk[]>()
  for (const walk of walks) {
    const name = JSON.stringify([walk.window.dataset, walk.pages[0]?.account, walk.window.key])
    questions.set(name, [...(questions.get(name) ?? []), walk])
  }
  const distinct = await distinctRecords(database)
  const rejected = new Map(
    (
      await database.rows<{ request_id: string; n: bigint }>(
        'SELECT request_id, count(*) AS n FROM rejected GROUP BY ALL',
      )
    ).map((row) => [row.request_id, Number(row.n)]),
  )
  return [...questions.values()].flatMap((mine) => {
    const [first] = mine
    const page = first?.pages[0]
    if (!first || !page) return []
    const pages = mine.flatMap((walk) => walk.pages)
    const part = partOf(page)
    const account = page.account ?? ''
    const counted = pages.map(({ id }) => read.get(id)?.expected).filter((count) => count !== undefined)
    const brought = pages.reduce((sum, { id }) => sum + (read.get(id)?.records.length ?? 0), 0)
    return {
      account,
      answer: {
        part,
        key: first.window.key,
        walks: mine,
        distinct: distinct.get(`${part} ${account}`) ?? brought,
        rejected: pages.reduce((sum, { id }) => sum + (rejected.get(id) ?? 0), 0),
        expected: counted.at(-1),
      },
    }
  })
}

/** Lists that come in pages: what is left of them once repeats are one. */
async function distinctRecords(database: Database): Promise<Map<string, number>> {
  const rows = await database.rows<{ name: string; n: bigint }>(
    `SELECT 'orderBook ' || account_no AS name, count(*) AS n FROM fresh_order_book GROUP BY ALL
     UNION ALL SELECT 'fcoList ' || account_no, count(*) FROM fresh_conditional_order GROUP BY ALL`,
  )
  return new Map(rows.map((row) => [row.name, Number(row.n)]))
}
