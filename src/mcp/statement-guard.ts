import { UsageError } from 'candlehouse-foundation/errors'
import type { Reader } from '../duckdb/reader.js'
import { computedFrom, martObjects } from '../mart/objects.js'
import { requireOfCatalog } from '../read/of-catalog.js'
import { type NamedTable, readStatementTree, type StatementTree } from '../read/statement-tree.js'

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
  requireOfCatalog(tree, 'find {text} names the relations about a subject')
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
