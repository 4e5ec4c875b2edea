import { readRules } from '../audit/rule.js'
import { literal } from '../duckdb/sqlfile.js'
import type { Ask } from '../read/query.js'
import type { CatalogIndex } from './catalog-index.js'
import { recipes } from './packaged-docs.js'

/** Something that statements can name, or an example of one. */
export type FoundThing = readonly [kind: string, name: string, about: string]

/** Whether the catalog has a relation or macro: recipes that name others are left out. */
type IsKnown = (name: string) => boolean

/** What a word adds where it is in the name of a thing, and where it is in the words about it: a view answers more than a column. */
const WEIGHTS: Readonly<Record<string, readonly [inName: number, inWords: number]>> = {
  relation: [4, 3],
  recipe: [4, 1],
  macro: [3, 2],
  column: [2, 1],
  rule: [2, 1],
}

/** Columns that are named: many views have the same ones. */
const MOST_COLUMNS = 10

/** Words that are in every question. */
const COMMON = new Set([
  'the',
  'of',
  'and',
  'for',
  'with',
  'which',
  'what',
  'how',
  'a',
  'an',
  'in',
  'is',
  'to',
  'by',
  'per',
])

/** Finds relations, columns, macros, recipes, rules and securities by words; the best matches first. */
export async function findThings(text: string, index: CatalogIndex, ask: Ask): Promise<FoundThing[]> {
  const words = wordsOf(text)
  const known = new Set([...index.relations, ...index.macros].map(({ name }) => name))
  const things = thingsOf(index, (name) => known.has(name))
  const scored = things
    .map((thing) => ({ thing, score: scoreOf(thing, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.thing[1] < b.thing[1] ? -1 : 1))
  const columns = scored.filter(({ thing: [kind] }) => kind === 'column').slice(0, MOST_COLUMNS)
  const shown = scored.filter((each) => each.thing[0] !== 'column' || columns.includes(each))
  return [...(await securitiesLike(text, ask)), ...shown.map(({ thing }) => thing)]
}

function thingsOf({ relations, macros }: CatalogIndex, isKnown: IsKnown): FoundThing[] {
  return [
    ...relations.map(({ name, comment }) => ['relation', name, comment] as const),
    ...macros.map(
      ({ name, parameters, comment }) => ['macro', `${name}(${parameters.join(', ')})`, comment] as const,
    ),
    ...recipes()
      .filter(({ reads }) => reads.every(isKnown))
      .map(({ question, sql }) => ['recipe', question, sql] as const),
    ...relations.flatMap(({ name, columns }) =>
      columns
        .filter(({ comment }) => comment !== '')
        .map((column) => ['column', `${name}.${column.name}`, column.comment] as const),
    ),
    ...readRules().map(({ number, title, why }) => ['rule', `rule ${number}: ${title}`, why] as const),
  ]
}

/** Securities whose symbol is the text, or whose name has it, whatever its accents. */
async function securitiesLike(text: string, ask: Ask): Promise<FoundThing[]> {
  const plain = `strip_accents(lower(${literal(text.trim())}))`
  const rows = await ask<{ symbol: string; about: string }>(
    `SELECT symbol, concat_ws(', ', board, symbol_name_vi, symbol_name_en) AS about FROM market.security
     WHERE lower(symbol) = ${plain} OR length(${plain}) >= 3 AND contains(strip_accents(lower(concat_ws(' ', symbol_name_vi, symbol_name_en))), ${plain})
     ORDER BY lower(symbol) <> ${plain}, symbol LIMIT 5`,
  )
  return rows.map(({ symbol, about }) => ['security', symbol, about])
}

function scoreOf([kind, name, about]: FoundThing, words: readonly string[]): number {
  const [inName, inWords] = [plainText(name), plainText(about)]
  const [nameWeight, wordsWeight] = WEIGHTS[kind] ?? [1, 1]
  return words
    .map((word) => (inName.includes(word) ? nameWeight : 0) + (inWords.includes(word) ? wordsWeight : 0))
    .reduce((sum, score) => sum + score, 0)
}

function wordsOf(text: string): string[] {
  const words = plainText(text)
    .split(/[^a-z0-9_]+/)
    .filter((word) => word.length > 1 && !COMMON.has(word))
  // Plurals find the singular.
  return [...new Set(words.map((word) => (word.length > 4 ? word.replace(/(ies|es|s)$/, '') : word)))]
}

/** Lower case without accents: đ has none in Unicode's sense. */
function plainText(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/[đĐ]/g, 'd').toLowerCase()
}
