/** A relation of the catalog and its columns. */
export interface RelationNames {
  readonly relation: string
  readonly columns: readonly string[]
}

/** Texts in quotes and comments: names in them name nothing. */
const OPAQUE = /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:''|[^'])*(?:'|$)/g

/** A relation behind `from`, `join` or a comma of a list, and the word behind it. */
const NAMED = /(?:\b(?:from|join)|,)\s+(?:(\w+)\.)?(\w+)(?:\s+as)?\s+(\w+)/gi

/** Words that may stand behind a relation and are no alias of it. */
const NO_ALIAS =
  /^(where|on|using|join|inner|left|right|full|cross|asof|semi|anti|positional|natural|group|order|having|limit|offset|union|except|intersect|window|qualify|tablesample|pivot|unpivot|from|as)$/i

/**
 * The columns behind a name and a point: of a relation with or without its schema, or of its alias in the statement.
 *
 * @param statement all of it: an alias is often named behind the place where it is used
 */
export function columnsBehind(
  qualifier: string,
  statement: string,
  names: readonly RelationNames[],
): readonly string[] {
  const wanted = qualifier.toLowerCase()
  const relation = aliasesOf(statement).get(wanted) ?? wanted
  const isNamed = ({ relation: known }: RelationNames): boolean =>
    known === relation || known.endsWith(`.${relation}`)
  return names.find(isNamed)?.columns ?? []
}

function aliasesOf(statement: string): Map<string, string> {
  const aliases = new Map<string, string>()
  for (const [, schema, name = '', alias = ''] of statement.replace(OPAQUE, "''").matchAll(NAMED)) {
    if (NO_ALIAS.test(alias)) continue
    aliases.set(alias.toLowerCase(), (schema === undefined ? name : `${schema}.${name}`).toLowerCase())
  }
  return aliases
}
