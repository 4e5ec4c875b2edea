import fc from 'fast-check'

const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`))

/** Numbers of up to 26 digits with signs, leading and trailing zeros, separators; among them exponents and other damage. */
const numberText = fc.oneof(
  { weight: 6, arbitrary: digits(1, 22) },
  { weight: 6, arbitrary: fc.tuple(digits(1, 22), digits(1, 8)).map((parts) => parts.join('.')) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        digits(1, 3),
        fc.array(digits(3, 3), { minLength: 1, maxLength: 7 }),
        fc.constantFrom('', '.5', '.1234', '.12345'),
      )
      .map(([first, groups, end]) => [first, ...groups].join(',') + end),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(digits(1, 14), fc.nat(60)).map(([text, zeros]) => '0'.repeat(zeros) + text),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(digits(1, 4), fc.nat(60)).map(([text, zeros]) => `1.${text}${'0'.repeat(zeros)}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(digits(1, 4), fc.constantFrom('e1', 'E2', 'e-3', '_0', 'x1', ' ', '.', '-', '+'))
      .map((parts) => parts.join('')),
  },
)
const signedText = fc
  .tuple(fc.constantFrom('', '', '-', '+', '--'), numberText)
  .map((parts) => parts.join(''))

/** Different texts that are numbers or nearly: the same seed gives the same. */
export function numberTexts(count: number, seed: number): string[] {
  return [...new Set(fc.sample(signedText, { numRuns: count, seed }))]
}
