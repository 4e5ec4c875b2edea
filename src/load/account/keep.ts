import type { Database } from '../../duckdb/open.js'
import { literal } from '../../duckdb/sqlfile.js'
import { markMonths } from '../../warehouse/dirty.js'
import { ACCOUNT_TABLES } from './tables.js'

/**
 * Keeps the staged snapshot, unless the latest one of the same trading date says the same: what was asked again
 * and is equal changes nothing. A complete snapshot takes the place of partial ones of its trading date.
 *
 * Reads temp tables `account_state` and `fresh_TABLE`. Returns the rows that changed.
 */
export async function keepSnapshot(database: Database): Promise<number> {
  const [told] = await database.rows<{ partial: bigint; accounts: bigint }>(
    `SELECT count(*) FILTER (WHERE missing IS NOT NULL) AS partial, count(*) FILTER (WHERE account_no <> '*') AS accounts
     FROM account_state`,
  )
  if (!told?.accounts) return 0
  const complete = told.partial === 0n
  const gone = complete ? await dropPartial(database) : 0
  const [latest] = await database.rows<{ id: string | null }>(
    `SELECT max(snapshot_id) AS id FROM account.snapshot WHERE as_of = (SELECT any_value(as_of) FROM account_state)`,
  )
  if (latest?.id && (await saysTheSame(database, latest.id))) return gone
  await database.run(`INSERT INTO account.snapshot BY NAME
    SELECT account_no, snapshot_id, as_of, state, missing, received_at FROM account_state WHERE account_no <> '*'`)
  await markMonths(database, 'account.snapshot', `account_state WHERE account_no <> '*'`)
  let rows = 0
  for (const { name } of ACCOUNT_TABLES) {
    await database.run(`INSERT INTO account.${name} BY NAME
      SELECT (SELECT any_value(snapshot_id) FROM account_state) AS snapshot_id, * EXCLUDE (received_at),
        received_at AS loaded_at FROM fresh_${name}`)
    const [count] = await database.rows<{ n: bigint }>(`SELECT count(*) AS n FROM fresh_${name}`)
    const id = '(SELECT any_value(snapshot_id) FROM account_state)'
    if (count?.n) await markMonths(database, `account.${name}`, `account.${name} WHERE snapshot_id = ${id}`)
    rows += Number(count?.n ?? 0)
  }
  return gone + rows + Number(told.accounts)
}

/** Snapshots of the trading date that a complete one makes obsolete: their rows would only be counted twice. */
async function dropPartial(database: Database): Promise<number> {
  const partial = await database.rows<{ snapshot_id: string }>(
    `SELECT DISTINCT snapshot_id FROM account.snapshot
     WHERE state = 'partial' AND as_of = (SELECT any_value(as_of) FROM account_state)`,
  )
  if (partial.length === 0) return 0
  const ids = partial.map((row) => literal(row.snapshot_id)).join(', ')
  for (const name of ['snapshot', ...ACCOUNT_TABLES.map((table) => table.name)]) {
    await markMonths(database, `account.${name}`, `account.${name} WHERE snapshot_id IN (${ids})`)
    await database.run(`DELETE FROM account.${name} WHERE snapshot_id IN (${ids})`)
  }
  return partial.length
}

async function saysTheSame(database: Database, id: string): Promise<boolean> {
  const held = `snapshot_id = ${literal(id)}`
  const state = 'account_no, as_of, state, missing'
  const pairs = [
    [
      `SELECT ${state} FROM account.snapshot WHERE ${held}`,
      `SELECT ${state} FROM account_state WHERE account_no <> '*'`,
    ],
    ...ACCOUNT_TABLES.map(({ name }) => [
      `SELECT * EXCLUDE (snapshot_id, request_id, loaded_at) FROM account.${name} WHERE ${held}`,
      `SELECT * EXCLUDE (request_id, received_at) FROM fresh_${name}`,
    ]),
  ]
  for (const [before = '', now = ''] of pairs) {
    const [differs] = await database.rows<{ differs: boolean }>(
      `SELECT EXISTS (${inOrder(before)} EXCEPT ${inOrder(now)}) OR EXISTS (${inOrder(now)} EXCEPT ${inOrder(before)}) AS differs`,
    )
    if (differs?.differs) return false
  }
  return true
}

/** As JSON, so that the order of columns does not matter. */
function inOrder(query: string): string {
  return `(SELECT map_from_entries(list_sort(map_entries(CAST(to_json(one) AS MAP(VARCHAR, JSON)))))::VARCHAR FROM (${query}) one)`
}
