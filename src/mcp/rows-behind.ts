import type { Reader } from '../duckdb/reader.js'
import { literal } from '../duckdb/sqlfile.js'
import { rowsOf } from '../read/query.js'

/** A node of the tree that DuckDB's parser makes of a statement. */
type Node = Record<string, unknown>

/**
 * The statement of the rows that an aggregate was computed from: the same FROM and WHERE, ungrouped, with all columns, so that
 * their keys can be traced. What a FILTER within an aggregate or HAVING leaves out is among them.
 *
 * @returns undefined for a statement that aggregates nothing, or not in its outermost SELECT, or that cannot be written again
 */
export async function rowsBehind(reader: Reader, sql: string): Promise<string | undefined> {
  const tree = await treeOf(reader, sql)
  const node = tree && nodeOf(tree)
  if (node?.type !== 'SELECT_NODE' || (node.from_table as Node).type === 'EMPTY') return undefined
  const grouped = (node.group_expressions as readonly unknown[]).length > 0
  if (!grouped && !(await hasAggregate(reader, node.select_list))) return undefined
  const star = nodeOf((await treeOf(reader, 'SELECT * FROM any_table')) ?? {})
  Object.assign(node, {
    select_list: star?.select_list,
    aggregate_handling: star?.aggregate_handling,
    group_expressions: [],
    group_sets: [],
    modifiers: [],
    having: null,
    qualify: null,
  })
  const [[text] = []] = await rowsOf(reader, `SELECT json_deserialize_sql(${literal(JSON.stringify(tree))})`)
  return typeof text === 'string' ? text : undefined
}

/** "Nowhere" as DuckDB writes it: a number that JavaScript does not have. */
const NOWHERE = '"query_location":18446744073709551615'

/** A whole number that would come back as another one. */
const INEXACT = /[:,[]-?\d{16,}[,}\]]/

/** Undefined where the tree has a number that would not be the same again. */
async function treeOf(reader: Reader, sql: string): Promise<Node | undefined> {
  const [[written] = []] = await rowsOf(reader, `SELECT json_serialize_sql(${literal(sql)})`)
  const text = String(written).replaceAll(NOWHERE, '"query_location":0')
  return INEXACT.test(text) ? undefined : (JSON.parse(text) as Node)
}

function nodeOf(tree: Node): Node | undefined {
  const [statement] = (tree.statements ?? []) as readonly Node[]
  return statement?.node as Node | undefined
}

/** Whether an expression aggregates; not in a subquery, which has rows of its own. */
async function hasAggregate(reader: Reader, expressions: unknown): Promise<boolean> {
  const names = new Set<string>()
  const open: unknown[] = [expressions]
  while (open.length > 0) {
    const value = open.pop()
    if (value === null || typeof value !== 'object') continue
    const node = value as Node
    if (node.class === 'SUBQUERY' || node.class === 'WINDOW') continue
    if (node.class === 'FUNCTION') names.add(String(node.function_name).toLowerCase())
    open.push(...Object.values(node))
  }
  if (names.size === 0) return false
  const [[count] = []] = await rowsOf(
    reader,
    `SELECT count(*)::INTEGER FROM duckdb_functions()
     WHERE function_type = 'aggregate' AND function_name IN (${[...names].map(literal).join(', ')})`,
  )
  return Number(count) > 0
}
