import { readDay } from 'candlehouse-foundation/command-line/argument'
import { shellWord } from 'candlehouse-foundation/command-line/shell-word'
import { UsageError } from 'candlehouse-foundation/errors'
import { InvalidArgumentError } from 'commander'

/** Reads a one-time password. @throws InvalidArgumentError for blanks: a login without one ends a verified session */
export function oneTimePassword(text: string): string {
  const code = text.trim()
  if (code !== '') return code
  throw new InvalidArgumentError('It is empty. Give the code, or omit --otp: you are then asked for it.')
}

/** Reads symbols separated by commas, spelled as the service spells them. @throws InvalidArgumentError */
export function symbolList(text: string): string[] {
  const symbols = [...new Set(text.split(',').map((symbol) => symbol.trim()))].filter(Boolean)
  if (symbols.length === 0) throw new InvalidArgumentError('Give symbols separated by commas, like FPT,VNM.')
  return symbols
}

const INSTANT = new RegExp(
  [
    /^(?<day>\d{4}-\d{2}-\d{2})[T ]/,
    /(?<minute>(?:[01]\d|2[0-3]):[0-5]\d)(?::(?<second>[0-5]\d(?:\.\d{1,6})?))?/,
    /(?:Z|(?<hours>[+-](?:0\d|1[0-4]))(?::?(?<minutes>[0-5]\d))?)$/,
  ]
    .map(({ source }) => source)
    .join(''),
)

/**
 * Reads an evening: a day, of which it is the end in exchange time, or an instant with a zone.
 *
 * @returns ISO with seconds, which DuckDB does not read without them
 * @throws InvalidArgumentError
 */
export function readEvening(text: string): string {
  const { day, minute, second = '00', hours, minutes = '00' } = INSTANT.exec(text)?.groups ?? {}
  if (day !== undefined)
    return `${readDay(day)}T${minute}:${second}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`
  if (text.length === 10) return `${readDay(text)}T23:59:59.999999+07:00`
  throw new InvalidArgumentError(
    'Give a day, like 2025-03-14, or an instant with its zone, like 2025-03-14T18:00+07:00.',
  )
}

/** @param example the command that is right, of its two options @throws UsageError for a receipt of no evening */
export function requireEvening(
  { receipt, asKnownOn }: { receipt?: string; asKnownOn?: string },
  example: (evening: string) => string,
): void {
  if (receipt === undefined || asKnownOn !== undefined) return
  throw new UsageError('--receipt says what was known on an evening, and none is given', {
    hint: example(`--as-known-on 2025-03-14 --receipt ${shellWord(receipt)}`),
  })
}
