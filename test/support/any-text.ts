import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }
const LAST = 0x10ffff

/**
 * Text of any code points. The `binary` unit of fast-check draws the same, and first maps each of the million code points back:
 * a second.
 */
export function anyText(length: { minLength?: number; maxLength: number }): fc.Arbitrary<string> {
  const codePoint = fc
    .integer({ min: 0, max: LAST - SURROGATES.count })
    .map((nth) => (nth < SURROGATES.first ? nth : nth + SURROGATES.count))
  return fc.array(codePoint, length).map((all) => String.fromCodePoint(...all))
}
