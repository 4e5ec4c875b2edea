import type { Database } from '../../src/duckdb/open.js'
import { identifier, literal } from '../../src/duckdb/sqlfile.js'

/** Of how many rows one is disturbed in each column; small tables have more. */
const ONE_IN = 40
const ONE_IN_SMALL = 6
const SMALL = 500

/** How a value is disturbed, by its type; which way, follows from the row. */
const WAYS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(DECIMAL|DOUBLE|BIGINT|INTEGER|HUGEINT)/, ['NULL', '0', '{} + 1', '{} * 2', '-{}', '{} * 1.001']],
  [/^DATE/, ['NULL', '{} + 1', '{} - 30']],
  [/^BOOLEAN/, ['NULL', 'NOT {}']],
  [/^VARCHAR/, ['NULL', "''", 'lower({})']],
]

/** Columns that say which row it is, or which answer brought it: they stay. */
const KEPT =
  /^(symbol|index_code|timeframe|trading_date|account_no|snapshot_id|order_id|.*_id|as_of|key|dataset|raw_file|sha256)$/

/**
 * Changes values of a warehouse's market, accounts and coverage, and removes rows, as hashes of the rows decide: what rules and views make of
 * rows that are wrong, where the undisturbed world has none.
 */
export async function disturb(database: Database): Promise<void> {
  const columns = await database.rows<{ relation: string; name: string; type: string }>(
    `SELECT schema_name || '.' || table_name AS relation, column_name AS name, data_type AS type
     FROM duckdb_columns()
     WHERE (schema_name IN ('market', 'account') AND table_name <> 'revision'
         OR schema_name = 'ops' AND table_name IN ('coverage', 'request'))
       AND is_nullable AND NOT internal
     ORDER BY relation, column_index`,
  )
  for (const relation of [...new Set(columns.map((column) => column.relation))]) {
    const [count] = await database.rows<{ n: bigint }>(`SELECT count(*) AS n FROM ${relation}`)
    if (!count || count.n === 0n) continue
    const oneIn = count.n < SMALL ? ONE_IN_SMALL : ONE_IN
    const hash = (salt: string): string =>
      `md5_number_lower(concat(${literal(`${relation} ${salt}`)}, CAST(${identifier('row')} AS VARCHAR)))`
    const changes = columns
      .filter(({ relation: of, name }) => of === relation && !KEPT.test(name))
      .flatMap(({ name, type }) => {
        const ways = WAYS.find(([pattern]) => pattern.test(type))?.[1]
        if (!ways) return []
        const column = identifier(name)
        const cases = ways.map((way, index) => `WHEN ${index} THEN ${way.replaceAll('{}', column)}`)
        const changed = `TRY_CAST(CASE ${hash(`${name} way`)} % ${ways.length} ${cases.join(' ')} END AS ${type})`
        return [`CASE WHEN ${hash(name)} % ${oneIn} = 0 THEN ${changed} ELSE ${column} END AS ${column}`]
      })
    if (changes.length === 0) continue
    await database.run(`CREATE OR REPLACE TEMP TABLE disturbed_row AS
      SELECT * EXCLUDE (row) REPLACE (${changes.join(', ')})
      FROM (SELECT *, CAST(stored AS VARCHAR) AS row FROM ${relation} stored)
      WHERE ${hash('removed')} % ${oneIn * 2} <> 0`)
    await database.run(`DELETE FROM ${relation}`)
    await database.run(`INSERT INTO ${relation} BY NAME FROM disturbed_row`)
  }
  await database.run('DROP TABLE IF EXISTS disturbed_row')
}
