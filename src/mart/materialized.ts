import { createHash } from 'node:crypto'
import type { Database } from '../duckdb/open.js'
import { literal, sqlFile, sqlFiles } from '../duckdb/sqlfile.js'
import { installForWriter } from './install.js'

/** Days that a reference price may look back for its basis: `sql/mart/price/reference_basis.sql`. */
const OLDEST_BASIS = 45

/** Sessions made by one statement: a session of the whole market is some 340,000 bars. */
const SESSIONS_AT_ONCE = 5

/**
 * Makes the tables of schema `mart` that are kept, for the sessions whose sources have changed since they were last
 * published, and marks them to be published. Views that read them answer at once what would take a scan of all
 * bars or of all reference prices (docs/decisions/0030-views-unless-a-view-cannot-answer.md). A second call
 * changes nothing.
 */
export async function refreshMaterialized(warehouse: Database): Promise<void> {
  const wanted = storedHash(await installForWriter(warehouse))
  const [made] = await warehouse
    .rows<{ hash: string }>('SELECT mart.stored_made_of() AS hash')
    .catch(() => [undefined])
  await warehouse.transaction(async () => {
    if (made?.hash !== wanted) await markAll(warehouse, wanted)
    await refreshEvents(warehouse)
    await refreshIntraday(warehouse)
  })
}

/** SHA-256 of the statements that fill the kept tables and of all that they read, which has a hash of its own. */
function storedHash(writers: string): string {
  const hash = createHash('sha256').update(writers)
  for (const name of sqlFiles('mart/materialized')) hash.update(sqlFile(`mart/materialized/${name}`))
  return hash.digest('hex')
}

/** What was made of other statements, or never, is made anew: else history would mix two definitions. */
async function markAll(warehouse: Database, hash: string): Promise<void> {
  await warehouse.run(`INSERT INTO ops.dirty_partition
    SELECT 'mart.intraday', CAST(trading_date AS VARCHAR) FROM market.candle WHERE timeframe = '1m' GROUP BY trading_date
    UNION ALL SELECT 'mart.adjustment_event', CAST(trading_date AS VARCHAR) FROM market.price_limit GROUP BY trading_date`)
  await warehouse.run(`CREATE OR REPLACE MACRO mart.stored_made_of() AS ${literal(hash)}`)
  await warehouse.run(
    "COMMENT ON MACRO mart.stored_made_of IS 'SHA-256 of what the kept tables of schema mart were made by.'",
  )
}

/** Reference prices compare a session with one before it: what follows a changed session is made again too. */
async function refreshEvents(warehouse: Database): Promise<void> {
  const [range] = await warehouse.rows<{ first: string | null; last: string | null }>(
    `SELECT CAST(min(first) AS VARCHAR) AS first, CAST(max(last) + ${OLDEST_BASIS} AS VARCHAR) AS last FROM (
       SELECT CASE WHEN length(partition) = 7 THEN CAST(partition || '-01' AS DATE) ELSE CAST(partition AS DATE) END AS first,
         CASE WHEN length(partition) = 7 THEN last_day(CAST(partition || '-01' AS DATE)) ELSE CAST(partition AS DATE) END AS last
       FROM ops.dirty_partition
       WHERE relation IN ('market.price_limit', 'market.daily_summary', 'ops.coverage', 'mart.adjustment_event', 'mart.reference_glitch')
         AND partition <> 'all')`,
  )
  if (!range?.first || !range.last) return
  await warehouse.run(`SET VARIABLE made_first = ${literal(range.first)}::DATE`)
  await warehouse.run(`SET VARIABLE made_last = ${literal(range.last)}::DATE`)
  await remake(warehouse, 'adjustment_event', 'ex_date')
  await remake(warehouse, 'reference_glitch', 'trading_date')
}

async function remake(warehouse: Database, name: string, day: string): Promise<void> {
  const within = `${day} BETWEEN getvariable('made_first') AND getvariable('made_last')`
  const differing = (one: string, other: string): string =>
    `SELECT ${day} FROM (FROM (${one}) EXCEPT ALL FROM (${other}))`
  await warehouse.run(`CREATE OR REPLACE TEMP TABLE made AS ${sqlFile(`mart/materialized/${name}.sql`)}`)
  const held = `FROM mart.${name} WHERE ${within}`
  await warehouse.run(
    `INSERT INTO ops.dirty_partition SELECT DISTINCT 'mart.${name}', strftime(${day}, '%Y-%m')
     FROM (${differing('FROM made', held)} UNION ALL ${differing(held, 'FROM made')})`,
  )
  await warehouse.run(`DELETE FROM mart.${name} WHERE ${within}`)
  await warehouse.run(`INSERT INTO mart.${name} BY NAME FROM made`)
}

/** What bars say of their session, by itself: only sessions that changed are made again. */
async function refreshIntraday(warehouse: Database): Promise<void> {
  const rows = await warehouse.rows<{ day: string }>(
    `SELECT DISTINCT partition AS day FROM ops.dirty_partition
     WHERE relation IN ('market.candle', 'market.price_limit', 'mart.intraday') ORDER BY day`,
  )
  const days = rows.map(({ day }) => day).filter((day) => day.length === 10)
  for (let from = 0; from < days.length; from += SESSIONS_AT_ONCE) {
    const some = days.slice(from, from + SESSIONS_AT_ONCE).map(literal)
    await warehouse.run(`SET VARIABLE made_days = [${some.join(', ')}]::DATE[]`)
    await warehouse.run(`DELETE FROM mart.intraday WHERE trading_date IN (${some.join(', ')})`)
    await warehouse.run(`INSERT INTO mart.intraday BY NAME ${sqlFile('mart/materialized/intraday.sql')}`)
    await warehouse.run(
      `INSERT INTO ops.dirty_partition SELECT 'mart.intraday', unnest([${some.join(', ')}])`,
    )
  }
}
