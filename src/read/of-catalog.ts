import { UsageError } from 'candlehouse-foundation/errors'
import { martObjects } from '../mart/objects.js'
import { CATALOG_SCHEMAS } from '../relations.js'
import { didYouMean, readableNames, relationsLike } from './published-names.js'
import { namesGiven } from './statement-names.js'
import type { NamedTable, StatementTree } from './statement-tree.js'

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

/**
 * Refuses a statement that reaches for anything but relations and macros of the catalog: files and other databases.
 *
 * @param hint leads to the names of relations
 * @throws UsageError that names what is not allowed
 */
export function requireOfCatalog(tree: Pick<StatementTree, 'tables' | 'tableFunctions'>, hint: string): void {
  for (const table of [...tree.tables, ...namesGiven(tree)]) requireRelation(table, hint)
  for (const table of tree.tableFunctions) requireTableFunction(table, hint)
}

/** Whether a statement reads relations and macros of the catalog alone. */
export function isOfCatalog(tree: Pick<StatementTree, 'tables' | 'tableFunctions'>): boolean {
  try {
    requireOfCatalog(tree, '')
    return true
  } catch (error) {
    if (error instanceof UsageError) return false
    throw error
  }
}

function requireRelation({ schema, name }: NamedTable, hint: string): void {
  if (SCHEMAS.has(schema.toLowerCase()) && NAME.test(name)) return
  const written = schema === '' ? name : `${schema}.${name}`
  // A relation in a schema that does not exist is a typing mistake.
  const similar = NAME.test(schema) && NAME.test(name) ? relationsLike(written, readableNames()) : []
  throw new UsageError(
    `${written.slice(0, 200)} is not a relation of the catalog: files and other databases cannot be read${didYouMean(similar)}`,
    { hint },
  )
}

function requireTableFunction({ schema, name }: NamedTable, hint: string): void {
  const known = name.toLowerCase()
  if (schema === '' && TABLE_FUNCTIONS.has(known)) return
  const isMacro = martObjects().some((object) => object.kind === 'table macro' && object.name === known)
  if (isMacro && /^(mart)?$/i.test(schema)) return
  throw new UsageError(
    `function ${name.slice(0, 200)} is not allowed: only relations and macros of schema mart give rows`,
    { hint },
  )
}
