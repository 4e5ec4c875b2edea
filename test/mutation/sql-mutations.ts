import { type Token, tokensOf } from './sql-tokens.js'

/** One small fault in one SQL text. */
export interface SqlMutation {
  /** What kind of fault it is. */
  readonly kind: string
  /** Range of the text, and what stands there instead. */
  readonly start: number
  readonly end: number
  readonly replacement: string
}

type Mutator = (tokens: readonly Token[], sql: string) => SqlMutation[]

/** Words at which a clause or an expression ends, at its own depth. */
const CLAUSE_ENDS = new Set(
  `SELECT FROM WHERE GROUP HAVING QUALIFY ORDER LIMIT WINDOW UNION EXCEPT INTERSECT RETURNING ON JOIN LEFT RIGHT FULL
  INNER CROSS ASOF SEMI ANTI POSITIONAL USING WHEN THEN ELSE END SET VALUES COMMENT CREATE INSERT UPDATE DELETE`.split(
    /\s+/,
  ),
)

/** Every mutation of a text, in the order of the text. */
export function mutationsOf(sql: string): SqlMutation[] {
  const tokens = withoutComments(tokensOf(sql))
  return MUTATORS.flatMap((mutator) => mutator(tokens, sql))
    .filter((mutation) => keepsParts(sql, mutation))
    .sort((left, right) => left.start - right.start || left.end - right.end || order(left, right))
}

export function mutated(sql: string, { start, end, replacement }: SqlMutation): string {
  return sql.slice(0, start) + replacement + sql.slice(end)
}

function order(left: SqlMutation, right: SqlMutation): number {
  return left.replacement < right.replacement ? -1 : 1
}

/** A template without one of its parts is refused by `sqlTemplate`: nothing would be learned. */
function keepsParts(sql: string, mutation: SqlMutation): boolean {
  const parts = (text: string): string =>
    [...new Set(text.replaceAll(/--.*/g, '').match(/\$\w+|\?/g))].sort().join()
  return parts(sql) === parts(mutated(sql, mutation))
}

/** COMMENT ON statements are documentation. */
function withoutComments(tokens: readonly Token[]): Token[] {
  let isComment = false
  return tokens.filter(({ text }, at) => {
    if (text === 'COMMENT' && tokens[at + 1]?.text === 'ON') isComment = true
    const keep = !isComment
    if (text === ';') isComment = false
    return keep
  })
}

/** One word or sign for another one. */
function swaps(
  kind: string,
  pairs: Readonly<Record<string, string>>,
  isMeant: (at: number, tokens: readonly Token[]) => boolean,
): Mutator {
  return (tokens) =>
    tokens.flatMap((token, at) => {
      const other = Object.hasOwn(pairs, token.text) ? pairs[token.text] : undefined
      if (other === undefined || token.kind === 'text' || !isMeant(at, tokens)) return []
      return [{ kind, start: token.start, end: token.end, replacement: other }]
    })
}

const always = (): boolean => true
const isCall = (at: number, tokens: readonly Token[]): boolean => tokens[at + 1]?.text === '('

const joins: Mutator = (tokens) =>
  tokens.flatMap(({ text, start, end }, at): SqlMutation[] => {
    const before = tokens[at - 1]
    if (text !== 'JOIN' || before === undefined) return []
    if (before.text === 'LEFT')
      return [{ kind: 'LEFT JOIN to JOIN', start: before.start, end, replacement: 'JOIN' }]
    if (['RIGHT', 'FULL', 'CROSS', 'SEMI', 'ANTI', 'OUTER', 'POSITIONAL', 'NATURAL'].includes(before.text))
      return []
    return [{ kind: 'JOIN to LEFT JOIN', start, end, replacement: 'LEFT JOIN' }]
  })

/** Index after the last token of the clause that begins at `at`. */
function clauseEnd(tokens: readonly Token[], at: number, ends: ReadonlySet<string> = CLAUSE_ENDS): number {
  const depth = tokens[at]?.depth ?? 0
  let next = at
  let cases = 0
  for (; next < tokens.length; next++) {
    const { text, depth: own, kind } = tokens[next] as Token
    if (own < depth) break
    if (own > depth) continue
    if (text === 'CASE') cases += 1
    else if (text === 'END' && cases > 0) cases -= 1
    else if (cases > 0) continue
    else if (text === ';' || text === ',' || (kind === 'word' && ends.has(text) && !isFunction(tokens, next)))
      break
  }
  return next
}

/** `left(` and `right(` are functions too. */
function isFunction(tokens: readonly Token[], at: number): boolean {
  return ['LEFT', 'RIGHT'].includes(tokens[at]?.text ?? '') && isCall(at, tokens)
}

/** Index of the tokens that are AND between the conditions of a clause, without those of BETWEEN. */
function conjunctions(tokens: readonly Token[], from: number, to: number): number[] {
  const depth = tokens[from]?.depth ?? 0
  const found: number[] = []
  let between = 0
  let cases = 0
  for (let at = from; at < to; at++) {
    const { text, depth: own } = tokens[at] as Token
    if (own !== depth) continue
    if (text === 'CASE') cases += 1
    if (text === 'END') cases -= 1
    if (cases > 0) continue
    if (text === 'BETWEEN') between += 1
    if (text === 'OR') return []
    if (text !== 'AND') continue
    if (between > 0) between -= 1
    else found.push(at)
  }
  return found
}

/** Each condition of WHERE, HAVING, QUALIFY and ON: dropped, and those of filters also turned around. */
const conditions: Mutator = (tokens, sql) =>
  tokens.flatMap(({ text }, at) => {
    if (!['WHERE', 'HAVING', 'QUALIFY', 'ON'].includes(text)) return []
    const from = at + 1
    const to = clauseEnd(tokens, from)
    if (to <= from) return []
    const cuts = [from - 1, ...conjunctions(tokens, from, to), to]
    return cuts.slice(1).flatMap((cut, index): SqlMutation[] => {
      const first = tokens[(cuts[index] ?? 0) + 1]
      const last = tokens[cut - 1]
      if (first === undefined || last === undefined || last.end <= first.start) return []
      const range = { start: first.start, end: last.end }
      const dropped = {
        kind: text === 'ON' ? 'join key dropped' : 'filter dropped',
        ...range,
        replacement: 'true',
      }
      if (text === 'ON') return [dropped]
      return [
        dropped,
        { kind: 'filter negated', ...range, replacement: `NOT (${sql.slice(range.start, range.end)})` },
      ]
    })
  })

/** USING (a, b) without one of its columns. */
const usings: Mutator = (tokens, sql) =>
  tokens.flatMap(({ text }, at) => {
    const open = tokens[at + 1]
    if (text !== 'USING' || open?.text !== '(') return []
    const close = tokens.findIndex(
      (token, index) => index > at + 1 && token.text === ')' && token.depth === open.depth,
    )
    const names = tokens.slice(at + 2, close).filter(({ kind }) => kind === 'word')
    if (names.length < 2) return []
    return names.map((_, dropped) => ({
      kind: 'join key dropped',
      start: open.start,
      end: tokens[close]?.end ?? open.end,
      replacement: `(${names
        .filter((__, index) => index !== dropped)
        .map((name) => sql.slice(name.start, name.end))
        .join(', ')})`,
    }))
  })

/** Index of the first token of the operand that ends before `at`. */
function operandStart(tokens: readonly Token[], at: number): number {
  let first = at - 1
  if (tokens[first]?.text === ')') {
    const depth = tokens[first]?.depth
    do first -= 1
    while (first >= 0 && !(tokens[first]?.text === '(' && tokens[first]?.depth === depth))
    if (
      tokens[first - 1]?.kind === 'word' &&
      !CLAUSE_ENDS.has(tokens[first - 1]?.text ?? '') &&
      !['AND', 'OR', 'NOT'].includes(tokens[first - 1]?.text ?? '')
    )
      first -= 1
  }
  while (tokens[first - 1]?.text === '.') first -= 2
  return first
}

/** BETWEEN without its lower or its upper edge. */
const betweens: Mutator = (tokens, sql) =>
  tokens.flatMap(({ text, depth }, at): SqlMutation[] => {
    if (text !== 'BETWEEN') return []
    const before = tokens[at - 1]?.text ?? ''
    if (['ROWS', 'RANGE', 'GROUPS', 'NOT'].includes(before)) return []
    const first = operandStart(tokens, at)
    const and = tokens.findIndex(
      (token, index) => index > at && token.text === 'AND' && token.depth === depth,
    )
    const end = clauseEnd(
      tokens,
      and + 1,
      new Set([...CLAUSE_ENDS, 'AND', 'OR', 'AS', 'NULLS', 'DESC', 'ASC']),
    )
    const [subject, low, high] = [
      [first, at],
      [at + 1, and],
      [and + 1, end],
    ].map(([from = 0, to = 0]) => sql.slice(tokens[from]?.start, tokens[to - 1]?.end))
    const range = { start: tokens[first]?.start ?? 0, end: tokens[end - 1]?.end ?? 0 }
    return [
      { kind: 'BETWEEN edge', ...range, replacement: `(${subject} > ${low} AND ${subject} <= ${high})` },
      { kind: 'BETWEEN edge', ...range, replacement: `(${subject} >= ${low} AND ${subject} < ${high})` },
    ]
  })

/** The other direction for each part of ORDER BY. */
const orders: Mutator = (tokens) =>
  tokens.flatMap(({ text }, at) => {
    if (text !== 'ORDER' || tokens[at + 1]?.text !== 'BY') return []
    const ends = new Set([...CLAUSE_ENDS, 'ROWS', 'RANGE', 'GROUPS', 'DESC', 'ASC', 'NULLS'])
    const mutations: SqlMutation[] = []
    for (let from = at + 2; ; ) {
      const end = clauseEnd(tokens, from, ends)
      const last = tokens[end - 1]
      const after = tokens[end]
      if (last === undefined || end <= from) break
      const kind = 'ORDER BY direction'
      if (after?.text === 'DESC')
        mutations.push({ kind, start: after.start, end: after.end, replacement: 'ASC' })
      else mutations.push({ kind, start: last.end, end: last.end, replacement: ' DESC' })
      let next = end
      while (['DESC', 'ASC', 'NULLS', 'FIRST', 'LAST'].includes(tokens[next]?.text ?? '')) next += 1
      if (tokens[next]?.text !== ',' || tokens[next]?.depth !== tokens[from]?.depth) break
      from = next + 1
    }
    return mutations
  })

/** coalesce(a, b) as a. */
const coalesces: Mutator = (tokens, sql) =>
  tokens.flatMap(({ text, start }, at): SqlMutation[] => {
    if (!['COALESCE', 'IFNULL'].includes(text) || !isCall(at, tokens)) return []
    const inner = at + 2
    const end = clauseEnd(tokens, inner)
    const depth = tokens[at + 1]?.depth
    const close = tokens.find((token, index) => index > at + 1 && token.text === ')' && token.depth === depth)
    const [first, last] = [tokens[inner], tokens[end - 1]]
    if (first === undefined || last === undefined || close === undefined) return []
    return [
      {
        kind: 'COALESCE dropped',
        start,
        end: close.end,
        replacement: `(${sql.slice(first.start, last.end)})`,
      },
    ]
  })

const nulls: Mutator = (tokens) =>
  tokens.flatMap(({ text, start, end }, at): SqlMutation[] => {
    const [next, after] = [tokens[at + 1], tokens[at + 2]]
    const kind = 'IS NULL turned around'
    if (text !== 'IS') return []
    if (next?.text === 'NULL') return [{ kind, start: end, end, replacement: ' NOT' }]
    if (next?.text === 'NOT' && ['NULL', 'DISTINCT'].includes(after?.text ?? ''))
      return [{ kind, start, end: next.end, replacement: 'IS' }]
    if (next?.text === 'DISTINCT') return [{ kind, start: end, end, replacement: ' NOT' }]
    return []
  })

const distincts: Mutator = (tokens) =>
  tokens.flatMap(({ text, start, end }, at): SqlMutation[] => {
    const before = tokens[at - 1]?.text ?? ''
    if (text !== 'DISTINCT' || ['IS', 'NOT'].includes(before) || tokens[at + 1]?.text === 'ON') return []
    return [{ kind: 'DISTINCT dropped', start, end, replacement: '' }]
  })

const TYPES = ['DECIMAL', 'NUMERIC', 'VARCHAR']

/** Whole numbers one more and one less; others one more. Not the digits of types. */
const constants: Mutator = (tokens) =>
  tokens.flatMap(({ kind, text, start, end, depth }, at): SqlMutation[] => {
    if (kind !== 'number' || isOfExists(at, tokens)) return []
    const open = tokens.findLastIndex(
      (token, index) => index < at && token.text === '(' && token.depth === depth - 1,
    )
    if (open > 0 && TYPES.includes(tokens[open - 1]?.text ?? '')) return []
    const changed = /^\d+$/.test(text)
      ? [String(Number(text) + 1), String(Number(text) - 1)]
      : [String(Number(text) + 1)]
    return changed.map((replacement) => ({
      kind: 'constant changed',
      start,
      end,
      replacement: replacement.startsWith('-') ? `(${replacement})` : replacement,
    }))
  })

/** The 1 of EXISTS (SELECT 1 FROM …): no row of it is read. */
function isOfExists(at: number, tokens: readonly Token[]): boolean {
  return tokens[at - 1]?.text === 'SELECT' && tokens[at - 3]?.text === 'EXISTS'
}

/** AND and OR between conditions, without the AND of BETWEEN. */
const connectives: Mutator = (tokens) => {
  const open: number[] = []
  return tokens.flatMap(({ text, start, end, depth }, at): SqlMutation[] => {
    if (text === 'BETWEEN') open.push(depth)
    if (tokens[at - 1]?.text === 'CREATE') return []
    if (text === 'OR') return [{ kind: 'OR to AND', start, end, replacement: 'AND' }]
    if (text !== 'AND') return []
    if (open.at(-1) === depth) {
      open.pop()
      return []
    }
    return [{ kind: 'AND to OR', start, end, replacement: 'OR' }]
  })
}

const ARITHMETIC_BEFORE = /^(?:\w.*|\)|"|\?)$/
const NOT_OPERANDS = new Set(
  'SELECT WHERE AND OR NOT ON THEN ELSE WHEN CASE IN BY BETWEEN DISTINCT RETURN INTERVAL'.split(' '),
)

const isBinary = (at: number, tokens: readonly Token[]): boolean => {
  const before = tokens[at - 1]
  if (before === undefined || before.kind === 'sign') return before?.text === ')'
  return ARITHMETIC_BEFORE.test(before.text) && !NOT_OPERANDS.has(before.text)
}

const MUTATORS: readonly Mutator[] = [
  joins,
  conditions,
  usings,
  betweens,
  orders,
  coalesces,
  nulls,
  distincts,
  constants,
  connectives,
  swaps('bound moved', { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }, always),
  swaps('equality turned around', { '=': '<>', '<>': '=', '!=': '=' }, (at, tokens) =>
    isComparison(at, tokens),
  ),
  swaps('sign changed', { '+': '-', '-': '+' }, isBinary),
  swaps(
    'min and max',
    { MIN: 'max', MAX: 'min', MIN_BY: 'max_by', MAX_BY: 'min_by', ARG_MIN: 'arg_max', ARG_MAX: 'arg_min' },
    isCall,
  ),
  swaps('least and greatest', { LEAST: 'greatest', GREATEST: 'least' }, isCall),
  swaps('lag and lead', { LAG: 'lead', LEAD: 'lag' }, isCall),
  swaps(
    'first and last',
    { FIRST_VALUE: 'last_value', LAST_VALUE: 'first_value', FIRST: 'last', LAST: 'first' },
    isCall,
  ),
  swaps('any and all', { BOOL_AND: 'bool_or', BOOL_OR: 'bool_and' }, isCall),
]

/** Equality in filters, CASE and values; not SET a = b, nor the join keys, which are dropped instead. */
function isComparison(at: number, tokens: readonly Token[]): boolean {
  const depth = tokens[at]?.depth
  const clause = tokens.findLast(
    (token, index) =>
      index < at &&
      token.depth === depth &&
      ['SET', 'ON', 'WHERE', 'HAVING', 'QUALIFY', 'WHEN', 'SELECT', 'THEN'].includes(token.text),
  )
  return clause !== undefined && ['WHEN', 'SELECT', 'THEN'].includes(clause.text)
}
