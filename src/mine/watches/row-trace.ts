import type { ResultColumn } from '../../duckdb/statement.js'
import { readsOf, restsOn } from '../../mart/objects.js'
import { SNAPSHOT, traceCommand } from '../../read/trace/row-key.js'
import { type Relation, relations } from '../../relations.js'

/**
 * The relation whose rows a watch shows: one that it reads, or that its views rest on, with all columns of its key in the
 * result. Relations that the statement names come first, then those with the longest key.
 */
export function tracedRelation(sql: string, columns: readonly ResultColumn[]): Relation | undefined {
  const names = new Set(columns.map(({ name }) => name))
  const reads = readsOf(sql)
  const below = reads.flatMap((name) => [...restsOn(name)].sort())
  const hasKey = ({ key }: Relation): boolean =>
    key.some((name) => name !== SNAPSHOT) && key.every((name) => name === SNAPSHOT || names.has(name))
  const isStored = ({ name }: Relation): boolean => /^(market|account)\./.test(name)
  const candidates = relations.filter((relation) => isStored(relation) && hasKey(relation))
  const longest = (some: readonly Relation[]): Relation | undefined =>
    [...some].sort((a, b) => b.key.length - a.key.length)[0]
  const among = (some: readonly string[]): Relation[] =>
    candidates.filter((relation) => some.includes(relation.name))
  return longest(among(reads)) ?? longest(among(below).filter(({ key }) => key.length > 1))
}

/** @param texts by column of the result; null where it has no value. @returns null where a part of the key has none */
export function traceOf(
  relation: Relation | undefined,
  columns: readonly ResultColumn[],
  texts: ReadonlyMap<string, string | null>,
): string | null {
  if (!relation) return null
  const key = columns.filter(({ name }) => relation.key.includes(name))
  const values = relation.key.flatMap((name) => {
    const column = key.find((each) => each.name === name)
    return column ? [[column, texts.get(name) ?? undefined] as const] : []
  })
  return values.some(([, text]) => text === undefined) ? null : traceCommand(relation, values)
}
