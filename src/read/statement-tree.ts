import { UsageError } from 'candlehouse-foundation/errors'
import type { Reader } from '../duckdb/reader.js'
import { literal } from '../duckdb/sqlfile.js'
import { rowsOf } from './query.js'

/** What a statement names, as DuckDB's own parser reads it. */
export interface StatementTree {
  /** Tables, views and names of CTEs that it reads, as they are written. */
  readonly tables: readonly NamedTable[]
  /** Functions that give rows, as they are written. */
  readonly tableFunctions: readonly NamedTable[]
  /** Functions of expressions, lower case. */
  readonly functions: readonly string[]
  /** Names of columns, and words without brackets such as current_date; lower case. */
  readonly columns: readonly string[]
  /** Names of its own CTEs, lower case. */
  readonly ctes: readonly string[]
  /** Texts that it compares with or returns: among them symbols and days. */
  readonly texts: readonly string[]
}

export interface NamedTable {
  readonly schema: string
  readonly name: string
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
  if (statements.length !== 1)
    throw new UsageError(`${statements.length} statements given: only one can be run`, {
      hint: 'give one SELECT statement',
    })
  return namesIn(statements[0] as Node)
}

function notQuery(): UsageError {
  return new UsageError('only SELECT, FROM, WITH, VALUES, DESCRIBE, SUMMARIZE and SHOW TABLES can be run', {
    hint: 'give one SELECT statement',
  })
}

function namesIn(root: Node): StatementTree {
  const tables: NamedTable[] = []
  const tableFunctions: NamedTable[] = []
  const functions: string[] = []
  const columns: string[] = []
  const ctes: string[] = []
  const texts: string[] = []
  // A list, not a recursion: a statement may be nested as deep as its length allows.
  const open: unknown[] = [root]
  while (open.length > 0) {
    const value = open.pop()
    if (Array.isArray(value)) for (const item of value) open.push(item)
    if (value === null || typeof value !== 'object' || Array.isArray(value)) continue
    const node = value as Node
    if (node.type === 'BASE_TABLE') tables.push(tableOf(node))
    if (node.type === 'SHOW_REF' && node.query === undefined) requireShown(node)
    if (node.type === 'TABLE_FUNCTION') {
      const { function_name: name, schema = '' } = node.function as Node
      tableFunctions.push({ schema: String(schema), name: String(name) })
    }
    if (node.class === 'FUNCTION') functions.push(String(node.function_name).toLowerCase())
    if (node.class === 'WINDOW') functions.push(String(node.function_name ?? '').toLowerCase())
    if (node.type === 'COLUMN_REF')
      columns.push(...((node.column_names ?? []) as string[]).map((name) => name.toLowerCase()))
    if (node.cte_map !== undefined)
      for (const { key } of ((node.cte_map as Node).map ?? []) as readonly { key: string }[])
        ctes.push(key.toLowerCase())
    if (node.is_null === false && typeof node.value === 'string') texts.push(node.value)
    for (const member of Object.values(node)) open.push(member)
  }
  return { tables, tableFunctions, functions, columns, ctes, texts }
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
