import { readFileSync } from 'node:fs'
import { readDay, whole } from 'candlehouse-foundation/command-line/argument'
import { SettingsError, UsageError } from 'candlehouse-foundation/errors'
import type { Day } from 'candlehouse-foundation/market/day'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { MOST_KEYS, type SandboxOptions, SHOWCASE_ENDS } from '../options.js'
import { type EventFlags, eventsOf, withEventOptions } from './event-options.js'
import { timeOfDay } from './time-of-day.js'

/** The options of the command as commander gives them. */
export interface SandboxFlags extends EventFlags {
  port?: number
  date?: Day
  universe: 'demo' | 'full'
  seed: number
  latency: number
  pageCap?: number
  pageRefusedAbove?: number
  dateFormat: NonNullable<SandboxOptions['dateFormat']>
  ohlcOrder?: NonNullable<SandboxOptions['ohlcOrder']>
  ohlcCounts: boolean
  emptyAs?: NonNullable<SandboxOptions['emptyAs']>
  tokenTtl?: number
  dialect: 'spec' | 'live'
  at?: string
  trade?: string | true
  drive?: true
  ongoing?: true
  referenceNoise?: true
  publicKey?: string
  fieldSuffixes?: { broker: string; depository: string }
  smartOtp: 'auto' | 'manual'
  singleUseOtp?: true
  keys?: number
  rateLimit?: { limit: number; windowSeconds: number }
  log?: string | true
}

/** The options of `candlehouse sandbox` and of `candlehouse-sandbox`. */
export function withSandboxOptions(command: Command): Command {
  return withResponseOptions(withEventOptions(withMarketOptions(command)))
}

/** Which market it is, and its clock. */
function withMarketOptions(command: Command): Command {
  return command
    .option('--port <number>', 'port to listen on (default: a free port)', whole(0, 65_535))
    .option('--date <day>', "the sandbox's current day (default: today)", readDay)
    .addOption(
      new Option('--universe <name>', 'set of instruments').choices(['demo', 'full']).default('demo'),
    )
    .option(
      '--seed <number>',
      'seed of the simulated market: the same seed gives the same market',
      whole(0),
      1,
    )
    .addOption(
      new Option('--dialect <name>', 'response format: as specified, or as live deployments write it')
        .choices(['spec', 'live'])
        .default('spec'),
    )
    .option('--at <time>', 'time on --date at which the clock stops, UTC+7 (default: 18:00)', timeOfDay)
    .option(
      '--trade [time]',
      `run the scripted trading day of --date up to a time (default: ${SHOWCASE_ENDS}), then stop the clock`,
      timeOfDay,
    )
    .option(
      '--reference-noise',
      'write reference prices that are off by a tick, as on noisy days of real data',
    )
    .option('--ongoing', 'let the demo client trade on every later session that the clock is moved to')
    .option(
      '--drive',
      'enable /sandbox/clock, /sandbox/smart-otp and /sandbox/cash: move the clock, approve logins, pay money in',
    )
}

/** How the service answers and what it checks. */
function withResponseOptions(command: Command): Command {
  return command
    .option(
      '--field-suffixes <two>',
      'names to write instead of Broker and Depository in field names, like ABC,XYZ',
      suffixes,
    )
    .option(
      '--public-key <file>',
      'key file, PEM or .NET XML, that X-Signature is verified with (default: only its form is checked)',
    )
    .option(
      '--keys <number>',
      'API keys, 1 to 3, each with a client of its own (default: 1)',
      whole(1, MOST_KEYS),
    )
    .addOption(
      new Option(
        '--smart-otp <mode>',
        'approve a Smart OTP at its second poll (auto), or only by /sandbox/smart-otp (manual)',
      )
        .choices(['auto', 'manual'])
        .default('auto'),
    )
    .option('--single-use-otp', 'accept the printed one-time password once, as real ones')
    .option('--latency <ms>', 'delay of every response, in milliseconds', whole(0), 0)
    .option(
      '--log [file]',
      'log each request as one line, without headers and bodies (default without a file: to stderr)',
    )
    .option(
      '--page-cap <rows>',
      'cut larger pages to this many rows, without an error (default: 2000)',
      whole(1),
    )
    .option('--page-refused-above <rows>', 'refuse requests for more rows per page', whole(1))
    .addOption(
      new Option('--date-format <form>', 'format of trading dates')
        .choices(['YYYY/MM/DD', 'DD/MM/YYYY', 'iso'])
        .default('YYYY/MM/DD'),
    )
    .addOption(
      new Option('--ohlc-order <order>', 'order of candles (default: that of --dialect)').choices([
        'oldest',
        'newest',
      ]),
    )
    .option('--no-ohlc-counts', 'write candle pages without counts')
    .addOption(
      new Option('--empty-as <form>', 'format of empty results (default: that of --dialect)').choices([
        'envelope',
        'code204',
      ]),
    )
    .option('--token-ttl <seconds>', 'lifetime of an access token in seconds (default: 28800)', whole(1))
    .option(
      '--rate-limit <count/seconds>',
      'allow this many requests per this many seconds, like 100/60',
      rateLimit,
    )
}

/** @throws UsageError for a stopped or moved clock without a day; SettingsError if a file cannot be read */
export async function sandboxOptionsOf(options: SandboxFlags): Promise<SandboxOptions> {
  checkClock(options)
  const { port, date, pageCap, pageRefusedAbove, tokenTtl, rateLimit: rate } = options
  return {
    universe: options.universe,
    seed: options.seed,
    latencyMs: options.latency,
    dateFormat: options.dateFormat,
    dialect: options.dialect,
    smartOtp: options.smartOtp,
    ...(options.ohlcOrder === undefined ? {} : { ohlcOrder: options.ohlcOrder }),
    ...(options.ohlcCounts ? {} : { ohlcCounts: false }),
    ...(options.emptyAs === undefined ? {} : { emptyAs: options.emptyAs }),
    ...(options.at === undefined ? {} : { at: options.at }),
    ...(options.trade === undefined ? {} : { trade: options.trade === true ? SHOWCASE_ENDS : options.trade }),
    ...(options.drive ? { drive: true } : {}),
    ...(options.ongoing ? { ongoing: true } : {}),
    ...(await eventsOf(options)),
    ...(options.referenceNoise ? { referenceNoise: true } : {}),
    ...(options.fieldSuffixes === undefined ? {} : { fieldSuffixes: options.fieldSuffixes }),
    ...(options.publicKey === undefined ? {} : { publicKey: readKey(options.publicKey) }),
    ...(options.singleUseOtp ? { singleUseOtp: true } : {}),
    ...(options.keys === undefined ? {} : { keys: options.keys }),
    ...(port === undefined ? {} : { port }),
    ...(date === undefined ? {} : { date }),
    ...(pageCap === undefined ? {} : { pageCap }),
    ...(pageRefusedAbove === undefined ? {} : { pageSizeRefusedAbove: pageRefusedAbove }),
    ...(tokenTtl === undefined ? {} : { tokenTtlSeconds: tokenTtl }),
    ...(rate === undefined ? {} : { rateLimit: rate }),
  }
}

function checkClock({ date, at, trade, drive }: SandboxFlags): void {
  if (date !== undefined || !(at || trade || drive)) return
  throw new UsageError(
    '--at, --trade and --drive need --date: without it the sandbox follows the real clock, which cannot be moved',
    {
      hint: 'candlehouse sandbox --date 2025-11-20 --trade',
    },
  )
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new SettingsError(`--public-key ${file} cannot be read: ${(cause as Error).message}`, {
      hint: 'create one with: openssl rsa -in private.pem -pubout -out public.pem',
      cause,
    })
  }
}

function suffixes(text: string): { broker: string; depository: string } {
  const [, broker, depository] = /^(\w+),(\w+)$/.exec(text) ?? []
  if (!broker || !depository)
    throw new InvalidArgumentError('Give two words separated by a comma, like ABC,XYZ.')
  return { broker, depository }
}

function rateLimit(text: string): { limit: number; windowSeconds: number } {
  const [, limit, seconds] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(text) ?? []
  if (!limit || !seconds) throw new InvalidArgumentError('Give requests/seconds, like 100/60.')
  return { limit: Number(limit), windowSeconds: Number(seconds) }
}
