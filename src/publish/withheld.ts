import type { Database } from '../duckdb/open.js'
import { identifier, literal, sqlFile } from '../duckdb/sqlfile.js'
import { type WithheldRows, withheldSessions } from '../lake/withheld.js'
import type { Relation } from '../relations.js'

/** Withheld rows, with the rows of schema `mart` that are derived from them. */
export async function withheldWithDerived(database: Database): Promise<WithheldRows[]> {
  const withheld = await withheldSessions((sql) => database.rows(sql))
  if (withheld.length === 0) return []
  const derived = await database.rows<Omit<WithheldRows, 'keys'> & { key: string | null }>(
    `WITH withheld AS (${sqlFile('recon/withheld.sql')})
     SELECT relation, CAST(trading_date AS VARCHAR) AS "tradingDate", key
     FROM (${sqlFile('recon/withheld_derived.sql')}) ORDER BY ALL`,
  )
  return [
    ...withheld,
    ...derived.map(({ key, ...session }) => ({ ...session, keys: key === null ? null : [key] })),
  ]
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

/** Clears dirty marks, except those of sessions with withheld rows: they are published once they are no longer withheld. */
export async function clearDirty(database: Database, withheld: readonly WithheldRows[]): Promise<void> {
  await database.run('DELETE FROM ops.dirty_partition')
  const marks = withheld.map(({ relation, tradingDate }) => `(${literal(relation)}, ${literal(tradingDate)})`)
  if (marks.length > 0)
    await database.run(`INSERT INTO ops.dirty_partition VALUES ${[...new Set(marks)].join(', ')}`)
}
