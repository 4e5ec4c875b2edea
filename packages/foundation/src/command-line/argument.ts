import { InvalidArgumentError } from 'commander'
import { type Day, isDay } from '../market/day.js'

/** Reads a day of the command line. @throws InvalidArgumentError */
export function readDay(text: string): Day {
  if (isDay(text)) return text
  throw new InvalidArgumentError('Give an existing day, like 2025-03-14.')
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
