import { eastAsianWidth } from 'get-east-asian-width'

/** Marks stand above or below the letter before them: `ệ` may be three characters. */
const MARK = /[\p{Mn}\p{Me}]/u

/** Letters of ASCII take a column each; most cells have no others. */
const PLAIN = /^[ -~]*$/

/** Columns that a text of one line takes on a terminal. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  return [...text].reduce((sum, char) => sum + charWidth(char), 0)
}

/** The text in pieces of at most this width each; a mark stays with its letter. */
export function piecesOf(text: string, width: number): string[] {
  const pieces: string[] = []
  let [piece, taken] = ['', 0]
  for (const char of text) {
    const wide = charWidth(char)
    if (piece !== '' && taken + wide > width) {
      pieces.push(piece)
      ;[piece, taken] = ['', 0]
    }
    piece += char
    taken += wide
  }
  return [...pieces, piece]
}

function charWidth(char: string): number {
  return MARK.test(char) ? 0 : eastAsianWidth(char.codePointAt(0) ?? 0)
}
