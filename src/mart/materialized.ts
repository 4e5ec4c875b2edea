import type { Database } from '../duckdb/open.js'
import { literal, sqlFile, sqlFiles, sqlTemplate } from '../duckdb/sqlfile.js'
import { sha256 } from '../home/sha256.js'
import { FACTOR_QUERIES, refreshFactors } from './factors.js'
import { installForWriter } from './install.js'

/** Days that a reference price may look back for its basis: `sql/mart/price/reference_basis.sql`. */
const OLDEST_BASIS = 45

/** Bars that one statement computes: five sessions of the whole market have as many. A statement without bars takes 15 CPU-ms. */
const BARS_AT_ONCE = 1_700_000

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
    await warehouse.run('INSERT INTO changed_event FROM changed_day')
  }
  await replaceRange(warehouse, 'chain_gap', 'trading_date')
}

/** Replaces the rows of the range and marks the months in which a row differs: `changed_day`. @param dayColumn date of a row */
async function replaceRange(warehouse: Database, table: string, dayColumn: string): Promise<void> {
  const within = `${dayColumn} BETWEEN getvariable('refresh_first') AND getvariable('refresh_last')`
  const storedRows = `FROM mart.${table} WHERE ${within}`
  const newRows = 'FROM refreshed'
  const daysOnlyIn = (rows: string, others: string): string =>
    `SELECT ${dayColumn} FROM (FROM (${rows}) EXCEPT ALL FROM (${others}))`
  await warehouse.run(
    `CREATE OR REPLACE TEMP TABLE refreshed AS ${sqlFile(`mart/materialized/${table}.sql`)};
     CREATE OR REPLACE TEMP TABLE changed_day AS
     ${daysOnlyIn(newRows, storedRows)} UNION ${daysOnlyIn(storedRows, newRows)}`,
  )
  // Where no row differs the stored ones stay: to write them again would cost the warehouse as much as new ones.
  const [changed] = await warehouse.rows('SELECT 1 FROM changed_day LIMIT 1')
  if (!changed) return
  await warehouse.run(
    `INSERT INTO ops.dirty_partition SELECT DISTINCT 'mart.${table}', strftime(${dayColumn}, '%Y-%m') FROM changed_day;
     DELETE FROM mart.${table} WHERE ${within};
     INSERT INTO mart.${table} BY NAME FROM refreshed`,
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
