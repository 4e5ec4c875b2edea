/**
 * A strict reader of JSON text (RFC 8259) that parses nothing into values: it proves that text is JSON and says where each
 * value ends. Values of a page are kept as the service wrote them, and parsing would rewrite them (0.00001 becomes 1e-05,
 * 20 digits become a double).
 */

/** Text that is not JSON: where, and what is wrong there. */
export class JsonFault extends Error {
  /** Byte offset in the text. */
  readonly at: number

  constructor(problem: string, at: number) {
    super(`${problem} at byte ${at}`)
    this.name = 'JsonFault'
    this.at = at
  }
}

/** Levels of objects and arrays in a record: nothing is recursive here, so an unknown field of any depth does no harm. */
export const MAX_DEPTH = 20_000

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const MINUS = 0x2d
const PLUS = 0x2b
const DOT = 0x2e

/** Position of the first byte at or after `at` that is not JSON white space. */
export function skipSpace(text: Uint8Array, at: number): number {
  let next = at
  while (isSpace(text[next])) next++
  return next
}

/**
 * Proves the JSON value that begins at `at`.
 *
 * @param at byte offset of the value's first byte, after any white space
 * @returns byte offset after the value
 * @throws JsonFault
 */
export function endOfValue(text: Uint8Array, at: number): number {
  let position = at
  /** Closing bytes of the objects and arrays that are open, outermost first. */
  const open: number[] = []
  for (;;) {
    const first = text[position]
    if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      if (open.length === MAX_DEPTH) throw new JsonFault(`nested deeper than ${MAX_DEPTH} levels`, position)
      const close = first === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET
      position = skipSpace(text, position + 1)
      if (text[position] !== close) {
        open.push(close)
        if (close === CLOSE_BRACE) position = startOfMember(text, position)
        continue
      }
      position++
    } else position = endOfScalar(text, position)
    // A value has ended: so have all objects and arrays that close right behind it.
    for (;;) {
      const close = open.at(-1)
      if (close === undefined) return position
      position = skipSpace(text, position)
      const byte = text[position]
      if (byte === COMMA) {
        position = skipSpace(text, position + 1)
        if (close === CLOSE_BRACE) position = startOfMember(text, position)
        break
      }
      if (byte !== close)
        throw unexpected(text, position, close === CLOSE_BRACE ? "',' or '}'" : "',' or ']'")
      open.pop()
      position++
    }
  }
}

/**
 * Proves the string that begins at `at`.
 *
 * @param at byte offset of its opening quote
 * @returns byte offset after its closing quote
 * @throws JsonFault
 */
export function endOfString(text: Uint8Array, at: number): number {
  if (text[at] !== QUOTE) throw unexpected(text, at, 'a string')
  for (let position = at + 1; position < text.length; position++) {
    const byte = text[position] as number
    if (byte === QUOTE) return position + 1
    if (byte < 0x20) throw new JsonFault('a control character in a string', position)
    if (byte === BACKSLASH) position = endOfEscape(text, position) - 1
  }
  throw new JsonFault('the text ends within a string', text.length)
}

/** Proves a member's name and its colon. Returns where the member's value begins. */
export function startOfMember(text: Uint8Array, at: number): number {
  const colon = skipSpace(text, endOfString(text, at))
  if (text[colon] !== COLON) throw unexpected(text, colon, "':'")
  return skipSpace(text, colon + 1)
}

function endOfScalar(text: Uint8Array, at: number): number {
  const first = text[at]
  if (first === QUOTE) return endOfString(text, at)
  if (first === MINUS || isDigit(first)) return endOfNumber(text, at)
  if (first === 0x74) return endOfWord(text, at, 'true')
  if (first === 0x66) return endOfWord(text, at, 'false')
  if (first === 0x6e) return endOfWord(text, at, 'null')
  throw unexpected(text, at, 'a value')
}

function endOfNumber(text: Uint8Array, at: number): number {
  const first = text[at] === MINUS ? at + 1 : at
  let position = text[first] === 0x30 ? first + 1 : endOfDigits(text, first)
  if (text[position] === DOT) position = endOfDigits(text, position + 1)
  if (text[position] === 0x65 || text[position] === 0x45) {
    const sign = text[position + 1]
    position = endOfDigits(text, position + (sign === PLUS || sign === MINUS ? 2 : 1))
  }
  return position
}

/** One digit at least. */
function endOfDigits(text: Uint8Array, at: number): number {
  let position = at
  while (isDigit(text[position])) position++
  if (position === at) throw unexpected(text, at, 'a digit')
  return position
}

function endOfWord(text: Uint8Array, at: number, word: string): number {
  for (let index = 0; index < word.length; index++)
    if (text[at + index] !== word.charCodeAt(index)) throw unexpected(text, at + index, `'${word}'`)
  return at + word.length
}

/** `\n`, `\u00e9` and their like; `at` is the backslash. */
function endOfEscape(text: Uint8Array, at: number): number {
  const kind = text[at + 1]
  if (kind === 0x75) {
    for (let index = at + 2; index < at + 6; index++)
      if (!isHexDigit(text[index])) throw new JsonFault('an unfinished \\u escape', at)
    return at + 6
  }
  if (kind === undefined || !ESCAPES.has(kind)) throw new JsonFault('an unknown escape', at)
  return at + 2
}

/** What may follow a backslash: " \ / b f n r t. */
const ESCAPES = new Set([0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74])

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

function isHexDigit(byte: number | undefined): boolean {
  return isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)
}

/** What is wrong at a byte where something else was wanted. */
export function unexpected(text: Uint8Array, at: number, wanted: string): JsonFault {
  if (at >= text.length) return new JsonFault(`the text ends where ${wanted} should be`, text.length)
  return new JsonFault(`${wanted} expected`, at)
}
