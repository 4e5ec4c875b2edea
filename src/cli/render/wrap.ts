import { piecesOf, textWidth } from './text-width.js'

export interface TableColumn {
  title: string
  /** Aligned right, for numbers. */
  right?: boolean
}

/** Columns by their titles; `#rows` is a column of numbers, aligned right. */
export function columnsOf(...titles: readonly string[]): TableColumn[] {
  return titles.map((title) => (title.startsWith('#') ? { title: title.slice(1), right: true } : { title }))
}

/** Blanks between two columns. */
const GAP = 2

/** A longer word (a path, an address) may be broken, so that one cell does not decide the width of the table. */
const LONGEST_WORD = 32

/**
 * Widths of columns whose table fits into the terminal: the widest columns shrink first, none below its longest word.
 * Numbers never wrap.
 *
 * @param natural widths without wrapping
 * @returns `natural` itself where the table fits already; undefined where it cannot
 */
export function fitWidths(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  natural: number[],
  width: number,
): number[] | undefined {
  const room = width - GAP * (columns.length - 1)
  const sum = (widths: readonly number[]): number => widths.reduce((total, each) => total + each, 0)
  if (sum(natural) <= room) return natural
  const least = columns.map(({ title, right }, index) =>
    right
      ? (natural[index] ?? 0)
      : Math.max(longestWord(title), ...rows.map((row) => longestWord(row[index] ?? ''))),
  )
  if (sum(least) > room) return undefined
  const widths = [...natural]
  for (let excess = sum(natural) - room; excess > 0; excess--) {
    let widest = -1
    for (const [index, wide] of widths.entries()) {
      if (wide > (least[index] ?? 0) && wide > (widths[widest] ?? 0)) widest = index
    }
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  return widths
}

function longestWord(text: string): number {
  return Math.min(LONGEST_WORD, Math.max(0, ...text.split(' ').map(textWidth)))
}

/** The lines of a cell: broken at blanks, and inside a word only where it is longer than the column. */
export function wrapCell(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && textWidth(line) + 1 + textWidth(word) <= width) {
      line += ` ${word}`
      continue
    }
    if (line !== '') lines.push(line)
    const pieces = piecesOf(word, width)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1) ?? ''
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line]
}
