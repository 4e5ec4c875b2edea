import { UsageError } from 'candlehouse-foundation/errors'
import { isDay } from 'candlehouse-foundation/market/day'
import { nearestNames } from 'candlehouse-foundation/nearest-names'
import type { SandboxOptions } from './options.js'

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/
/** Per cent: the law lets a broker lend half. */
const MOST_LENT = 50

/** Every option. The compiler asks for those that are added. */
const KNOWN: Readonly<Record<keyof SandboxOptions, true>> = {
  port: true,
  date: true,
  now: true,
  at: true,
  trade: true,
  drive: true,
  ongoing: true,
  dialect: true,
  fieldSuffixes: true,
  publicKey: true,
  keys: true,
  smartOtp: true,
  singleUseOtp: true,
  log: true,
  onOtp: true,
  universe: true,
  seed: true,
  marginLoan: true,
  marginRatios: true,
  impact: true,
  lending: true,
  forcedSale: true,
  referenceNoise: true,
  latencyMs: true,
  pageCap: true,
  pageSizeRefusedAbove: true,
  dateFormat: true,
  rateLimit: true,
  ohlcOrder: true,
  ohlcCounts: true,
  emptyAs: true,
  tokenTtlSeconds: true,
  faults: true,
  restate: true,
  limitDays: true,
  splits: true,
  transfers: true,
}

/** Options with a closed list of values. */
const CHOICES = {
  dialect: ['spec', 'live'],
  universe: ['demo', 'full'],
  smartOtp: ['auto', 'manual'],
  dateFormat: ['YYYY/MM/DD', 'DD/MM/YYYY', 'iso'],
  ohlcOrder: ['oldest', 'newest'],
  emptyAs: ['envelope', 'code204'],
} as const satisfies { [Name in keyof SandboxOptions]?: readonly SandboxOptions[Name][] }

/**
 * Options that a program wrote, which its types alone do not keep right: a day that does not exist would otherwise be another market,
 * without a word. The command line has its own words for the same mistakes.
 *
 * @throws UsageError that names the option
 */
export function checkOptions(options: SandboxOptions): void {
  for (const name of Object.keys(options)) if (!Object.hasOwn(KNOWN, name)) throw unknown(name)
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = options[name as keyof typeof CHOICES]
    if (value !== undefined && !(choices as readonly string[]).includes(value))
      throw refused(name, `one of ${choices.join(', ')}`)
  }
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

function unknown(name: string): UsageError {
  const [meant] = nearestNames(name, Object.keys(KNOWN))
  return new UsageError(
    `the sandbox has no option ${name}${meant === undefined ? '' : `: did you mean ${meant}?`}`,
  )
}

function refused(name: string, expected: string): UsageError {
  return new UsageError(`option ${name} of the sandbox: expected ${expected}`)
}
