import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError } from '../errors.js'
import { folderWith } from '../package.js'

/** One line of a reference table, by column name. */
export type ReferenceRow = Readonly<Record<string, string>>

const FOLDER = join('data', 'reference')

/** Path of a reference table: inside the package, independent of the home. */
export function referenceFile(name: string): string {
  return join(folderWith(FOLDER, import.meta.url), FOLDER, `${name}.csv`)
}

/**
 * Reads `data/reference/NAME.csv` from the package. These tables are in version control and plain: no
 * quotes and no commas inside a value, so a changed line is easy to read in a diff.
 */
export function readReference(name: string, columns: readonly string[]): ReferenceRow[] {
  const file = referenceFile(name)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new StorageError(`reference table ${file} cannot be read`, { cause, hint: 'install again: npm ci' })
  }
  const lines = text.split(/\r?\n/).filter((line) => line !== '')
  const header = (lines[0] ?? '').split(',')
  if (!columns.every((column) => header.includes(column))) {
    throw new StorageError(`reference table ${file} lacks a column: expected ${columns.join(', ')}`)
  }
  return lines.slice(1).map((line, index) => {
    const cells = line.split(',')
    if (cells.length !== header.length) {
      throw new StorageError(`${file}:${index + 2}: ${cells.length} values for ${header.length} columns`)
    }
    return Object.fromEntries(header.map((column, position) => [column, cells[position] ?? '']))
  })
}

/** The value of a column that `readReference` has checked. */
export function cell(row: ReferenceRow, column: string): string {
  return row[column] ?? ''
}

/** True if a dated row is valid on a day: bounds are inclusive, an empty `valid_to` has no end. */
export function holdsOn(row: { validFrom: string; validTo: string }, day: string): boolean {
  return row.validFrom <= day && (row.validTo === '' || day <= row.validTo)
}
