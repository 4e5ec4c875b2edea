import { UsageError } from 'candlehouse-foundation/errors'
import type { Reader } from '../duckdb/reader.js'
import { literal } from '../duckdb/sqlfile.js'
import { notOneStatement } from '../duckdb/statement.js'
import { rowsOf } from './query.js'

/** What a statement names, as DuckDB's own parser reads it. */
export interface StatementTree {
  /** Tables and views that it reads, as they are written; without names that are CTEs where they stand. */
  readonly tables: readonly NamedTable[]
  /** Functions that give rows, as they are written. */
  readonly tableFunctions: readonly TableCall[]
  /** Functions of expressions, lower case. */
  readonly functions: readonly string[]
  /** Names of columns, and words without brackets such as current_date; lower case. */
  readonly columns: readonly string[]
  /** Texts that it compares with or returns: among them symbols and days. */
  readonly texts: readonly string[]
}

export interface NamedTable {
  readonly schema: string
  readonly name: string
}

/** A call of a function that gives rows. */
export interface TableCall extends NamedTable {
  readonly arguments: readonly Argument[]
}

interface Argument {
  /** Of an argument that is given by name; lower case. */
  readonly name?: string
  /** Undefined for what is not a constant text. */
  readonly text?: string
}

/** A node of the tree: DuckDB writes a member only where it has a value. */
interface Node {
  readonly [member: string]: unknown
}

/** A SHOW without a relation names what it shows. Others than these show settings and databases. */
const SHOWN = new Set(['"tables"', '__show_tables_expanded', 'tables'])

/**
 * Reads a statement without running it.
 *
 * @returns undefined where DuckDB cannot parse it: running it gives the error
 * @throws UsageError for several statements, and for one that is not a query
 */
export async function readStatementTree(reader: Reader, sql: string): Promise<StatementTree | undefined> {
  const serialize = `SELECT json_serialize_sql(${literal(sql)}, skip_null := true, skip_empty := true, skip_default := true)`
  const [[text] = []] = await rowsOf(reader, serialize)
  const tree = JSON.parse(String(text)) as Node
  if (tree.error === true) {
    if (tree.error_type === 'parser' || tree.error_type === 'syntax') return undefined
    throw notQuery()
  }
  const statements = tree.statements as readonly Node[]
  if (statements.length !== 1) throw notOneStatement(statements.length)
  return namesIn(statements[0] as Node)
}

function notQuery(): UsageError {
  return new UsageError('only SELECT, FROM, WITH, VALUES, DESCRIBE, SUMMARIZE and SHOW TABLES can be run', {
    hint: 'give one SELECT statement',
  })
}

function namesIn(root: Node): StatementTree {
  const tables: NamedTable[] = []
  const tableFunctions: TableCall[] = []
  const functions: string[] = []
  const columns: string[] = []
  const texts: string[] = []
  // A list, not a recursion: a statement may be nested as deep as its length allows.
  const open: Scoped[] = [{ value: root, ctes: new Set() }]
  for (let scoped = open.pop(); scoped !== undefined; scoped = open.pop()) {
    const { value, ctes } = scoped
    if (Array.isArray(value)) for (const item of value) open.push({ value: item, ctes })
    if (value === null || typeof value !== 'object' || Array.isArray(value)) continue
    const node = value as Node
    if (node.type === 'BASE_TABLE' && !isCte(node, ctes)) tables.push(tableOf(node))
    if (node.type === 'SHOW_REF' && node.query === undefined) requireShown(node)
    if (node.type === 'TABLE_FUNCTION') tableFunctions.push(callOf(node.function as Node))
    if (node.class === 'FUNCTION') functions.push(String(node.function_name).toLowerCase())
    if (node.class === 'WINDOW') functions.push(String(node.function_name ?? '').toLowerCase())
    if (node.type === 'COLUMN_REF')
      columns.push(...((node.column_names ?? []) as string[]).map((name) => name.toLowerCase()))
    if (node.is_null === false && typeof node.value === 'string') texts.push(node.value)
    open.push(...membersOf(node, ctes))
  }
  return { tables, tableFunctions, functions, columns, texts }
}

/** A value of the tree, and the names of the CTEs that can be read where it stands. */
interface Scoped {
  readonly value: unknown
  readonly ctes: ReadonlySet<string>
}

/** A CTE is read by those after it and by its query. Within its own text its name is a relation's, unless it is recursive. */
function membersOf(node: Node, ctes: ReadonlySet<string>): Scoped[] {
  const { cte_map, ...others } = node
  const defined = (cte_map as { map?: readonly { key: string; value: unknown }[] } | undefined)?.map ?? []
  let known = node.type === 'RECURSIVE_CTE_NODE' ? withName(ctes, String(node.cte_name)) : ctes
  const members: Scoped[] = []
  for (const { key, value } of defined) {
    members.push({ value, ctes: known })
    known = withName(known, key)
  }
  for (const value of Object.values(others)) members.push({ value, ctes: known })
  return members
}

const withName = (ctes: ReadonlySet<string>, name: string): ReadonlySet<string> =>
  new Set([...ctes, name.toLowerCase()])

function isCte(node: Node, ctes: ReadonlySet<string>): boolean {
  const { schema, name } = tableOf(node)
  return schema === '' && ctes.has(name.toLowerCase())
}

function callOf({ function_name, schema = '', children = [] }: Node): TableCall {
  const given = (children as readonly Node[]).map((child): Argument => {
    const { is_null, value } = (child.class === 'CONSTANT' ? child.value : {}) as Node
    return {
      ...(typeof child.alias === 'string' ? { name: child.alias.toLowerCase() } : {}),
      ...(is_null === false && typeof value === 'string' ? { text: value } : {}),
    }
  })
  return { schema: String(schema), name: String(function_name), arguments: given }
}

/** The parts of a table's name. A database in it is another file. */
function tableOf(node: Node): NamedTable {
  const database = node.catalog_name
  return {
    schema: [
      ...(database === undefined ? [] : [database]),
      ...(node.schema_name === undefined ? [] : [node.schema_name]),
    ].join('.'),
    name: String(node.table_name),
  }
}

function requireShown(node: Node): void {
  if (!SHOWN.has(String(node.table_name).toLowerCase())) throw notQuery()
}
