import type { Database } from '../duckdb/open.js'
import { literal, sqlFile, sqlFiles } from '../duckdb/sqlfile.js'
import type { Day } from '../market/day.js'
import { referenceFile } from '../market/reference.js'
import type { Subject } from './judge.js'

/** Trading date that no snapshot has. */
const NEVER = '0001-01-01'

/**
 * Prepares what the rules read, as temp tables bounded by the sessions: their cost follows what is judged, not what is
 * held. `sql/audit` has one file a table.
 */
export async function prepareMarket(database: Database, sessions: readonly Day[]): Promise<Subject[]> {
  await prepare(database, sessions, NEVER)
  return sessions.map((tradingDate) => ({ subject: 'market', tradingDate, side: 'market', fault: null }))
}

/** The same for the snapshots of a trading date. */
export async function prepareAccounts(database: Database, asOf: Day): Promise<Subject[]> {
  await prepare(database, [asOf], asOf)
  const accounts = await database.rows<{
    account_no: string
    side: 'equity' | 'derivative'
    fault: string | null
  }>(
    `SELECT account_no, side,
       CASE WHEN state <> 'complete' THEN 'the snapshot is short: ' || coalesce(missing, state) END AS fault
     FROM judged_account ORDER BY account_no`,
  )
  if (accounts.length === 0) {
    const fault = `no account was read for ${asOf}`
    return [{ subject: '*', tradingDate: asOf, side: 'accounts', fault }]
  }
  return accounts.map(({ account_no, side, fault }) => ({
    subject: account_no,
    tradingDate: asOf,
    side,
    fault,
  }))
}

async function prepare(database: Database, sessions: readonly Day[], asOf: Day): Promise<void> {
  const [first = asOf, last = asOf] = [sessions[0], sessions.at(-1)]
  await database.run(`SET VARIABLE audit_days = [${sessions.map(literal).join(', ')}]::DATE[]`)
  await database.run(`SET VARIABLE audit_first = ${literal(first)}::DATE`)
  await database.run(`SET VARIABLE audit_last = ${literal(last)}::DATE`)
  await database.run(`SET VARIABLE audit_as_of = ${literal(asOf)}::DATE`)
  await database.run(`SET VARIABLE session_phases = ${literal(referenceFile('sessions'))}`)
  for (const name of sqlFiles('audit')) await database.run(sqlFile(`audit/${name}`))
}
