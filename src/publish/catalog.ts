import { chmod, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Database, openDatabase } from '../duckdb/open.js'
import { identifier, literal, sqlFile } from '../duckdb/sqlfile.js'
import { StorageError } from '../errors.js'
import { relations } from '../relations.js'
import { candleView } from './candle.js'
import { syncPath } from './parquet.js'

interface Column {
  schema: string
  relation: string
  name: string
  type: string
  comment: string | null
}

/**
 * Writes what analysts open: a view per relation over exactly the live files, by absolute path, with the
 * warehouse's comments. Built beside, made read-only (0444), then renamed over: a reader holds the one it
 * opened, the next reader opens the new one.
 */
export async function writeCatalog(warehouse: Database, home: string, catalog: string): Promise<void> {
  const temp = `${catalog}.${process.pid}.tmp`
  try {
    await rm(temp, { force: true })
    await rm(`${temp}.wal`, { force: true })
    const database = await openDatabase(temp)
    try {
      await describe(warehouse, database, join(home, 'lake'))
      await database.run('CHECKPOINT')
    } finally {
      database.close()
    }
    await chmod(temp, 0o444)
    await syncPath(temp)
    await rename(temp, catalog)
    await syncPath(dirname(catalog))
  } catch (cause) {
    throw new StorageError(`cannot write ${catalog}: ${(cause as Error).message.split('\n')[0]}`, {
      hint: 'the former catalog is still served; free some space, then: candlehouse publish',
      cause,
    })
  }
}

/**
 * Whether the catalog reads exactly the live files, where they are: a kill may have come between the ledger and
 * the rename, and the home may have been moved.
 */
export async function readsLiveFiles(catalog: string, warehouse: Database, home: string): Promise<boolean> {
  const reader = await openDatabase(catalog, { readOnly: true }).catch(() => undefined)
  if (!reader) return false
  try {
    const read = await reader.rows('SELECT file FROM ops.lake_file ORDER BY ALL')
    const live = await warehouse.rows('SELECT file FROM ops.lake_file WHERE removed_at IS NULL ORDER BY ALL')
    const [elsewhere] = await reader.rows(
      `SELECT 1 FROM duckdb_views() WHERE NOT internal AND contains(sql, 'read_parquet') AND NOT contains(sql, ?)`,
      [`'${join(home, 'lake').replaceAll("'", "''")}/`],
    )
    return JSON.stringify(read) === JSON.stringify(live) && elsewhere === undefined
  } catch {
    return false
  } finally {
    reader.close()
  }
}

async function describe(warehouse: Database, catalog: Database, lake: string): Promise<void> {
  const columns = await warehouse.rows<Column>(
    `SELECT schema_name AS schema, table_name AS relation, column_name AS name, data_type AS type, comment
     FROM duckdb_columns() WHERE NOT internal ORDER BY column_index`,
  )
  const comments = await warehouse.rows<{ relation: string; comment: string | null }>(
    `SELECT schema_name || '.' || table_name AS relation, comment FROM duckdb_tables() WHERE NOT internal`,
  )
  const files = await warehouse.rows<{ relation: string; partition: string; file: string }>(
    'SELECT relation, partition, file FROM ops.lake_file WHERE removed_at IS NULL ORDER BY relation, partition',
  )
  const timeframes = await warehouse.rows<{ timeframe: string }>(
    `SELECT DISTINCT timeframe FROM ops.coverage WHERE dataset = 'ohlc'`,
  )
  const schemas = new Set(relations.map(({ name }) => name.split('.')[0] ?? ''))
  for (const schema of schemas) await catalog.run(`CREATE SCHEMA ${identifier(schema)}`)
  for (const { name } of relations) {
    const mine = columns.filter((column) => `${column.schema}.${column.relation}` === name)
    const stored = scan(
      mine,
      files.filter((file) => file.relation === name).map((file) => join(lake, file.file)),
    )
    const query =
      name === 'market.candle'
        ? candleView(
            stored,
            timeframes.map((row) => row.timeframe),
          )
        : stored
    const comment = comments.find((each) => each.relation === name)?.comment
    const described = mine.map(
      (column) => `COMMENT ON COLUMN ${name}.${identifier(column.name)} IS ${literal(column.comment ?? '')};`,
    )
    await catalog.run(
      [
        `CREATE VIEW ${name} AS ${query};`,
        `COMMENT ON VIEW ${name} IS ${literal(comment ?? '')};`,
        ...described,
      ].join('\n'),
    )
  }
  await catalog.run(sqlFile('catalog/candle_comment.sql'))
  await catalog.run(sqlFile('catalog/lake_file.sql'))
  for (const { relation, partition, file } of files) {
    await catalog.run('INSERT INTO ops.lake_file VALUES (?, ?, ?)', [relation, partition, file])
  }
}

/** The rows of a relation's live files; none, with the right types, while nothing is published. */
function scan(columns: readonly Column[], files: readonly string[]): string {
  const names = columns.map((column) => identifier(column.name))
  if (files.length > 0)
    return `SELECT ${names.join(', ')} FROM read_parquet([${files.map(literal).join(', ')}])`
  const nulls = columns.map((column) => `NULL::${column.type} AS ${identifier(column.name)}`)
  return `SELECT ${nulls.join(', ')} WHERE false`
}
