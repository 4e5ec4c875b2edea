import { UsageError } from 'candlehouse-foundation/errors'
import { isDay } from 'candlehouse-foundation/market/day'
import type { SandboxOptions } from './options.js'

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/
/** Per cent: the law lets a broker lend half. */
const MOST_LENT = 50

/**
 * Options that a program wrote, which its types alone do not keep right: a day that does not exist would otherwise be another market,
 * without a word. The command line has its own words for the same mistakes.
 *
 * @throws UsageError that names the option
 */
export function checkOptions(options: SandboxOptions): void {
  const { date, marginRatios, lending = {} } = options
  if (date !== undefined && !isDay(date)) throw refused('date', 'a day that exists, like 2025-11-20')
  for (const name of ['at', 'trade', 'forcedSale'] as const) {
    const time = options[name]
    if (time !== undefined && !TIME_OF_DAY.test(time)) throw refused(name, 'a time of day, like 14:20')
  }
  if (marginRatios && !(marginRatios.sell < marginRatios.call))
    throw refused('marginRatios', 'a call above the sell, like { call: 40, sell: 30 }')
  for (const [symbol, perCent] of Object.entries(lending))
    if (!(perCent >= 0 && perCent <= MOST_LENT)) throw refused(`lending.${symbol}`, 'a per cent from 0 to 50')
}

function refused(name: string, expected: string): UsageError {
  return new UsageError(`option ${name} of the sandbox: expected ${expected}`)
}
