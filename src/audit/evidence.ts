import type { Database } from '../duckdb/open.js'
import { literal, sqlFile, sqlFiles } from '../duckdb/sqlfile.js'
import type { Day } from '../market/day.js'
import type { Subject } from './check.js'

/**
 * Prepares what the rules read, as temp tables bounded by the sessions: their cost follows what is judged, not what is
 * held. `sql/audit` has one file a table: what all rules read, what those of the market read, those of accounts.
 */
export async function prepareMarket(database: Database, sessions: readonly Day[]): Promise<Subject[]> {
  await prepare(database, sessions)
  await runFolder(database, 'audit/market')
  return sessions.map((tradingDate) => ({ subject: 'market', tradingDate, side: 'market', fault: null }))
}

/** The same for the snapshots of a trading date. */
export async function prepareAccounts(database: Database, asOf: Day): Promise<Subject[]> {
  const [read] = await database.rows(`SELECT 1 FROM account.snapshot WHERE as_of = ?::DATE LIMIT 1`, [asOf])
  if (!read) return [nobody(asOf)]
  await prepare(database, [asOf])
  await database.run(`SET VARIABLE audit_as_of = ${literal(asOf)}::DATE`)
  await runFolder(database, 'audit/account')
  const accounts = await database.rows<{
    account_no: string
    side: 'equity' | 'derivative'
    fault: string | null
  }>(
    `SELECT account_no, side,
       CASE WHEN state <> 'complete' THEN 'the snapshot is short: ' || coalesce(missing, state) END AS fault
     FROM judged_account ORDER BY account_no`,
  )
  if (accounts.length === 0) return [nobody(asOf)]
  return accounts.map(({ account_no, side, fault }) => ({
    subject: account_no,
    tradingDate: asOf,
    side,
    fault,
  }))
}

/** What stands where no account was read: its rules are told as not evaluable, not left out. */
function nobody(tradingDate: Day): Subject {
  return { subject: '*', tradingDate, side: 'accounts', fault: `no account was read for ${tradingDate}` }
}

async function prepare(database: Database, sessions: readonly Day[]): Promise<void> {
  const [first = '', last = first] = [sessions[0], sessions.at(-1)]
  await database.run(`SET VARIABLE audit_days = [${sessions.map(literal).join(', ')}]::DATE[]`)
  await database.run(`SET VARIABLE audit_first = ${literal(first)}::DATE`)
  await database.run(`SET VARIABLE audit_last = ${literal(last)}::DATE`)
  await runFolder(database, 'audit')
}

async function runFolder(database: Database, folder: string): Promise<void> {
  for (const name of sqlFiles(folder)) await database.run(sqlFile(`${folder}/${name}`))
}
