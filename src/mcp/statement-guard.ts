import { UsageError } from 'candlehouse-foundation/errors'
import type { Reader } from '../duckdb/reader.js'
import { computedFrom, martObjects } from '../mart/objects.js'
import { didYouMean, readableNames, relationsLike } from '../read/published-names.js'
import { type NamedTable, readStatementTree, type StatementTree } from '../read/statement-tree.js'
import { CATALOG_SCHEMAS } from '../relations.js'

/** Functions that give rows and read no file: all others are refused. */
const TABLE_FUNCTIONS = new Set([
  'duckdb_columns',
  'duckdb_functions',
  'duckdb_tables',
  'duckdb_views',
  'generate_series',
  'json_each',
  'json_tree',
  'range',
  'unnest',
])

/** Schemas that a name may have; without one it is looked up in the catalog's order. */
const SCHEMAS: ReadonlySet<string> = new Set(['', ...CATALOG_SCHEMAS, 'main', 'information_schema'])

/** A name of a relation. DuckDB takes a name with a point or a slash for a file. */
const NAME = /^[a-z_]\w*$/i

/** Functions that wait, or change what later statements give. */
const REFUSED = new Set(['sleep_ms', 'pg_sleep', 'setseed', 'nextval', 'currval'])

/**
 * Reads a statement, and refuses one that reaches for anything but relations of the catalog: before DuckDB plans it, because
 * planning a query on a file already opens the file. What writes is refused by every reader of the catalog.
 *
 * @throws UsageError that names what is not allowed; for bad SQL with DuckDB's own message
 */
export async function guardedTree(reader: Reader, sql: string): Promise<StatementTree> {
  const tree = await readStatementTree(reader, sql)
  if (tree === undefined) {
    await reader.describe(sql)
    throw new UsageError('the statement cannot be read', { hint: 'give one SELECT statement' })
  }
  for (const table of tree.tables) requireRelation(table)
  for (const table of tree.tableFunctions) requireTableFunction(table)
  const refused = tree.functions.find((name) => REFUSED.has(name))
  if (refused !== undefined)
    throw new UsageError(`function ${refused} is not allowed here`, { hint: 'leave it out' })
  return tree
}

/**
 * Refuses names of relations about accounts, in words: this server has none of them.
 *
 * @throws UsageError
 */
export function requireMarket(names: readonly NamedTable[]): void {
  const hidden = names.find(({ schema, name }) => isAboutAccounts(schema.toLowerCase(), name.toLowerCase()))
  if (!hidden) return
  throw new UsageError('accounts are off: this server shows nothing about them, and no view of the user', {
    hint: 'the user can start it with candlehouse mcp --accounts',
  })
}

function isAboutAccounts(schema: string, name: string): boolean {
  if (schema === 'account' || schema === 'mine') return true
  const isOfMart =
    schema === 'mart' || (schema === '' && martObjects().some((object) => object.name === name))
  return isOfMart && [...computedFrom(`mart.${name}`)].some((read) => read.startsWith('account.'))
}

function requireRelation({ schema, name }: NamedTable): void {
  if (SCHEMAS.has(schema.toLowerCase()) && NAME.test(name)) return
  const written = schema === '' ? name : `${schema}.${name}`
  // A relation in a schema that does not exist is a typing mistake.
  const similar = NAME.test(schema) && NAME.test(name) ? relationsLike(written, readableNames()) : []
  throw new UsageError(
    `${written.slice(0, 200)} is not a relation of the catalog: files and other databases cannot be read${didYouMean(similar)}`,
    { hint: 'find {text} names the relations about a subject' },
  )
}

function requireTableFunction({ schema, name }: NamedTable): void {
  const known = name.toLowerCase()
  if (schema === '' && TABLE_FUNCTIONS.has(known)) return
  const isMacro = martObjects().some((object) => object.kind === 'table macro' && object.name === known)
  if (isMacro && /^(mart)?$/i.test(schema)) return
  throw new UsageError(
    `function ${name.slice(0, 200)} is not allowed: only relations and macros of schema mart give rows`,
    {
      hint: 'find {text} names the relations about a subject',
    },
  )
}
