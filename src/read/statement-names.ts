import { martObjects } from '../mart/objects.js'
import { CATALOG_SCHEMAS, relations } from '../relations.js'
import type { StatementTree } from './statement-tree.js'

/**
 * Relations, views and macros that a statement reads rows from, schema-qualified; a name without its schema is looked up as the
 * catalog does. CTEs of its own, and what the catalog does not have, are left out.
 *
 * @param own names of the user's own views and tables, with their schema
 */
export function namesRead(
  { tables, tableFunctions, ctes }: Pick<StatementTree, 'tables' | 'tableFunctions' | 'ctes'>,
  own: Iterable<string> = [],
): string[] {
  const known = new Set([...relations.map(({ name }) => name), ...own])
  for (const { name } of martObjects()) known.add(`mart.${name}`)
  const read = [...tables, ...tableFunctions].flatMap(({ schema, name }) => {
    const bare = name.toLowerCase()
    if (schema === '' && ctes.includes(bare)) return []
    const schemas = schema === '' ? CATALOG_SCHEMAS : [schema.toLowerCase()]
    return schemas.map((each) => `${each}.${bare}`).find((full) => known.has(full)) ?? []
  })
  return [...new Set(read)]
}
