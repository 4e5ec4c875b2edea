import { UsageError } from 'candlehouse-foundation/errors'
import { martObjects } from '../mart/objects.js'
import { didYouMean, relationsLike } from '../read/published-names.js'
import { CATALOG_SCHEMAS, relations } from '../relations.js'
import type { CatalogIndex } from './catalog-index.js'
import { type Findings, textColumns } from './tool-answer.js'

/** Columns of a relation, or the parameters of a macro, with their comments. @throws UsageError naming the nearest relations */
export function described(name: string, index: CatalogIndex): Omit<Findings, 'truncated'> {
  const wanted = name.trim().toLowerCase().replace(/\(.*$/, '')
  const relation = index.relations.find((each) => each.name === wanted) ?? bareNamed(wanted, index)
  if (relation) {
    return {
      columns: textColumns('column', 'type', 'meaning'),
      rows: relation.columns.map((column) => [column.name, column.type, column.comment]),
      notes: [
        `${relation.name}: ${relation.comment}`,
        ...keyNotes(relation.name),
        ...readNotes(relation.name),
      ],
    }
  }
  const macro = index.macros.find((each) => each.name === wanted || each.name === `mart.${wanted}`)
  if (macro) {
    const isTable = martObjects().some(
      (object) => `mart.${object.name}` === macro.name && object.kind === 'table macro',
    )
    return {
      columns: textColumns('parameter'),
      rows: macro.parameters.map((parameter) => [parameter]),
      notes: [
        macro.comment,
        `use it as: ${isTable ? 'FROM ' : 'SELECT '}${macro.name}(${macro.parameters.join(', ')})`,
      ],
    }
  }
  const names = [...index.relations, ...index.macros].map((each) => each.name)
  throw new UsageError(
    `there is no relation ${name.slice(0, 100)}${didYouMean(relationsLike(wanted, names))}`,
    {
      hint: 'find {text} names the relations about a subject',
    },
  )
}

/** A name without its schema, looked up as the catalog does. */
function bareNamed(
  name: string,
  { relations: all }: CatalogIndex,
): CatalogIndex['relations'][number] | undefined {
  return CATALOG_SCHEMAS.map((schema) => all.find((each) => each.name === `${schema}.${name}`)).find(
    (relation) => relation !== undefined,
  )
}

function keyNotes(name: string): string[] {
  const stored = relations.find((relation) => relation.name === name)
  if (!stored) return []
  const key = stored.key.map((column) => `"${column}": …`).join(', ')
  return [
    `one row per ${stored.key.join(', ')}; trace {"relation": "${name}", "key": {${key}}} leads to the raw record`,
  ]
}

function readNotes(name: string): string[] {
  const view = martObjects().find((object) => `mart.${object.name}` === name)
  return view && view.reads.length > 0 ? [`computed from ${view.reads.join(', ')}`] : []
}
