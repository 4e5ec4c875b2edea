import { InvalidArgumentError } from 'commander'
import { type Day, isDay } from '../market/day.js'

/** Reads a day of the command line. @throws InvalidArgumentError */
export function day(text: string): Day {
  if (isDay(text)) return text
  throw new InvalidArgumentError('Give an existing day, like 2025-03-14.')
}

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

/** A reader of whole numbers from `least` to `most`. */
export function whole(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    const bound = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`
    throw new InvalidArgumentError(`Give a whole number ${bound}.`)
  }
}
