import { UsageError } from 'candlehouse-foundation/errors'
import { type MartObject, martObjects } from '../mart/objects.js'
import { CATALOG_SCHEMAS, relations } from '../relations.js'
import type { NamedTable, StatementTree, TableCall } from './statement-tree.js'

type Reading = Pick<StatementTree, 'tables' | 'tableFunctions'>

/**
 * Relations, views and macros that a statement reads rows from, schema-qualified; a name without its schema is looked up as the
 * catalog does. What the catalog does not have is left out.
 *
 * @param own names of the user's own views and tables, with their schema
 */
export function namesRead(tree: Reading, own: Iterable<string> = []): string[] {
  const known = new Set([...relations.map(({ name }) => name), ...own])
  for (const { name } of martObjects()) known.add(`mart.${name}`)
  const read = [...tree.tables, ...tree.tableFunctions, ...namesGiven(tree)].flatMap(({ schema, name }) => {
    const bare = name.toLowerCase()
    const schemas = schema === '' ? CATALOG_SCHEMAS : [schema.toLowerCase()]
    return schemas.map((each) => `${each}.${bare}`).find((full) => known.has(full)) ?? []
  })
  return [...new Set(read)]
}

/**
 * Relations that macros are given by name, as `mart.indicators('market.candle')` is.
 *
 * @throws UsageError for a name that is computed: nobody knows what is read
 */
export function namesGiven({ tableFunctions }: Reading): NamedTable[] {
  return tableFunctions.flatMap((call) => {
    const macro = macroOf(call)
    if (!macro) return []
    const { all, ofRelations } = parametersOf(macro)
    return call.arguments.flatMap(({ name, text }, position) => {
      if (!ofRelations.has(name ?? all[position] ?? '')) return []
      if (text !== undefined) return namedTable(text)
      throw new UsageError(`mart.${macro.name} is given a name that is not a plain text`, {
        hint: `write the relation's name: mart.${macro.name}('market.daily_summary', ...)`,
      })
    })
  })
}

function macroOf({ schema, name }: TableCall): MartObject | undefined {
  if (schema !== '' && schema.toLowerCase() !== 'mart') return undefined
  return martObjects().find((object) => object.kind === 'table macro' && object.name === name.toLowerCase())
}

/** The parameters of a macro in their order, and those that name a relation. */
function parametersOf({ name, text }: MartObject): { all: string[]; ofRelations: ReadonlySet<string> } {
  const [, list = ''] = new RegExp(`MACRO mart\\.${name}\\(([^)]*)\\)`).exec(text) ?? []
  const named = [...text.matchAll(/query_table\((\w+)\)/g)].map(([, parameter = '']) => parameter)
  return { all: list.split(',').map((each) => each.trim().split(/\W/)[0] ?? ''), ofRelations: new Set(named) }
}

function namedTable(text: string): NamedTable {
  const parts = text.split('.')
  return { schema: parts.slice(0, -1).join('.'), name: parts.at(-1) ?? '' }
}
