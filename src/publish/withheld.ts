import type { Database } from '../duckdb/open.js'
import { literal, sqlFile } from '../duckdb/sqlfile.js'
import type { Day } from '../market/day.js'

/** A session of a relation that readers go on seeing as it was before. */
export interface KeptBack {
  readonly relation: string
  readonly tradingDate: Day
}

/** A session of a relation that a rule of severity `error` keeps from readers. */
export interface Withheld extends KeptBack {
  readonly rule: number
  readonly title: string
  readonly offenders: number
  /** ISO 8601. */
  readonly since: string
}

/** What stands withheld: breaks of severity `error` that nobody accepted. */
export async function withheldSessions(database: Database): Promise<Withheld[]> {
  const rows = await database.rows<Omit<Withheld, 'offenders'> & { offenders: bigint }>(
    `SELECT relation, CAST(trading_date AS VARCHAR) AS "tradingDate", rule, title, offenders,
       strftime(since, '%Y-%m-%dT%H:%M:%SZ') AS since
     FROM (${sqlFile('recon/withheld.sql')}) ORDER BY trading_date, rule, relation`,
  )
  return rows.map((row) => ({ ...row, offenders: Number(row.offenders) }))
}

/** Those, and the sessions of schema `mart` that are made of them. */
export async function keptBack(database: Database): Promise<KeptBack[]> {
  const made = await database.rows<{ relation: string; tradingDate: Day }>(
    `WITH withheld AS (${sqlFile('recon/withheld.sql')})
     SELECT relation, CAST(trading_date AS VARCHAR) AS "tradingDate" FROM (${sqlFile('recon/withheld_derived.sql')}) ORDER BY ALL`,
  )
  return [...(await withheldSessions(database)), ...made]
}

/** What was written is clean; what is withheld is to be written once it no longer is, whatever made it so. */
export async function clearDirty(database: Database, withheld: readonly KeptBack[]): Promise<void> {
  await database.run('DELETE FROM ops.dirty_partition')
  const kept = withheld.map(({ relation, tradingDate }) => `(${literal(relation)}, ${literal(tradingDate)})`)
  if (kept.length > 0)
    await database.run(`INSERT INTO ops.dirty_partition VALUES ${[...new Set(kept)].join(', ')}`)
}
