/** The first line of a CSV file: its columns, and what stands between them. */
export interface CsvHead {
  readonly delimiter: string
  readonly names: readonly string[]
}

/** What no line of text holds; U+FFFD stands for bytes that are no UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const BINARY = /[\u0000-\u0008\u000e-\u001f\ufffd]/

const DELIMITERS = [',', ';', '\t', '|'] as const

/**
 * Reads the first line here and not by a sniffer, which guesses from the rows: it may skip lines, take a sign for that of
 * a comment, or a row for the head. Undefined where the text has no first line with a name.
 *
 * @param text the beginning of the file, with or without a byte order mark
 */
export function readHead(text: string): CsvHead | undefined {
  const line = firstLine(text.replace(/^\uFEFF/, ''))
  const counts = DELIMITERS.map((delimiter) => [delimiter, cells(line, delimiter).length] as const)
  const [delimiter, count] = counts.reduce((most, each) => (each[1] > most[1] ? each : most))
  const names = cells(line, delimiter)
  if (count === 0 || names.every((name) => name.trim() === '') || BINARY.test(line)) return undefined
  return { delimiter, names }
}

/** Up to the first line end outside of quotes. */
function firstLine(text: string): string {
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') quoted = !quoted
    else if (!quoted && (char === '\n' || char === '\r')) return text.slice(0, at)
  }
  return text
}

function cells(line: string, delimiter: string): string[] {
  const texts: string[] = []
  let from = 0
  let quoted = false
  for (let at = 0; at <= line.length; at++) {
    if (line[at] === '"') quoted = !quoted
    if (at < line.length && (quoted || line[at] !== delimiter)) continue
    texts.push(unquoted(line.slice(from, at)))
    from = at + 1
  }
  return texts
}

function unquoted(cell: string): string {
  return /^".*"$/s.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell
}
