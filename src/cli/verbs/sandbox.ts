import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Effects } from '../../effects.js'
import { SettingsError, UsageError } from '../../errors.js'
import type { Day } from '../../market/day.js'
import { type SandboxOptions, SHOWCASE_ENDS } from '../../sandbox/options.js'
import { type CommonOptions, day, type Edge, settle, verb, whole } from '../verb.js'

type Options = CommonOptions & {
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
  publicKey?: string
  fieldSuffixes?: { broker: string; depository: string }
  smartOtp: 'auto' | 'manual'
  rateLimit?: { limit: number; windowSeconds: number }
}

export function sandboxVerb(edge: Edge, effects: Effects): Command {
  return verb('sandbox', 'the whole brokerage service on loopback, until Ctrl-C')
    .option('--port <number>', 'port to listen on (default: any free one)', whole(0, 65_535))
    .option('--date <day>', "the sandbox's today (default: today)", day)
    .addOption(
      new Option('--universe <name>', 'how many instruments').choices(['demo', 'full']).default('demo'),
    )
    .option('--seed <number>', 'another seed is another market', whole(0), 1)
    .addOption(
      new Option('--dialect <name>', 'as specified, or as live deployments differ')
        .choices(['spec', 'live'])
        .default('spec'),
    )
    .option('--at <time>', 'where the clock stands on --date, UTC+7 (default: 18:00)', timeOfDay)
    .option(
      '--trade [time]',
      `run the scripted trading day of --date up to a time (default: ${SHOWCASE_ENDS}) and stand there`,
      timeOfDay,
    )
    .option('--ongoing', 'the demo client goes on trading on every session that a driven clock reaches')
    .option('--drive', 'open /sandbox/clock and /sandbox/smart-otp, which move the clock and approve logins')
    .option(
      '--field-suffixes <two>',
      'written for Broker and Depository in field names, like ABC,XYZ',
      suffixes,
    )
    .option('--public-key <file>', 'PEM or .NET XML: verify X-Signature with it (default: only look at it)')
    .addOption(
      new Option('--smart-otp <mode>', 'who approves a Smart OTP: its second poll, or /sandbox/smart-otp')
        .choices(['auto', 'manual'])
        .default('auto'),
    )
    .option('--latency <ms>', 'added to every answer, in milliseconds', whole(0), 0)
    .option('--page-cap <rows>', 'larger pages are silently cut to this many rows', whole(1))
    .option('--page-refused-above <rows>', 'larger pages are refused', whole(1))
    .addOption(
      new Option('--date-format <form>', 'how trading dates are written')
        .choices(['YYYY/MM/DD', 'DD/MM/YYYY', 'iso'])
        .default('YYYY/MM/DD'),
    )
    .addOption(
      new Option('--ohlc-order <order>', "order of candles (default: the dialect's)").choices([
        'oldest',
        'newest',
      ]),
    )
    .option('--no-ohlc-counts', 'candle pages carry no counts')
    .addOption(
      new Option('--empty-as <form>', "how empty results are written (default: the dialect's)").choices([
        'envelope',
        'code204',
      ]),
    )
    .option('--token-ttl <seconds>', 'lifetime of an access token (default: 28800)', whole(1))
    .option('--rate-limit <count/seconds>', 'requests allowed in a window, like 100/60', rateLimit)
    .action(async (options: Options) => {
      const call = settle(options, edge, effects)
      checkClock(options)
      const say = (otp: string): void =>
        call.terminal.words(`one-time password of the sandbox's customer: ${otp}`)
      // Loaded only here: an HTTP server costs every other verb a quarter of a second.
      const { startSandbox } = await import('../../sandbox/index.js')
      const sandbox = await startSandbox({ ...sandboxOptions(options), onOtp: say }, call.effects)
      const { url, apiKey, apiSecret, otp } = sandbox
      await call.terminal.data(
        `${JSON.stringify({ url, apiKey, apiSecret, otp, openapi: `${url}/openapi.json` })}\n`,
      )
      call.terminal.words('the sandbox listens until Ctrl-C')
      if (!call.signal.aborted) await once(call.signal, 'abort')
      await sandbox.close()
    })
}

function sandboxOptions(options: Options): SandboxOptions {
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
    ...(options.fieldSuffixes === undefined ? {} : { fieldSuffixes: options.fieldSuffixes }),
    ...(options.publicKey === undefined ? {} : { publicKey: readKey(options.publicKey) }),
    ...(port === undefined ? {} : { port }),
    ...(date === undefined ? {} : { date }),
    ...(pageCap === undefined ? {} : { pageCap }),
    ...(pageRefusedAbove === undefined ? {} : { pageSizeRefusedAbove: pageRefusedAbove }),
    ...(tokenTtl === undefined ? {} : { tokenTtlSeconds: tokenTtl }),
    ...(rate === undefined ? {} : { rateLimit: rate }),
  }
}

/** A clock that stands needs a day to stand on. */
function checkClock({ date, at, trade, drive }: Options): void {
  if (date !== undefined || !(at || trade || drive)) return
  throw new UsageError(
    '--at, --trade and --drive need --date: a clock that runs with the day cannot be moved',
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
      hint: 'make one with: openssl rsa -in private.pem -pubout -out public.pem',
      cause,
    })
  }
}

function suffixes(text: string): { broker: string; depository: string } {
  const [, broker, depository] = /^(\w+),(\w+)$/.exec(text) ?? []
  if (!broker || !depository) throw new InvalidArgumentError('it must be two words, like ABC,XYZ.')
  return { broker, depository }
}

function timeOfDay(text: string): string {
  if (/^([01]\d|2[0-3]):[0-5]\d$/.test(text)) return text
  throw new InvalidArgumentError('it must be a time like 14:20.')
}

function rateLimit(text: string): { limit: number; windowSeconds: number } {
  const [, limit, seconds] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(text) ?? []
  if (!limit || !seconds) throw new InvalidArgumentError('it must be requests/seconds, like 100/60.')
  return { limit: Number(limit), windowSeconds: Number(seconds) }
}
