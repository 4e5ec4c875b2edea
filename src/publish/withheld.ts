import type { Database } from '../duckdb/open.js'
import { literal, sqlFile } from '../duckdb/sqlfile.js'
import { type WithheldSession, withheldSessions } from '../lake/withheld.js'

/** Withheld sessions, with the sessions of schema `mart` that are derived from them. */
export async function withheldWithDerived(database: Database): Promise<WithheldSession[]> {
  const withheld = await withheldSessions((sql) => database.rows(sql))
  const derived = await database.rows<WithheldSession>(
    `WITH withheld AS (${sqlFile('recon/withheld.sql')})
     SELECT relation, CAST(trading_date AS VARCHAR) AS "tradingDate"
     FROM (${sqlFile('recon/withheld_derived.sql')}) ORDER BY ALL`,
  )
  return [...withheld, ...derived]
}

/** Clears dirty marks, except those of withheld sessions: they are published once they are no longer withheld. */
export async function clearDirty(database: Database, withheld: readonly WithheldSession[]): Promise<void> {
  await database.run('DELETE FROM ops.dirty_partition')
  const marks = withheld.map(({ relation, tradingDate }) => `(${literal(relation)}, ${literal(tradingDate)})`)
  if (marks.length > 0)
    await database.run(`INSERT INTO ops.dirty_partition VALUES ${[...new Set(marks)].join(', ')}`)
}
