import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import { literal, sqlFile, sqlFiles } from '../duckdb/sqlfile.js'
import type { Subject } from './check.js'
import { evidenceOf } from './reads.js'
import type { Rule } from './rule.js'

/**
 * Calendar days of evidence before each session checked: enough for 20 sessions and the longest closure (Lunar New Year, nine
 * days). Rules about snapshots read reference prices of as many days.
 */
const DAYS_BEFORE = 45

/**
 * Fills the temp tables that the rules read, only for these sessions: the cost follows the sessions checked, not the history
 * stored. `sql/audit` has one file per table: for all rules, for rules about the market (`answer`, `market`), about
 * accounts.
 */
export async function prepareMarket(database: Database, sessions: readonly Day[]): Promise<Subject[]> {
  await prepareSessions(database, sessions)
  return await addMarketRows(database, sessions)
}

/** The first part of `prepareMarket`: tables from which `sql/audit/inputs` finds sessions that changed since their last check. */
export async function prepareSessions(database: Database, sessions: readonly Day[]): Promise<void> {
  await prepare(database, sessions)
  await runFolder(database, 'audit/answer')
}

/** Files of `sql/audit/market` that every check needs: when what is stored last changed. */
const ALWAYS: readonly string[] = ['audit/market/7_arrival.sql']

/**
 * The second part of `prepareMarket`, for the same sessions.
 *
 * @param rules that will be run: only what they read is prepared; all of it without them
 */
export async function addMarketRows(
  database: Database,
  sessions: readonly Day[],
  rules?: readonly Rule[],
): Promise<Subject[]> {
  const needed = rules && new Set([...evidenceOf(rules), ...ALWAYS])
  await runFolder(database, 'audit/market', needed)
  await runFolder(database, 'audit/bar', needed)
  return subjectsOf(sessions)
}

/** What a check of touched symbols reads whatever its rules: it takes their summaries, and compares the step of all bars. */
const OF_TOUCHED: readonly string[] = [
  'audit/market/1_day.sql',
  'audit/market/2_hourly_bar.sql',
  'audit/bar/2_bar_rounding.sql',
]

/** The tables that rules read, but for those of bars: the first part of a check of touched symbols. */
export async function prepareTouched(database: Database, rules: readonly Rule[]): Promise<void> {
  await runFolder(database, 'audit/market', touchedEvidence(rules))
  await database.run(sqlFile('audit/new/2_bar.sql'))
}

/** Fills the tables of bars, from `audit_candle` and `audit_bar_coverage` as they are now. */
export async function prepareTouchedBars(database: Database, rules: readonly Rule[]): Promise<void> {
  await runFolder(database, 'audit/bar', touchedEvidence(rules))
}

function touchedEvidence(rules: readonly Rule[]): Set<string> {
  const needed = new Set([...evidenceOf(rules), ...OF_TOUCHED])
  needed.delete('audit/bar/1_candle.sql')
  for (const path of ALWAYS) needed.delete(path)
  return needed
}

/** The market of each session. */
export function subjectsOf(sessions: readonly Day[]): Subject[] {
  return sessions.map((tradingDate) => ({ subject: 'market', tradingDate, side: 'market', fault: null }))
}

/** As `prepareMarket`, for the snapshots of a trading date. */
export async function prepareAccounts(database: Database, asOf: Day): Promise<Subject[]> {
  const [snapshot] = await database.rows(`SELECT 1 FROM account.snapshot WHERE as_of = ?::DATE LIMIT 1`, [
    asOf,
  ])
  if (!snapshot) return [noAccount(asOf)]
  await prepare(database, [asOf])
  await database.run(`SET VARIABLE audit_as_of = ${literal(asOf)}::DATE`)
  await runFolder(database, 'audit/account')
  const accounts = await database.rows<Pick<Subject, 'subject' | 'side' | 'fault'>>(
    `SELECT account_no AS subject, side,
       CASE WHEN state <> 'complete' THEN 'the snapshot is short: ' || coalesce(missing, state) END AS fault
     FROM audit_account ORDER BY account_no`,
  )
  if (accounts.length === 0) return [noAccount(asOf)]
  return accounts.map((account) => ({ ...account, tradingDate: asOf }))
}

/** Whether no account was read for a trading date. */
export function isNoAccount(subjects: readonly Subject[]): boolean {
  return subjects.every(({ subject }) => subject === NO_ACCOUNT)
}

const NO_ACCOUNT = '*'

/** The subject if no account was read: rules about accounts are reported as not evaluable, not skipped. */
function noAccount(tradingDate: Day): Subject {
  return {
    subject: NO_ACCOUNT,
    tradingDate,
    side: 'accounts',
    fault: `no account was read for ${tradingDate}`,
  }
}

/** Empties the temp tables of results that are not recorded yet: `offender`, and the arrival of their evidence. */
export async function emptyUnrecorded(database: Database): Promise<void> {
  await database.run('CREATE OR REPLACE TEMP TABLE offender AS FROM recon.offender LIMIT 0')
  await database.run(sqlFile('recon/evidence_arrival.sql'))
}

async function prepare(database: Database, sessions: readonly Day[]): Promise<void> {
  const [first = '', last = first] = [sessions[0], sessions.at(-1)]
  await database.run(`SET VARIABLE audit_days = [${sessions.map(literal).join(', ')}]::DATE[]`)
  await database.run(`SET VARIABLE audit_first = ${literal(first)}::DATE`)
  await database.run(`SET VARIABLE audit_last = ${literal(last)}::DATE`)
  await database.run(`SET VARIABLE audit_back = ${DAYS_BEFORE}`)
  await database.run(`SET VARIABLE audit_earliest = ${literal(first)}::DATE - ${DAYS_BEFORE}`)
  await runFolder(database, 'audit')
}

/** @param needed paths of the files to run; undefined for all of them */
async function runFolder(database: Database, folder: string, needed?: ReadonlySet<string>): Promise<void> {
  for (const name of sqlFiles(folder)) {
    const path = `${folder}/${name}`
    if (!needed || needed.has(path)) await database.run(sqlFile(path))
  }
}
