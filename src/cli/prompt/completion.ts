import { columnsBehind, type RelationNames } from '../../read/alias-columns.js'
import type { Suggestion } from '../../read/completion-names.js'

/** Where a name behind a point is completed: `market.ca`, `candle.`. */
const QUALIFIED = /([A-Za-z_][\w]*)\.(\w*)$/

/** Words after which `show` goes on; DuckDB suggests names of its own tables there. */
const SHOW = /^\s*show\s+(\w*)$/i

/**
 * The words that continue a text: names behind a schema or a relation from the catalog, all else as DuckDB suggests it.
 * Words that begin as typed; where there are none, those that DuckDB found similar.
 *
 * @returns the words, and the part of the text that they replace
 */
export function completionsOf(
  text: string,
  names: readonly RelationNames[],
  suggestions: readonly Suggestion[],
): [hits: string[], word: string] {
  const [, shown] = SHOW.exec(text) ?? []
  if (shown !== undefined) return [startingWith(['tables'], shown), shown]
  const [, qualifier, part = ''] = QUALIFIED.exec(text) ?? []
  if (qualifier !== undefined) {
    const members = startingWith(membersOf(qualifier, text, names), part)
    if (members.length > 0) return [members, part]
  }
  const [first] = suggestions
  if (!first) return [[], '']
  // The start is counted in bytes.
  const word = Buffer.from(text).subarray(Number(first.suggestion_start)).toString()
  const words = [...new Set(suggestions.map(({ suggestion }) => suggestion.trim()))].filter((each) =>
    /\w/.test(each),
  )
  const fitting = startingWith(words, word)
  return [fitting.length > 0 || word !== '' ? fitting : words, word]
}

/** Relations of a schema, or columns of a relation with or without its schema, or of its alias. */
function membersOf(qualifier: string, text: string, names: readonly RelationNames[]): readonly string[] {
  const schema = `${qualifier.toLowerCase()}.`
  const relations = names.filter(({ relation }) => relation.startsWith(schema))
  if (relations.length === 0) return columnsBehind(qualifier, text, names)
  return relations.map(({ relation }) => relation.slice(schema.length))
}

function startingWith(words: readonly string[], start: string): string[] {
  return words.filter((word) => word.toLowerCase().startsWith(start.toLowerCase()))
}
