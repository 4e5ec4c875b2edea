import { readDay } from 'candlehouse-foundation/command-line/argument'
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

const INSTANT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)$/

/** Reads an evening: a day, of which it is the end in exchange time, or an instant with a zone. @throws InvalidArgumentError */
export function readEvening(text: string): string {
  if (INSTANT.test(text) && readDay(text.slice(0, 10))) return text
  if (text.length === 10) return `${readDay(text)}T23:59:59.999999+07:00`
  throw new InvalidArgumentError(
    'Give a day, like 2025-03-14, or an instant with its zone, like 2025-03-14T18:00+07:00.',
  )
}
