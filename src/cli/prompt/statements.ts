/** What was typed so far, split at the semicolons that end statements. */
export interface Typed {
  /** Complete statements, without their semicolons. */
  readonly statements: readonly string[]
  /** What comes after the last of them, not ended yet. */
  readonly rest: string
}

/** A comment, a text in quotes, a name in quotes, a dollar text, in this order; each may still be open at the end. */
const OPAQUE =
  /--[^\n]*|\/\*|(?<![\w$])[eE]'(?:\\[\s\S]|''|[^'\\])*(?:'|$)|'(?:''|[^'])*(?:'|$)|"(?:""|[^"])*(?:"|$)|(?<![\w$])\$(\w*)\$/y

/** Splits typed text into statements. A semicolon in a text, a name or a comment ends none. */
export function splitStatements(text: string): Typed {
  const statements: string[] = []
  let start = 0
  for (let at = 0; at < text.length; ) {
    const end = endOfOpaque(text, at)
    if (end !== undefined) {
      at = end
      continue
    }
    if (text[at] === ';') {
      const statement = text.slice(start, at).trim()
      if (!isBlank(statement)) statements.push(statement)
      start = at + 1
    }
    at += 1
  }
  return { statements, rest: isBlank(text.slice(start)) ? '' : text.slice(start).trimStart() }
}

/**
 * The statement on one line, as the history keeps it: without comments.
 *
 * @returns undefined where a text in it has a line break, which one line cannot show
 */
export function onOneLine(statement: string): string | undefined {
  let line = ''
  for (let at = 0; at < statement.length; ) {
    const end = endOfOpaque(statement, at) ?? at + 1
    const piece = statement.slice(at, end)
    at = end
    if (/^(--|\/\*|\s)/.test(piece)) line += line.endsWith(' ') ? '' : ' '
    else if (piece.includes('\n')) return undefined
    else line += piece
  }
  return line.trim()
}

/** Where the comment, text or quoted name that begins at `at` ends; undefined where none begins. */
function endOfOpaque(text: string, at: number): number | undefined {
  OPAQUE.lastIndex = at
  const match = OPAQUE.exec(text)
  if (!match) return undefined
  const [opening, tag] = match
  if (opening === '/*') return endOfComment(text, at)
  if (tag === undefined) return OPAQUE.lastIndex
  const closing = text.indexOf(`$${tag}$`, OPAQUE.lastIndex)
  return closing < 0 ? text.length : closing + tag.length + 2
}

/** Comments nest, as in PostgreSQL. */
function endOfComment(text: string, at: number): number {
  let depth = 0
  for (const { 0: mark, index } of text.slice(at).matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1
    if (depth === 0) return at + index + 2
  }
  return text.length
}

/** Blanks and comments only. */
function isBlank(text: string): boolean {
  return onOneLine(text) === ''
}
