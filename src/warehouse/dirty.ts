import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import { monthOf, relationOf } from '../relations.js'

/**
 * Marks the months of rows that change as to be published again, in the transaction that changes them.
 *
 * @param rows what follows FROM: rows of the relation, before they go or after they came
 */
export async function markMonths(database: Database, relation: string, rows: string): Promise<void> {
  const { dated } = relationOf(relation)
  const partition = dated ? monthOf(dated) : literal('all')
  await database.run(
    `INSERT INTO ops.dirty_partition SELECT DISTINCT ${literal(relation)}, ${partition} FROM ${rows}`,
  )
}
