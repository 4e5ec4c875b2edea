import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import type { ReaderOptions } from '../duckdb/locked.js'
import { openReader, type Reader, type ReaderResult } from '../duckdb/reader.js'
import { identifier, sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import { makeReaderFolder, requireUsablePath } from '../home/home.js'
import { isPublished } from '../lake/manifest.js'

export type QueryResult = ReaderResult

/**
 * Opens the published catalog. Readers never wait for a run, and never see half of a publication.
 *
 * @throws StorageError (6) before the first publication
 */
export async function openCatalog(home: string, options: ReaderOptions = {}): Promise<Reader> {
  const catalog = requireCatalog(home)
  const spill = options.out === undefined ? makeReaderFolder(home) : undefined
  return await openReader(catalog, [join(home, 'lake')], { spill, ...options })
}

/** The file of the published catalog. @throws StorageError (6) before the first publication */
export function requireCatalog(home: string): string {
  requireUsablePath(home)
  const catalog = join(home, 'catalog.duckdb')
  if (hasCatalog(home)) return catalog
  throw new StorageError(`nothing is published yet: ${catalog} does not exist`, {
    hint: 'run candlehouse nightly',
  })
}

/** Whether there is a catalog; false before the first publication. @throws StorageError (6) where that of a published lake is lost */
export function hasCatalog(home: string): boolean {
  const catalog = join(home, 'catalog.duckdb')
  if (existsSync(catalog)) return true
  if (!isPublished(home)) return false
  throw new StorageError(`${catalog} is missing, and the lake is published`, {
    hint: 'write it again: candlehouse publish',
  })
}

/** Does work on the published catalog, then closes it. @throws StorageError (6) before the first publication */
export async function withCatalog<T>(
  home: string,
  work: (reader: Reader) => Promise<T>,
  options: ReaderOptions = {},
): Promise<T> {
  using reader = await openCatalog(home, options)
  return await work(reader)
}

/**
 * Runs one SELECT statement. Values are exact: DECIMAL, BIGINT, dates and instants as text.
 *
 * @throws UsageError (2) with DuckDB's message for bad SQL, several statements, or one that writes
 */
export async function querySql(home: string, sql: string): Promise<QueryResult> {
  return await withCatalog(home, async (reader) => await query(reader, sql))
}

/** As `querySql`, on an open catalog: all results of one reader are of one publication. */
export async function query(reader: Reader, sql: string): Promise<QueryResult> {
  const result: QueryResult = { columns: [], rows: [] }
  await reader.stream(
    sql,
    (columns) => {
      result.columns = columns
    },
    (rows) => {
      for (const row of rows) result.rows.push(row)
    },
  )
  return result
}

/** The rows of a statement of the program's own as arrays. A statement of a user is checked: `query`. */
export async function rowsOf(reader: Reader, sql: string): Promise<unknown[][]> {
  return (await reader.all(sql)).rows
}

/** The rows of a statement of the program's own as objects. */
export async function objectsOf<Row = Record<string, unknown>>(reader: Reader, sql: string): Promise<Row[]> {
  const { columns, rows } = await reader.all(sql)
  return rows.map(
    (row) => Object.fromEntries(columns.map((column, index) => [column.name, row[index]])) as Row,
  )
}

/** Rows of a statement as objects, from a catalog or from any database with its relations. */
export type Ask = <Row = Record<string, unknown>>(sql: string) => Promise<Row[]>

export function asking(reader: Reader): Ask {
  return async <Row>(sql: string) => await objectsOf<Row>(reader, sql)
}

/** What readers see; undefined while nothing is published. */
export async function latestPublication(ask: Ask): Promise<{ id: number; publishedAt: string } | undefined> {
  const [latest] = await ask<{ id: number; publishedAt: string }>(
    `SELECT publication_id::INTEGER AS id, published_at AS "publishedAt"
     FROM ops.publication ORDER BY publication_id DESC LIMIT 1`,
  )
  return latest
}

const SHOW_TABLES = /^\s*show\s+(?:all\s+)?tables\s*;?\s*$/i
const DESCRIBE = /^\s*desc(?:ribe)?\s+(?:(?<schema>\w+)\.)?(?<name>\w+)\s*;?\s*$/i

/**
 * `SHOW TABLES` and `DESCRIBE relation` with the comments of the catalog. DuckDB's own show tables of one schema, where the
 * catalog has views in five, and no comments.
 */
export function withComments(sql: string): string {
  if (SHOW_TABLES.test(sql)) return sqlFile('read/relations.sql')
  const { schema, name } = DESCRIBE.exec(sql)?.groups ?? {}
  if (name === undefined) return sql
  const relation = schema === undefined ? identifier(name) : `${identifier(schema)}.${identifier(name)}`
  return sqlTemplate('read/columns.sql', { relation, name, schema: schema?.toLowerCase() ?? '' })
}
