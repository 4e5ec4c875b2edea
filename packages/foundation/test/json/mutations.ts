/**
 * Pages with random damage at random places: bytes changed, cut out, written twice or put in, most of them such as JSON is
 * made of. The same seed gives the same pages.
 */
export function* mutations(pages: readonly string[], count: number, seed: number): Generator<Buffer> {
  const random = createRandom(seed)
  const pick = (below: number): number => Math.floor(random() * below)
  for (let index = 0; index < count; index++) {
    let text: Buffer = Buffer.from(pages[index % pages.length] as string)
    for (let damage = pick(3); damage >= 0; damage--) text = damaged(text, pick)
    yield text
  }
}

/** Pieces that a careless reader takes for something else. */
const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '},}',
  '\\u',
  '\\ud83d',
  '\\x41',
  '\\"',
  '\u0000',
  '\u0001',
  '\n',
  ' ',
  '\t',
  'null',
  'true',
  'nul',
  '-',
  '0',
  '01',
  '1e5',
  '1e',
  '.5',
  '-0.0',
  'NaN',
  'Infinity',
  '"data":[',
  '"symbol"',
  'é',
  '\u2028',
  '\ufeff',
].map((piece) => Buffer.from(piece))

/** One random damage. `pick` draws a whole number below another. */
export function damaged(text: Buffer, pick: (below: number) => number): Buffer {
  const at = pick(text.length + 1)
  const length = 1 + pick(6)
  const piece = PIECES[pick(PIECES.length)] as Buffer
  switch (pick(5)) {
    case 0:
      return Buffer.concat([text.subarray(0, at), piece, text.subarray(at)])
    case 1:
      return Buffer.concat([text.subarray(0, at), text.subarray(at + length)])
    case 2:
      return Buffer.concat([text.subarray(0, at + length), text.subarray(at)])
    case 3:
      return Buffer.concat([text.subarray(0, at), piece, text.subarray(at + piece.length)])
    default: {
      const copy = Buffer.from(text)
      if (at < copy.length) copy[at] = pick(256)
      return copy
    }
  }
}

/** mulberry32 */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
