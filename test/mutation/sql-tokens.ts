/** One word, number, text, sign or template part of SQL; spaces and comments are none. */
export interface Token {
  readonly kind: 'word' | 'number' | 'text' | 'sign' | 'part'
  /** As it is written; words in upper case. */
  readonly text: string
  readonly start: number
  readonly end: number
  /** Parentheses, brackets and braces around it. */
  readonly depth: number
}

const FORMS: readonly (readonly [Token['kind'] | 'skip', RegExp])[] = [
  ['skip', /\s+|--[^\n]*|\/\*[\s\S]*?\*\//y],
  ['text', /'(?:[^']|'')*'/y],
  ['word', /"(?:[^"]|"")*"/y],
  ['part', /\$\w+/y],
  ['number', /\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/y],
  ['word', /[A-Za-z_]\w*/y],
  ['sign', /<=|>=|<>|!=|::|:=|->|\|\||==|./sy],
]

export function tokensOf(sql: string): Token[] {
  const tokens: Token[] = []
  let depth = 0
  for (let at = 0; at < sql.length; ) {
    const [kind, text] = tokenAt(sql, at)
    if (/^[)\]}]$/.test(text)) depth -= 1
    if (kind !== 'skip') {
      const shown = kind === 'word' && !text.startsWith('"') ? text.toUpperCase() : text
      tokens.push({ kind, text: shown, start: at, end: at + text.length, depth })
    }
    if (/^[([{]$/.test(text)) depth += 1
    at += text.length
  }
  return tokens
}

function tokenAt(sql: string, at: number): [Token['kind'] | 'skip', string] {
  for (const [kind, form] of FORMS) {
    form.lastIndex = at
    const [text] = form.exec(sql) ?? []
    if (text !== undefined) return [kind, text]
  }
  throw new RangeError(`no token at ${at}`)
}
