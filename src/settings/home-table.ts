import { existsSync, readFileSync } from 'node:fs'
import { SettingsError } from 'candlehouse-foundation/errors'
import { reasonOf } from 'candlehouse-foundation/system-fault'

/** One line of a table that the user keeps in the home. */
export interface HomeRow {
  /** `FILE:LINE`, for messages. */
  readonly place: string
  /** A value without the spaces around it; empty where the line or the table lacks it. */
  cell(column: string): string
}

export interface HomeTable {
  readonly columns: readonly string[]
  /** Those that its header has to name. */
  readonly needed: readonly string[]
  /** What to write, for messages. */
  readonly example: string
}

/**
 * Lines of a CSV file of the home; none where there is no such file. A byte order mark, CRLF and quotes are read as spreadsheets
 * write them.
 *
 * @throws SettingsError that names the file, the line, the value and what to write
 */
export function readHomeTable(file: string, { columns, needed, example }: HomeTable): HomeRow[] {
  if (!existsSync(file)) return []
  const lines = textOf(file, example).split(/\r\n|\n|\r/)
  const header = cellsOf(lines[0] ?? '', `${file}:1`).map((name) => name.toLowerCase())
  const unknown = header.find((name, at) => !columns.includes(name) || header.indexOf(name) !== at)
  const missing = needed.find((name) => !header.includes(name))
  if (unknown !== undefined || missing !== undefined) {
    const wrong =
      unknown === undefined ? `there is no column '${missing}'` : `'${unknown}' is not one of its columns`
    throw new SettingsError(`${file}:1: ${wrong}`, { hint: example })
  }
  return lines.flatMap((line, index) => {
    if (index === 0 || line.trim() === '') return []
    const place = `${file}:${index + 1}`
    const cells = cellsOf(line, place)
    if (cells.length > header.length)
      throw new SettingsError(`${place}: ${cells.length} values for ${header.length} columns`, {
        hint: 'write a value that contains a comma in double quotes',
      })
    return [{ place, cell: (column: string) => cells[header.indexOf(column)] ?? '' }]
  })
}

function textOf(file: string, example: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (cause) {
    const why = cause instanceof TypeError ? 'it is not UTF-8 text' : reasonOf(cause)
    throw new SettingsError(`${file} cannot be read: ${why}`, { hint: example, cause })
  }
}

/** The values of a line, without the spaces around them; a quoted value may contain commas and doubled quotes. */
function cellsOf(line: string, place: string): string[] {
  const cells: string[] = []
  let rest = line
  for (;;) {
    const [whole, quoted, plain] = /^\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(?=,|$)/.exec(rest) ?? []
    if (whole === undefined)
      throw new SettingsError(`${place}: a double quote is not closed, or stands within a value: ${rest}`, {
        hint: 'close each quoted value on its line, and double the quotes within it',
      })
    cells.push((quoted?.replaceAll('""', '"') ?? plain ?? '').trim())
    rest = rest.slice(whole.length)
    if (rest === '') return cells
    rest = rest.slice(1)
  }
}
