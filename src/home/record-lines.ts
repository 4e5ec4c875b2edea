import { existsSync, readFileSync } from 'node:fs'
import { StorageError } from 'candlehouse-foundation/errors'

/**
 * Reads the records of a file of JSON lines, in the order in which they were appended. Without a file there are none. A last line without
 * a newline is ignored: a kill has cut it off, so nobody has relied on it.
 *
 * @param parse throws for what is not a record
 * @param noun of a record, as in `an override`
 * @throws StorageError that names the line which is none
 */
export function readRecordLines<T>(file: string, parse: (value: unknown) => T, noun: string): T[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n')
  lines.pop()
  return lines.map((line, index) => {
    try {
      return parse(JSON.parse(line))
    } catch (cause) {
      throw new StorageError(`${file}, line ${index + 1}: not ${noun}`, {
        hint: 'restore the file from a backup, or remove the line',
        cause,
      })
    }
  })
}
