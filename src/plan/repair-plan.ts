import { oneYearBefore } from '../market/date-arithmetic.js'
import type { Day } from '../market/day.js'
import { candleWalks } from './candles.js'
import type { DatasetName } from './datasets.js'
import { PAGE_SIZE, type SkippedWindows, type WindowRequest } from './request.js'
import { months, type Span, spans } from './spans.js'
import type { Plan } from './stage-plan.js'
import { isExpiring, isServed, type WantedWindow } from './wanted.js'

/** What a repair must know beside the windows that it is to mend. */
export interface RepairKnown {
  readonly tradingDate: Day
  /** Sessions from the first to the last window wanted. */
  readonly sessions: readonly Day[]
  /** Symbols of the whole market: what decides when one answer for all of them is the smaller question. */
  readonly symbols: number
}

export interface RepairPlan {
  /** To be obeyed in this order, each loaded before the next is asked. */
  readonly plans: readonly Plan[]
  readonly skipped: readonly SkippedWindows[]
}

/** Sessions of one walk over the whole market at the most: a walk that a kill cuts is asked again from its first page. */
const LONGEST_MARKET_SPAN = 22

/** Reasons shown per request; the others are counted. */
const SHOWN_REASONS = 2

/**
 * The smallest set of requests that brings the wanted windows again: what expires first, then lists and daily figures,
 * then candles that do not expire. Candles of a symbol whose daily summary is asked too come after it, since a summary
 * that turns out restated makes them worth asking: once is enough.
 */
export function planRepair(wanted: readonly WantedWindow[], known: RepairKnown): RepairPlan {
  const limit = oneYearBefore(known.tradingDate)
  const alive = wanted.filter((each) => isServed(each, limit))
  const expired = wanted.filter((each) => !isServed(each, limit))
  const of = (name: DatasetName): WantedWindow[] => alive.filter(({ dataset }) => dataset === name)
  const sessions = [...new Set([...known.sessions, ...alive.map(({ day }) => day)])].sort()

  const summaries = summaryRequests(of('securitiesSummary'), sessions, known.symbols)
  const daily = [
    ...of('indexMembers').map(single),
    ...summaries,
    ...of('indexSummary').map(single),
    ...marketRequests('masterdata', of('masterdata'), sessions, known.symbols),
  ]
  const candles = candleGroups(of('ohlc')).map((group) => {
    const [{ key, timeframe }] = group
    const waits = group.some(({ day }) =>
      summaries.some(
        (asked) => (asked.key === '*' || asked.key === key) && asked.from <= day && day <= asked.to,
      ),
    )
    const days = daysOf(group)
    const walks = candleWalks(key, timeframe || '1d', days, sessions, limit, (span) => whyOf(group, span))
    return { first: isExpiring(group[0]) && !waits, expires: isExpiring(group[0]), walks }
  })
  const walks = (which: (group: (typeof candles)[number]) => boolean): WindowRequest[] =>
    candles
      .filter(which)
      .flatMap((group) => group.walks)
      .sort((a, b) => compare(a.from, b.from) || compare(a.key, b.key) || compare(a.timeframe, b.timeframe))
  const plans: Plan[] = [
    { stage: 'candles', requests: walks(({ first }) => first), skipped: [] },
    { stage: 'lists', requests: [...of('securities'), ...of('indexes')].map(single), skipped: [] },
    { stage: 'daily', requests: distinct(daily), skipped: [] },
    {
      stage: 'candles',
      requests: [...walks(({ first, expires }) => !first && expires), ...walks(({ expires }) => !expires)],
      skipped: [],
    },
  ]
  const asked = plans
    .map((plan) => ({ ...plan, requests: distinct(plan.requests) }))
    .filter(({ requests }) => requests.length > 0)
  return { plans: asked, skipped: skippedOf(expired, limit) }
}

function single(wanted: WantedWindow): WindowRequest {
  const { dataset, key, timeframe, day, why } = wanted
  return { dataset, key, timeframe, from: day, to: day, why, pages: 1 }
}

/**
 * Daily summaries: windows of the ledger by their own question; broken rows by symbol, or, in months where that takes
 * more pages, with the whole market.
 */
function summaryRequests(
  wanted: readonly WantedWindow[],
  sessions: readonly Day[],
  symbols: number,
): WindowRequest[] {
  let market = wanted.filter(({ key }) => key === '*')
  let bySymbol = wanted.filter(({ key }) => key !== '*')
  for (const month of months(daysOf(bySymbol))) {
    const broken = bySymbol.filter(({ exact, day }) => !exact && month.includes(day))
    const pages = (all: readonly WantedWindow[]): number =>
      sum(marketRequests('securitiesSummary', all, sessions, symbols))
    const apart = sum(symbolRequests(broken, sessions))
    if (pages([...market, ...broken]) - pages(market) < apart) market = [...market, ...broken]
  }
  const requests = marketRequests('securitiesSummary', market, sessions, symbols)
  bySymbol = bySymbol.filter(
    ({ exact, day }) => exact || !requests.some(({ from, to }) => from <= day && day <= to),
  )
  return [...requests, ...symbolRequests(bySymbol, sessions)]
}

function symbolRequests(wanted: readonly WantedWindow[], sessions: readonly Day[]): WindowRequest[] {
  return [...grouped(wanted, ({ key }) => key)].flatMap(([key, group]) =>
    walksOver('securitiesSummary', key, group, sessions, { rows: 1, longest: PAGE_SIZE }),
  )
}

function marketRequests(
  dataset: 'securitiesSummary' | 'masterdata',
  wanted: readonly WantedWindow[],
  sessions: readonly Day[],
  symbols: number,
): WindowRequest[] {
  const size = { rows: Math.max(1, symbols), longest: LONGEST_MARKET_SPAN }
  return walksOver(dataset, '*', wanted, sessions, size)
}

/** @param size rows a session, and sessions of one walk at the most */
function walksOver(
  dataset: 'securitiesSummary' | 'masterdata',
  key: string,
  wanted: readonly WantedWindow[],
  sessions: readonly Day[],
  size: { rows: number; longest: number },
): WindowRequest[] {
  const pages = (count: number): number => Math.max(1, Math.ceil((count * size.rows) / PAGE_SIZE))
  const joined = spans(daysOf(wanted), sessions, (together, [before, one]) => {
    return together <= size.longest && pages(together) <= pages(before) + pages(one)
  })
  return joined.map((span) => {
    const { from, to } = span
    return { dataset, key, timeframe: '', from, to, why: whyOf(wanted, span), pages: pages(span.sessions) }
  })
}

type Group = readonly [WantedWindow, ...WantedWindow[]]

function candleGroups(wanted: readonly WantedWindow[]): Group[] {
  return [...grouped(wanted, ({ key, timeframe }) => `${timeframe} ${key}`).values()]
}

function grouped(
  wanted: readonly WantedWindow[],
  by: (each: WantedWindow) => string,
): Map<string, [WantedWindow, ...WantedWindow[]]> {
  const groups = new Map<string, [WantedWindow, ...WantedWindow[]]>()
  for (const each of wanted) {
    const group = groups.get(by(each))
    if (group) group.push(each)
    else groups.set(by(each), [each])
  }
  return groups
}

function whyOf(wanted: readonly WantedWindow[], { from, to }: Pick<Span, 'from' | 'to'>): string {
  const inside = wanted.filter(({ day }) => from <= day && day <= to)
  return summariseReasons(inside.map(({ why }) => why))
}

/** Distinct reasons, the first of them in words. */
export function summariseReasons(reasons: readonly string[]): string {
  const different = [...new Set(reasons)]
  const more = different.length - SHOWN_REASONS
  return [...different.slice(0, SHOWN_REASONS), ...(more > 0 ? [`${more} more reasons`] : [])].join('; ')
}

function skippedOf(expired: readonly WantedWindow[], limit: Day): SkippedWindows[] {
  return [...grouped(expired, ({ timeframe }) => timeframe)].map(([timeframe, group]) => {
    const days = daysOf(group)
    const why = `${group.length} windows of ${timeframe} candles before ${limit} are older than the one year the service serves`
    return { dataset: 'ohlc', from: days[0] ?? limit, to: days.at(-1) ?? limit, why }
  })
}

function daysOf(wanted: readonly WantedWindow[]): Day[] {
  return [...new Set(wanted.map(({ day }) => day))].sort()
}

/** A list that several rules want is asked once. */
function distinct(requests: readonly WindowRequest[]): WindowRequest[] {
  const seen = new Set<string>()
  return requests.filter(({ dataset, key, timeframe, from }) => {
    const name = [dataset, key, timeframe, from].join(' ')
    if (seen.has(name)) return false
    seen.add(name)
    return true
  })
}

function sum(requests: readonly WindowRequest[]): number {
  return requests.reduce((total, { pages }) => total + pages, 0)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
