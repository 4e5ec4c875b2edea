import { endOfString, endOfValue, skipSpace, startOfMember } from './scan.js'

/** A value that needs no unescaping: null, or text without backslash and control characters. */
const PLAIN_VALUE = '(?:"[^"\\\\\\x00-\\x1f]*"|null)'

/**
 * A pattern that a record matches, from its first byte, if it is written like the record at `at`: the same names in the
 * same order with the same white space, plain values. For a text with one character a byte.
 *
 * Undefined where that record itself is of another kind: nested, numbers, escapes, two fields of one name.
 *
 * @throws JsonFault where that record is not JSON
 */
export function recordPattern(text: Buffer, at: number): RegExp | undefined {
  const end = endOfValue(text, at)
  if (text[at] !== 0x7b) return undefined
  const names = new Set<string>()
  let source = ''
  /** What stands between two values: written out in the pattern. */
  let from = at
  let position = skipSpace(text, at + 1)
  if (text[position] === 0x7d) return undefined
  for (;;) {
    const name = text.toString('latin1', position, endOfString(text, position))
    const lower = text.toString('utf8', position, endOfString(text, position)).toLowerCase()
    if (name.includes('\\') || names.has(lower)) return undefined
    names.add(lower)
    const start = startOfMember(text, position)
    const valueEnd = endOfValue(text, start)
    if (!isPlain(text.toString('latin1', start, valueEnd))) return undefined
    source += literally(text.toString('latin1', from, start)) + PLAIN_VALUE
    from = valueEnd
    position = skipSpace(text, valueEnd)
    if (text[position] === 0x7d) break
    position = skipSpace(text, position + 1)
  }
  return new RegExp(source + literally(text.toString('latin1', from, end)), 'y')
}

function isPlain(value: string): boolean {
  return value === 'null' || (value.startsWith('"') && !value.includes('\\'))
}

function literally(text: string): string {
  return text
    .replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
}
