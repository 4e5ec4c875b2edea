import { readFileSync } from 'node:fs'
import { readDay, whole } from 'candlehouse-foundation/command-line/argument'
import { SettingsError } from 'candlehouse-foundation/errors'
import type { Board } from 'candlehouse-foundation/market/board'
import { type Day, isDay } from 'candlehouse-foundation/market/day'
import { type Command, InvalidArgumentError } from 'commander'
import type { BoardTransfer, Split } from '../market/world/market-events.js'
import type { Restatement, SandboxOptions } from '../options.js'
import type { FaultPlan } from '../planned-faults.js'
import { timeOfDay } from './time-of-day.js'

/** The options for situations that are rare: as commander gives them. */
export interface EventFlags {
  limitDay?: Day[]
  split?: Split[]
  transfer?: BoardTransfer[]
  marginLoan?: number
  marginRatios?: { call: number; sell: number }
  lending?: (readonly [symbol: string, perCent: number])[]
  forcedSale?: string | true
  impact?: true
  restate?: Restatement[]
  faults?: string
}

/** When a broker that was not answered begins to sell: an hour after the opening. */
const FORCED_SALE_AT = '10:00'

const BOARDS: readonly Board[] = ['HOSE', 'HNX', 'UPCOM']

/** What happens on the market, in the accounts, and to answers: for rehearsals. */
export function withEventOptions(command: Command): Command {
  return command
    .option(
      '--limit-day <day>',
      'let many stocks close at their ceiling or floor on this day (may be repeated)',
      repeated(readDay),
    )
    .option(
      '--split <symbol,day,ratio>',
      'split a stock on its ex-date, like FPT,2025-11-17,2 for two shares in place of one (may be repeated)',
      repeated(split),
    )
    .option(
      '--transfer <symbol,day,board>',
      'move a stock to another board, like ACV,2025-11-17,HOSE (may be repeated)',
      repeated(transfer),
    )
    .option(
      '--margin-loan <vnd>',
      'opening loan of the margin account: the more, the nearer to a margin call (default: 60000000)',
      whole(0, 1e12),
    )
    .option(
      '--margin-ratios <call/sell>',
      'per cent of its assets below which the margin account is called, and is sold (default: 40/30)',
      ratios,
    )
    .option(
      '--impact',
      'let orders move the prices that they trade at, and show them in candles and summaries',
    )
    .option(
      '--lending <symbol=per cent>',
      'per cent of the value of a share that is lent on it, 0 to 50, like FPT=30 (may be repeated)',
      repeated(lendingRate),
    )
    .option(
      '--forced-sale [time]',
      `sell shares of an account in FORCESELL, from this time on --date and later sessions (default: ${FORCED_SALE_AT})`,
      timeOfDay,
    )
    .option(
      '--restate <symbol,day,field=value>',
      'answer another value, as after a correction: FPT,2025-11-19,close=13250 or FPT,2025-11-19 10:00:00,close=13250 (may be repeated)',
      repeated(restatement),
    )
    .option('--faults <file>', 'begin with the faults of this JSON file, in the form of POST /sandbox/faults')
}

/** @throws SettingsError if the file of --faults cannot be read or is not a plan */
export async function eventsOf(
  flags: EventFlags,
): Promise<
  Pick<
    SandboxOptions,
    | 'limitDays'
    | 'splits'
    | 'transfers'
    | 'marginLoan'
    | 'marginRatios'
    | 'lending'
    | 'forcedSale'
    | 'impact'
    | 'restate'
    | 'faults'
  >
> {
  const { limitDay, split: splits, transfer: transfers, marginLoan, marginRatios, restate, faults } = flags
  const { lending, forcedSale, impact } = flags
  return {
    ...(limitDay ? { limitDays: limitDay } : {}),
    ...(splits ? { splits } : {}),
    ...(transfers ? { transfers } : {}),
    ...(marginLoan === undefined ? {} : { marginLoan }),
    ...(marginRatios ? { marginRatios } : {}),
    ...(impact ? { impact } : {}),
    ...(lending ? { lending: Object.fromEntries(lending) } : {}),
    ...(forcedSale ? { forcedSale: forcedSale === true ? FORCED_SALE_AT : forcedSale } : {}),
    ...(restate ? { restate } : {}),
    ...(faults === undefined ? {} : { faults: await readFaults(faults) }),
  }
}

/** Collects the values of an option that is given several times. */
function repeated<T>(read: (text: string) => T): (text: string, former?: T[]) => T[] {
  return (text, former = []) => [...former, read(text)]
}

function split(text: string): Split {
  const [, symbol, day, ratio] = /^([A-Z0-9]+),([\d-]+),(\d+(?:\.\d+)?)$/.exec(text) ?? []
  if (!symbol || !day || !ratio || !isDay(day))
    throw new InvalidArgumentError('Give a symbol, a day and a ratio, like FPT,2025-11-17,2.')
  return { symbol, day, ratio: Number(ratio) }
}

function transfer(text: string): BoardTransfer {
  const [, symbol, day, name] = /^([A-Z0-9]+),([\d-]+),([A-Z]+)$/.exec(text) ?? []
  const board = BOARDS.find((each) => each === name)
  if (!symbol || !day || !board || !isDay(day))
    throw new InvalidArgumentError('Give a symbol, a day and HOSE, HNX or UPCOM, like ACV,2025-11-17,HOSE.')
  return { symbol, day, board }
}

function ratios(text: string): { call: number; sell: number } {
  const [, call, sell] = /^(\d{1,2})\/(\d{1,2})$/.exec(text) ?? []
  if (!call || !sell || Number(sell) >= Number(call))
    throw new InvalidArgumentError('Give two whole per cents, the larger one first, like 40/30.')
  return { call: Number(call), sell: Number(sell) }
}

function lendingRate(text: string): readonly [string, number] {
  const [, symbol, perCent] = /^([A-Z0-9]+)=(\d{1,2})$/.exec(text) ?? []
  if (!symbol || Number(perCent) > 50)
    throw new InvalidArgumentError('Give a symbol and a whole per cent up to 50, like FPT=30.')
  return [symbol, Number(perCent)]
}

/** An empty value is null. */
function restatement(text: string): Restatement {
  const [, symbol, day, time, field, value] =
    /^([A-Z0-9]+),(\d{4}-\d\d-\d\d)( \d\d:\d\d:\d\d)?,(\w+)=(.*)$/.exec(text) ?? []
  if (!symbol || !day || !isDay(day) || !field)
    throw new InvalidArgumentError(
      'Give a symbol, a day, a field and its value, like FPT,2025-11-19,close=13250.',
    )
  return { symbol, tradingDate: `${day}${time ?? ''}`, field, value: value || null }
}

async function readFaults(file: string): Promise<FaultPlan> {
  const { faultPlanForm } = await import('../fault-plan-form.js')
  const hint = '{"faults":[{"route":"/ohlc","nth":2,"fault":{"kind":"status","status":503}}]}'
  let text: string
  let plan: unknown
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    throw new SettingsError(`--faults ${file} cannot be read: ${(cause as Error).message}`, { hint, cause })
  }
  try {
    plan = JSON.parse(text)
  } catch (cause) {
    throw new SettingsError(`--faults ${file} is not JSON`, { hint, cause })
  }
  const parsed = faultPlanForm.safeParse(plan)
  if (parsed.success) return parsed.data.faults as FaultPlan
  const [issue] = parsed.error.issues
  throw new SettingsError(`--faults ${file}: ${issue?.path.join('.')}: ${issue?.message}`, { hint })
}
