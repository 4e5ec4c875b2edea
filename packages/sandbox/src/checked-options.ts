import { UsageError } from 'candlehouse-foundation/errors'
import { isDay } from 'candlehouse-foundation/market/day'
import { nearestNames } from 'candlehouse-foundation/nearest-names'
import { z } from 'zod'
import { faultPlanForm } from './fault-plan-form.js'
import { MOST_KEYS, type SandboxOptions } from './options.js'

/** Per cent: the law lets a broker lend half. */
const MOST_LENT = 50

/** What an option can be: its form, and the same in words. */
type Form = readonly [z.ZodType, string]

const oneOf = (...choices: [string, ...string[]]): Form => [z.enum(choices), `one of ${choices.join(', ')}`]
const whole = (least: number, most = Number.MAX_SAFE_INTEGER): Form => [
  z.int().min(least).max(most),
  most === Number.MAX_SAFE_INTEGER
    ? `a whole number of at least ${least}`
    : `a whole number from ${least} to ${most}`,
]
const timeOfDay: Form = [z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/), 'a time of day, like 14:20']
const yesOrNo: Form = [z.boolean(), 'true or false']
const called: Form = [z.custom((value) => typeof value === 'function'), 'a function']
const text: Form = [z.string().min(1), 'a text']
const day = z.string().refine(isDay)

/** Every option: the compiler asks for those that are added. */
const FORMS: Readonly<Record<keyof SandboxOptions, Form>> = {
  port: whole(0, 65_535),
  date: [day, 'a day that exists, like 2025-11-20'],
  now: [z.number(), 'epoch milliseconds'],
  at: timeOfDay,
  trade: timeOfDay,
  drive: yesOrNo,
  ongoing: yesOrNo,
  dialect: oneOf('spec', 'live'),
  fieldSuffixes: [
    z.strictObject({ broker: z.string(), depository: z.string() }),
    'two texts, like { broker: "ABC", depository: "XYZ" }',
  ],
  publicKey: text,
  keys: whole(1, MOST_KEYS),
  smartOtp: oneOf('auto', 'manual'),
  singleUseOtp: yesOrNo,
  log: called,
  onOtp: called,
  universe: oneOf('demo', 'full'),
  seed: [z.int(), 'a whole number'],
  marginLoan: whole(0),
  marginRatios: [
    z.strictObject({ call: z.number(), sell: z.number() }).refine(({ call, sell }) => sell < call),
    'a call above the sell, like { call: 40, sell: 30 }',
  ],
  impact: yesOrNo,
  lending: [z.record(z.string(), z.unknown()), 'a per cent by symbol, like { FPT: 30 }'],
  forcedSale: timeOfDay,
  referenceNoise: yesOrNo,
  latencyMs: whole(0),
  pageCap: whole(1),
  pageSizeRefusedAbove: whole(1),
  dateFormat: oneOf('YYYY/MM/DD', 'DD/MM/YYYY', 'iso'),
  rateLimit: [
    z.strictObject({ limit: z.int().min(1), windowSeconds: z.number().positive() }),
    'a limit and its window, like { limit: 100, windowSeconds: 10 }',
  ],
  ohlcOrder: oneOf('oldest', 'newest'),
  ohlcCounts: yesOrNo,
  emptyAs: oneOf('envelope', 'code204'),
  tokenTtlSeconds: [z.number().positive(), 'seconds, more than 0'],
  faults: [faultPlanForm.shape.faults, 'a list of faults, as POST /sandbox/faults takes it'],
  restate: [
    z.array(
      z.strictObject({
        symbol: z.string(),
        tradingDate: z.string(),
        field: z.string(),
        value: z.string().nullable(),
        route: z.string().optional(),
      }),
    ),
    'a list of symbol, tradingDate, field and value, and a route where only one has it',
  ],
  limitDays: [z.array(day), 'a list of days that exist'],
  splits: [
    z.array(z.strictObject({ symbol: z.string(), day, ratio: z.number() })),
    'a list of symbol, day and ratio',
  ],
  transfers: [
    z.array(z.strictObject({ symbol: z.string(), day, board: z.enum(['HOSE', 'HNX', 'UPCOM']) })),
    'a list of symbol, day and board',
  ],
}

/**
 * Options that a program wrote, which its types alone do not keep right: a misspelt name, or a day that does not exist, would otherwise
 * be another market, without a word. The command line has its own words for the same mistakes.
 *
 * @throws UsageError that names the option
 */
export function checkOptions(options: SandboxOptions): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new UsageError('the options of the sandbox are an object, like { date: "2025-11-20" }')
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(FORMS, name)) throw unknown(name)
    const [form, words] = FORMS[name as keyof SandboxOptions]
    if (value === undefined) continue
    const { success, error } = form.safeParse(value)
    if (!success) throw refused([name, ...placeOf(error)].join('.'), words)
  }
  for (const [symbol, perCent] of Object.entries(options.lending ?? {}))
    if (!(perCent >= 0 && perCent <= MOST_LENT)) throw refused(`lending.${symbol}`, 'a per cent from 0 to 50')
}

/** Where in a list the first problem is: lists are long, objects have two fields. */
function placeOf(error: z.ZodError): PropertyKey[] {
  const [first] = error.issues
  return typeof first?.path[0] === 'number' ? first.path.slice(0, 1) : []
}

function unknown(name: string): UsageError {
  const [meant] = nearestNames(name, Object.keys(FORMS))
  return new UsageError(
    `the sandbox has no option ${name}${meant === undefined ? '' : `: did you mean ${meant}?`}`,
  )
}

function refused(name: string, expected: string): UsageError {
  return new UsageError(`option ${name} of the sandbox: expected ${expected}`)
}
