import { type Day, isDay } from 'candlehouse-foundation/market/day'
import { z } from 'zod'
import { readMoment } from '../../broker/moment.js'

const DAY_FORM = 'expected a day that exists, like 2025/11/20'

/** `YYYY/MM/DD`, the specification's form on the reference endpoints, read into a day. */
export const slashedDay = z
  .string({ error: DAY_FORM })
  .regex(/^\d{4}\/\d{2}\/\d{2}$/, { error: DAY_FORM })
  .transform((text) => text.replaceAll('/', '-'))
  .refine(isDay, { error: DAY_FORM })
  .meta({ description: 'YYYY/MM/DD', examples: ['2025/11/20'] })

/** A bound of a candle range. */
export interface Moment {
  day: Day
  /** Seconds after midnight, when a time was given. */
  second?: number
  /** Written with slashes, which live deployments accept only together with a time. */
  slashed: boolean
}

const MOMENT_FORM = 'expected a day or a time that exists, like 2025-11-20, 2025/11/20 or 2025/11/20 09:15:00'

/**
 * The specification shows `YYYY-MM-DD` here; live deployments want `YYYY/MM/DD HH:mm:ss`
 * (docs/market-facts.md#candle-dates).
 */
export const moment = z
  .string({ error: MOMENT_FORM })
  .transform((text, context): Moment => {
    const read = readMoment(text)
    if (read && read.offset === undefined && (read.second === undefined || isPlainTime(text))) {
      const { day, slashed, second } = read
      return second === undefined ? { day, slashed } : { day, slashed, second }
    }
    context.issues.push({ code: 'custom', message: MOMENT_FORM, input: text })
    return z.NEVER
  })
  .meta({
    description: 'YYYY-MM-DD or YYYY/MM/DD, alone or with HH:mm:ss',
    pattern: '^\\d{4}[-/]\\d{2}[-/]\\d{2}( \\d{2}:\\d{2}(:\\d{2})?)?$',
    examples: ['2025-11-20'],
  })

function isPlainTime(text: string): boolean {
  return / \d{2}:\d{2}:\d{2}$/.test(text)
}

const COUNT_FORM = 'expected a whole number from 1 to 999999999'

const wholeNumber = z
  .string({ error: COUNT_FORM })
  .regex(/^[1-9]\d{0,8}$/, { error: COUNT_FORM })
  .transform(Number)

/** Pages start at 1; the default size is 10 (docs/brokerage-api.md#limits). */
export const paging = {
  pageIndex: wholeNumber.optional().meta({ description: 'default 1', examples: ['1'] }),
  pageSize: wholeNumber.optional().meta({ description: 'default 10', examples: ['20'] }),
}

export const board = z.enum(['HOSE', 'HNX', 'UPCOM'])

/** Name of a symbol, an index or an account. */
export const name = z
  .string({ error: 'is required' })
  .min(1, { error: 'is required' })
  .max(40, { error: 'is longer than 40 characters' })

export const symbol = name.meta({ examples: ['FPT'] })
export const index = name.meta({ examples: ['VN30'] })
/** An account of the demo client. */
export const accountNo = name.meta({ examples: ['0881234561'] })
