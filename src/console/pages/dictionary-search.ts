import type { Row } from './api.js'

/** A relation that has the words, and the columns that have them: none where the relation itself has them all. */
export interface FoundRelation {
  readonly relation: string
  readonly columns: readonly Row[]
}

/**
 * Relations in which every word stands in the name or the comment of the relation or of one column. Those with the words in their name
 * come first, then those with them in a column's name.
 */
export function searchDictionary(
  relations: readonly Row[],
  columns: readonly Row[],
  wanted: string,
): FoundRelation[] {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word))
  const ranked = relations.flatMap(({ relation, comment }) => {
    const name = String(relation)
    if (has(name)) return [{ rank: 0, relation: name, columns: [] }]
    const ofRelation = columns.filter((column) => column.relation === name)
    const named = ofRelation.filter((column) => has(String(column.name)))
    if (named.length > 0) return [{ rank: 1, relation: name, columns: named }]
    if (has(`${name} ${comment ?? ''}`)) return [{ rank: 2, relation: name, columns: [] }]
    const explained = ofRelation.filter((column) => has(`${name} ${column.name} ${column.comment}`))
    return explained.length > 0 ? [{ rank: 3, relation: name, columns: explained }] : []
  })
  // Sorting is stable: within a rank the order of the catalog stays.
  return ranked
    .sort((left, right) => left.rank - right.rank)
    .map(({ relation, columns: shown }) => ({ relation, columns: shown }))
}

/** The address of a relation while these words are searched. */
export function dictionaryAddress(relation: string, wanted: string): string {
  const words = wanted === '' ? [relation] : [relation, wanted]
  return ['#/dictionary', ...words.map(encodeURIComponent)].join('/')
}
