/** Marks stand above or below the letter before them: `ệ` may be three characters. */
const MARK = /[\p{Mn}\p{Me}]/u

/** Letters of East Asia and pictures, which a terminal draws two columns wide. */
const WIDE =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u

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
  if (MARK.test(char)) return 0
  return WIDE.test(char) ? 2 : 1
}
