/** A statement's words outside of comments and strings, in order. */
export function wordsOf(text: string): string[] {
  return codeOf(text).match(/[A-Za-z_$][\w$]*/g) ?? []
}

/** The statement without comments, strings and quoted names. */
export function codeOf(text: string): string {
  return text.replaceAll(/--[^\n]*|'(?:[^']|'')*'|"[^"]*"/g, (part) => (part.startsWith('--') ? '' : "''"))
}

/** Names of the common table expressions, windows and tables that a statement defines. */
export function namesIn(text: string): string[] {
  const code = codeOf(text)
  const expressions = code.matchAll(/\b([a-z_]\w*)(?:\([^()]*\))? AS (?:NOT MATERIALIZED |MATERIALIZED )?\(/g)
  const tables = code.matchAll(/\bTEMP (?:TABLE|MACRO) ([a-z_]\w*)/g)
  const joined = code.matchAll(
    /\b(?:FROM|JOIN) [a-z_.]+(?:\([^()]*\))? ([a-z_]\w*) (?:ON|USING|WHERE|JOIN)\b/g,
  )
  return [...expressions, ...tables, ...joined].map(([, name]) => name ?? '')
}

/** The comment of each column that a file comments itself, as `name: comment`. */
export function columnComments(text: string): string[] {
  const statements = text.matchAll(/^COMMENT ON COLUMN [a-z_]+\.\w+\.(\w+) IS\s+((?:'(?:[^']|'')*'\s*)+);$/gm)
  return [...statements].map(([, name, literals = '']) => {
    const parts = [...literals.matchAll(/'((?:[^']|'')*)'/g)].map(([, part]) => part)
    return `${name}: ${parts.join('').replaceAll("''", "'")}`
  })
}
