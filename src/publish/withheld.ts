import type { Database } from '../duckdb/open.js'
import { identifier, literal, sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import type { WithheldRows } from '../lake/withheld-rows.js'
import type { Relation } from '../relations.js'

/** Withheld rows, with the rows of schema `mart` that are derived from them. */
export async function withheldWithDerived(database: Database): Promise<WithheldRows[]> {
  const [open] = await database.rows(
    "SELECT 1 FROM recon.finding WHERE severity = 'error' AND state = 'break' AND accepted IS NULL LIMIT 1",
  )
  if (!open) return []
  const rows = await database.rows<Omit<WithheldRows, 'keys'> & { key: string | null }>(
    `SELECT relation, CAST(trading_date AS VARCHAR) AS "tradingDate", key FROM (${withheldRows()}) ORDER BY ALL`,
  )
  return rows.map(({ key, ...session }) => ({ ...session, keys: key === null ? null : [key] }))
}

/** Marks sessions with rows that the last publication withheld, and that are no longer withheld, as changed. */
export async function releaseWithheld(database: Database): Promise<void> {
  const [stored] = await database.rows('SELECT 1 FROM ops.withheld_row LIMIT 1')
  if (!stored) return
  await database.run(`CREATE OR REPLACE TEMP TABLE withheld_now AS ${withheldRows()}`)
  await database.run(`INSERT INTO ops.dirty_partition ${sqlFile('publish/released_session.sql')}`)
}

function withheldRows(): string {
  return sqlTemplate('publish/withheld_row.sql', {
    withheld: sqlFile('recon/withheld.sql'),
    derived: sqlFile('recon/withheld_derived.sql'),
  })
}

/**
 * SQL condition for the withheld rows among the rows of a relation; undefined if none of them is withheld.
 *
 * @param days session, month or year of the rows
 */
export function isWithheldRow(
  { name, key, dated }: Relation,
  days: string,
  withheld: readonly WithheldRows[],
): string | undefined {
  const rows = withheld.filter(
    ({ relation, tradingDate }) => relation === name && tradingDate.startsWith(days),
  )
  const keyColumn = key.find((column) => column === 'symbol' || column === 'index_code')
  if (rows.length === 0 || !dated) return undefined
  const day = identifier(dated.column)
  const sessions = rows.filter(({ keys }) => keys === null || keyColumn === undefined)
  const dayKeys = rows.flatMap(({ keys, tradingDate }) =>
    (keys ?? []).map((value) => `(${literal(value)}, DATE ${literal(tradingDate)})`),
  )
  const conditions = [
    ...(sessions.length > 0 ? [`${day} IN (${datesOf(sessions)})`] : []),
    ...(dayKeys.length > 0 && keyColumn !== undefined
      ? [`(${identifier(keyColumn)}, ${day}) IN (VALUES ${[...new Set(dayKeys)].join(', ')})`]
      : []),
  ]
  // The dates alone let a reader skip row groups.
  return `(${day} IN (${datesOf(rows)}) AND (${conditions.join(' OR ')}))`
}

function datesOf(rows: readonly WithheldRows[]): string {
  return [...new Set(rows.map(({ tradingDate }) => `DATE ${literal(tradingDate)}`))].join(', ')
}

/** Deletes the marks of what this publication has written. Stores what it withholds, so that it is published once it is released. */
export async function clearDirty(database: Database, withheld: readonly WithheldRows[]): Promise<void> {
  for (const table of ['ops.dirty_partition', 'ops.former_order', 'ops.withheld_row'])
    await database.run(`DELETE FROM ${table}`)
  const rows = withheld.flatMap(({ relation, tradingDate, keys }) =>
    (keys ?? [null]).map(
      (key) =>
        `(${literal(relation)}, DATE ${literal(tradingDate)}, ${key === null ? 'NULL' : literal(key)})`,
    ),
  )
  if (rows.length > 0)
    await database.run(`INSERT INTO ops.withheld_row VALUES ${[...new Set(rows)].join(', ')}`)
}
