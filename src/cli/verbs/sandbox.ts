import { once } from 'node:events'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Effects } from '../../effects.js'
import type { Day } from '../../market/day.js'
import { type SandboxOptions, startSandbox } from '../../sandbox/index.js'
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
  ohlcOrder: NonNullable<SandboxOptions['ohlcOrder']>
  ohlcCounts: boolean
  emptyAs: NonNullable<SandboxOptions['emptyAs']>
  tokenTtl?: number
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
    .option('--latency <ms>', 'added to every answer, in milliseconds', whole(0), 0)
    .option('--page-cap <rows>', 'larger pages are silently cut to this many rows', whole(1))
    .option('--page-refused-above <rows>', 'larger pages are refused', whole(1))
    .addOption(
      new Option('--date-format <form>', 'how trading dates are written')
        .choices(['YYYY/MM/DD', 'DD/MM/YYYY', 'iso'])
        .default('YYYY/MM/DD'),
    )
    .addOption(
      new Option('--ohlc-order <order>', 'order of candles').choices(['oldest', 'newest']).default('oldest'),
    )
    .option('--no-ohlc-counts', 'candle pages carry no counts')
    .addOption(
      new Option('--empty-as <form>', 'how empty results are written')
        .choices(['envelope', 'code204'])
        .default('envelope'),
    )
    .option('--token-ttl <seconds>', 'lifetime of an access token (default: 28800)', whole(1))
    .option('--rate-limit <count/seconds>', 'requests allowed in a window, like 100/60', rateLimit)
    .action(async (options: Options) => {
      const call = settle(options, edge, effects)
      const sandbox = await startSandbox(sandboxOptions(options), call.effects)
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
    ohlcOrder: options.ohlcOrder,
    ohlcCounts: options.ohlcCounts,
    emptyAs: options.emptyAs,
    ...(port === undefined ? {} : { port }),
    ...(date === undefined ? {} : { date }),
    ...(pageCap === undefined ? {} : { pageCap }),
    ...(pageRefusedAbove === undefined ? {} : { pageSizeRefusedAbove: pageRefusedAbove }),
    ...(tokenTtl === undefined ? {} : { tokenTtlSeconds: tokenTtl }),
    ...(rate === undefined ? {} : { rateLimit: rate }),
  }
}

function rateLimit(text: string): { limit: number; windowSeconds: number } {
  const [, limit, seconds] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(text) ?? []
  if (!limit || !seconds) throw new InvalidArgumentError('it must be requests/seconds, like 100/60.')
  return { limit: Number(limit), windowSeconds: Number(seconds) }
}
