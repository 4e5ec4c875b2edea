import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AsciiText, piece } from '../src/service/wire/ascii-text.js'

const written = (write: (text: AsciiText) => void): string => {
  const text = new AsciiText()
  write(text)
  return text.between('<', '>').toString()
}

describe('a text of ASCII characters', () => {
  it('writes numbers as String does: whole ones by their digits, all others too', () => {
    const numbers = fc.oneof(
      fc.nat(),
      fc.maxSafeInteger(),
      fc.double(),
      fc.constantFrom(0, 9, 10, 999_999_999, 1e9, 1_000_000_001, 999_999_999_999_999, 1e15, -1, 1285.3, 1e21),
    )
    fc.assert(
      fc.property(numbers, (number) => {
        expect(written((text) => text.number(number))).toBe(`<${String(number)}>`)
      }),
    )
  })
  it('keeps what it has when it grows, and forgets it when it is cleared', () => {
    const row = piece('x'.repeat(1_000))
    const text = new AsciiText()
    for (let i = 0; i < 200; i++) {
      text.reserve(row.length)
      text.add(row)
    }
    expect(text.between('', '').toString()).toBe('x'.repeat(200_000))
    text.clear()
    expect(text.between('[', ']').toString()).toBe('[]')
  })
  it('replaces its end by any text', () => {
    const replaced = written((text) => {
      text.add(piece('kept '))
      const start = text.length
      text.add(piece('row'))
      text.replaceFrom(start, `${text.textFrom(start)} đồng`)
    })
    expect(replaced).toBe('<kept row đồng>')
  })
})
