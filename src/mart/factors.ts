import type { Database } from '../duckdb/open.js'
import { literal, sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'

/** Sessions computed and compared at once: a million rows with 1,700 symbols. */
const SESSIONS_AT_ONCE = 600

/** Up to so many sessions, sums by groups are cheaper than by windows: 1.1 CPU-seconds and 0.35 more per session against 4.2. */
const FEW_SESSIONS = 8

/** The query of `mart.session_factor`, for few sessions and for many. */
export const FACTOR_QUERIES = {
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
export async function refreshFactors(warehouse: Database): Promise<void> {
  await warehouse.run(`CREATE OR REPLACE TEMP TABLE changed_input AS ${sqlFile('refresh/changed_input.sql')}`)
  const sessions = await sessionsToRefresh(warehouse)
  if (sessions.length === 0) return
  await hideWithheld(warehouse)
  for (let from = 0; from < sessions.length; from += SESSIONS_AT_ONCE)
    await refreshSessions(warehouse, sessions.slice(from, from + SESSIONS_AT_ONCE))
}

/** Sessions from each changed one on, as far as it reaches, ascending. */
async function sessionsToRefresh(warehouse: Database): Promise<string[]> {
  return await warehouse.column<string>(
    `SELECT CAST(trading_date AS VARCHAR) AS day FROM (${sqlFile('refresh/factor_session.sql')}) ORDER BY day`,
  )
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
