import type { Database } from '../duckdb/open.js'
import { literal, sqlFile, sqlFiles, sqlTemplate } from '../duckdb/sqlfile.js'
import { sha256 } from '../home/sha256.js'
import { installForWriter } from './install.js'

/** Days that a reference price may look back for its basis: `sql/mart/price/reference_basis.sql`. */
const OLDEST_BASIS = 45

/** Bars that one statement computes: as many as a session of the whole market has. A statement without bars takes 15 CPU-ms. */
const BARS_AT_ONCE = 400_000

/**
 * Refreshes the materialized tables of schema `mart` for the sessions whose sources have changed since they were last
 * published, and marks those sessions to be published. Views that read these tables answer at once what would take a scan
 * of all bars or of all reference prices (docs/decisions/0030-views-unless-a-view-cannot-answer.md). A second call
 * changes nothing.
 */
export async function refreshMaterialized(warehouse: Database): Promise<void> {
  const definition = definitionHash(await installForWriter(warehouse))
  const [stored] = await warehouse.column<string>('SELECT mart.stored_made_of()').catch(() => [])
  const isDefined = stored === definition
  const [marked] = await warehouse.rows("SELECT 1 FROM ops.dirty_partition WHERE partition <> 'all' LIMIT 1")
  if (isDefined && !marked) return
  await warehouse.transaction(async () => {
    if (!isDefined) await markAllSessions(warehouse, definition)
    await refreshEvents(warehouse)
    await refreshIntraday(warehouse)
    await refreshFactors(warehouse)
  })
}

/** SHA-256 of the queries that fill the tables and of the objects they read. @param objects hash of those objects */
function definitionHash(objects: string): string {
  const queries = sqlFiles('mart/materialized').map((name) => sqlFile(`mart/materialized/${name}`))
  return sha256(objects, ...queries, ...Object.values(FACTOR_QUERIES).map((query) => query()))
}

/** Rows of other queries, or a table never filled: every session is computed again, or history would mix definitions. */
async function markAllSessions(warehouse: Database, definition: string): Promise<void> {
  await warehouse.run(
    `INSERT INTO ops.dirty_partition ${sqlFile('refresh/all_sessions.sql')};
     CREATE OR REPLACE MACRO mart.stored_made_of() AS ${literal(definition)};
     COMMENT ON MACRO mart.stored_made_of IS 'SHA-256 of the queries that filled the materialized tables of schema mart.'`,
  )
}

/** Reference prices are compared with an earlier session: sessions that follow a changed one are computed again too. */
async function refreshEvents(warehouse: Database): Promise<void> {
  await warehouse.run('CREATE OR REPLACE TEMP TABLE changed_event (trading_date DATE)')
  const [range] = await warehouse.rows<{ first: string | null; last: string | null }>(
    sqlTemplate('refresh/event_range.sql', { oldest_basis: String(OLDEST_BASIS) }),
  )
  if (!range?.first || !range.last) return
  await warehouse.run(
    `SET VARIABLE refresh_first = DATE ${literal(range.first)}; SET VARIABLE refresh_last = DATE ${literal(range.last)};
     CREATE OR REPLACE TEMP TABLE reference_break AS ${sqlFile('refresh/reference_break.sql')}`,
  )
  for (const [table, dayColumn] of [
    ['adjustment_event', 'ex_date'],
    ['reference_glitch', 'trading_date'],
  ] as const) {
    await replaceRange(warehouse, table, dayColumn)
    await warehouse.run(`INSERT INTO changed_event FROM changed_${table}`)
  }
  await replaceRange(warehouse, 'chain_gap', 'trading_date')
}

/** Replaces the rows of the range and marks the months in which a row differs: temp table `changed_…`. @param dayColumn date of a row */
async function replaceRange(warehouse: Database, table: string, dayColumn: string): Promise<void> {
  const within = `${dayColumn} BETWEEN getvariable('refresh_first') AND getvariable('refresh_last')`
  const storedRows = `FROM mart.${table} WHERE ${within}`
  const newRows = `FROM refreshed_${table}`
  const daysOnlyIn = (rows: string, others: string): string =>
    `SELECT ${dayColumn} FROM (FROM (${rows}) EXCEPT ALL FROM (${others}))`
  await warehouse.run(
    `CREATE OR REPLACE TEMP TABLE refreshed_${table} AS ${sqlFile(`mart/materialized/${table}.sql`)};
     CREATE OR REPLACE TEMP TABLE changed_${table} AS
     ${daysOnlyIn(newRows, storedRows)} UNION ${daysOnlyIn(storedRows, newRows)}`,
  )
  // Where no row differs the stored ones stay: to write them again would cost the warehouse as much as new ones.
  const [changed] = await warehouse.rows(`SELECT 1 FROM changed_${table} LIMIT 1`)
  if (!changed) return
  await warehouse.run(
    `INSERT INTO ops.dirty_partition SELECT DISTINCT 'mart.${table}', strftime(${dayColumn}, '%Y-%m') FROM changed_${table};
     DELETE FROM mart.${table} WHERE ${within};
     INSERT INTO mart.${table} BY NAME FROM refreshed_${table}`,
  )
}

/** A session's intraday figures depend on its own bars alone: only sessions that changed are computed again. */
async function refreshIntraday(warehouse: Database): Promise<void> {
  const rows = await warehouse.column<string>(
    `SELECT DISTINCT partition AS day FROM ops.dirty_partition
     WHERE relation IN ('market.candle', 'market.price_limit', 'mart.intraday') ORDER BY day`,
  )
  const days = rows.filter((day) => day.length === 10)
  const sessionsAtOnce = await sessionsOfBars(warehouse, days)
  for (let from = 0; from < days.length; from += sessionsAtOnce) {
    const batch = days
      .slice(from, from + sessionsAtOnce)
      .map(literal)
      .join(', ')
    await warehouse.run(
      `SET VARIABLE refresh_days = [${batch}]::DATE[]; DELETE FROM mart.intraday WHERE trading_date IN (${batch});
       INSERT INTO mart.intraday BY NAME ${sqlFile('mart/materialized/intraday.sql')};
       INSERT INTO ops.dirty_partition SELECT 'mart.intraday', unnest([${batch}])`,
    )
  }
}

/** How many of these sessions have `BARS_AT_ONCE` bars, or fewer. @param days ascending */
async function sessionsOfBars(warehouse: Database, days: readonly string[]): Promise<number> {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return 1
  const bars = await warehouse.count(
    `SELECT count(*) FROM market.candle WHERE trading_date BETWEEN DATE ${literal(first)} AND DATE ${literal(last)}`,
  )
  return Math.max(1, Math.floor((BARS_AT_ONCE * days.length) / Math.max(1, bars)))
}

/** Sessions computed and compared at once: a million rows with 1,700 symbols. */
const SESSIONS_AT_ONCE = 600

/** Up to so many sessions, sums by groups are cheaper than by windows: 1.1 CPU-seconds and 0.35 more per session against 4.2. */
const FEW_SESSIONS = 8

/** The query of `mart.session_factor`, for few sessions and for many. */
const FACTOR_QUERIES = {
  few: () => factorQuery('sums_of_few'),
  many: () => factorQuery('sums_of_many'),
}

function factorQuery(sums: string): string {
  return sqlTemplate('mart/materialized/session_factor.sql', { sums: sqlFile(`refresh/${sums}.sql`) })
}

/** Rows that one statement reads: a symbol is in one of its parts. */
const ROWS_AT_ONCE = 600_000

/** Days that a row may depend on: `sql/mart/materialized/session_factor.sql`. */
const OLDEST_INPUT = 440

/**
 * Computes `mart.session_factor` again for every session that a changed input can change, and marks those that differ
 * to be published. Reads `changed_event`, the sessions whose adjustment events changed.
 */
async function refreshFactors(warehouse: Database): Promise<void> {
  await warehouse.run(`CREATE OR REPLACE TEMP TABLE changed_input AS ${sqlFile('refresh/changed_input.sql')}`)
  // From each changed session on, as far as it reaches.
  const sessions = await warehouse.column<string>(
    `SELECT CAST(trading_date AS VARCHAR) AS day FROM (${sqlFile('refresh/factor_session.sql')}) ORDER BY day`,
  )
  if (sessions.length === 0) return
  await hideWithheld(warehouse)
  for (let from = 0; from < sessions.length; from += SESSIONS_AT_ONCE)
    await refreshSessions(warehouse, sessions.slice(from, from + SESSIONS_AT_ONCE))
}

/** What changed and is withheld: factors of other sessions are computed without it, as readers would. */
async function hideWithheld(warehouse: Database): Promise<void> {
  await warehouse.run(
    `CREATE OR REPLACE TEMP TABLE withheld AS ${sqlFile('recon/withheld.sql')};
     CREATE OR REPLACE TEMP TABLE withheld_derived AS ${sqlFile('recon/withheld_derived.sql')};
     CREATE OR REPLACE TEMP TABLE withheld_row AS ${sqlFile('refresh/withheld_session.sql')}`,
  )
  await warehouse.run(
    `CREATE OR REPLACE TEMP TABLE withheld_session AS SELECT relation, trading_date FROM withheld_row WHERE key IS NULL;
     CREATE OR REPLACE TEMP TABLE withheld_symbol AS
     SELECT relation, key AS symbol, trading_date FROM withheld_row WHERE key IS NOT NULL`,
  )
}

/** @param days ascending */
async function refreshSessions(warehouse: Database, days: readonly string[]): Promise<void> {
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const rows = await warehouse.count(
    `SELECT count(*) FROM market.price_limit
     WHERE trading_date BETWEEN DATE ${literal(first)} - ${OLDEST_INPUT} AND DATE ${literal(last)}`,
  )
  const parts = Math.ceil((rows + 1) / ROWS_AT_ONCE)
  await warehouse.run(
    `SET VARIABLE refresh_days = [${days.map(literal).join(', ')}]::DATE[]; SET VARIABLE refresh_parts = ${parts};
     SET VARIABLE refresh_first = DATE ${literal(first)}; SET VARIABLE refresh_last = DATE ${literal(last)};
     CREATE OR REPLACE TEMP TABLE refreshed_factor AS FROM mart.session_factor LIMIT 0`,
  )
  const query = days.length <= FEW_SESSIONS ? FACTOR_QUERIES.few : FACTOR_QUERIES.many
  for (let part = 0; part < parts; part++)
    await warehouse.run(
      `SET VARIABLE refresh_part = ${part}; INSERT INTO refreshed_factor BY NAME ${query()}`,
    )
  await replaceChanged(warehouse)
}

/** Replaces the sessions whose rows differ, and marks them to be published. */
async function replaceChanged(warehouse: Database): Promise<void> {
  await warehouse.run(
    `CREATE OR REPLACE TEMP TABLE changed_factor AS ${sqlFile('refresh/changed_factor.sql')};
     DELETE FROM mart.session_factor WHERE trading_date IN (FROM changed_factor)`,
  )
  await warehouse.run(
    `INSERT INTO mart.session_factor FROM refreshed_factor
     WHERE trading_date IN (FROM changed_factor) ORDER BY trading_date, symbol;
     INSERT INTO ops.dirty_partition SELECT 'mart.session_factor', CAST(trading_date AS VARCHAR) FROM changed_factor`,
  )
}
