import { z } from 'zod'
import { type Day, isDay } from '../../market/day.js'

/** `YYYY/MM/DD`, the specification's form on the reference endpoints, read into a day. */
export const slashedDay = z
  .string()
  .regex(/^\d{4}\/\d{2}\/\d{2}$/)
  .transform((text) => text.replaceAll('/', '-'))
  .refine(isDay)
  .describe('YYYY/MM/DD')

/** A bound of a candle range. */
export interface Moment {
  day: Day
  /** Seconds after midnight, when a time was given. */
  second?: number
  /** Written with slashes, which live deployments accept only together with a time. */
  slashed: boolean
}

const MOMENT = /^(\d{4})([-/])(\d{2})\2(\d{2})(?: (\d{2}):(\d{2}):(\d{2}))?$/

function readMoment(text: string): Moment | undefined {
  const match = MOMENT.exec(text)
  if (!match) return undefined
  const [, year, separator, month, date, hour, minute, second] = match
  const day = `${year}-${month}-${date}`
  if (!isDay(day)) return undefined
  const slashed = separator === '/'
  if (hour === undefined) return { day, slashed }
  const [h, m, s] = [Number(hour), Number(minute), Number(second)]
  return h < 24 && m < 60 && s < 60 ? { day, slashed, second: h * 3600 + m * 60 + s } : undefined
}

/**
 * The specification shows `YYYY-MM-DD` here; live deployments want `YYYY/MM/DD HH:mm:ss`
 * (docs/market-facts.md#candle-dates).
 */
export const moment = z
  .string()
  .transform((text, context): Moment => {
    const parsed = readMoment(text)
    if (parsed) return parsed
    context.issues.push({ code: 'custom', message: 'not a date or date-time', input: text })
    return z.NEVER
  })
  .describe('YYYY-MM-DD or YYYY/MM/DD, alone or with HH:mm:ss')

const wholeNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number)

/** Pages start at 1; the default size is 10 (docs/brokerage-api.md#limits). */
export const paging = {
  pageIndex: wholeNumber.optional().describe('default 1'),
  pageSize: wholeNumber.optional().describe('default 10'),
}

export const board = z.enum(['HOSE', 'HNX', 'UPCOM'])

/** Name of a symbol, an index or an account. */
export const name = z.string().max(40)
