import type { Day } from 'candlehouse-foundation/market/day'
import type { FetchedName } from './datasets.js'
import { groupsBy } from './groups.js'
import { candleWalks } from './plan-candles.js'
import { PAGE_SIZE, type SkippedWindows, type WindowRequest } from './request.js'
import { servedFrom } from './served.js'
import { joinSessions, months, type SessionRange } from './session-ranges.js'
import type { Plan } from './stage-plan.js'
import { compareTexts } from './text-order.js'
import { isExpiring, isServed, type WantedWindow } from './wanted.js'

/** Facts that the plan of a repair depends on, besides its windows. */
export interface RepairContext {
  readonly tradingDate: Day
  /** Sessions from the first to the last window wanted. */
  readonly sessions: readonly Day[]
  /** Number of symbols in the market: decides whether one request for all of them takes fewer pages. */
  readonly symbols: number
}

export interface RepairPlan {
  /** In the order in which they are fetched; each is loaded before the next is fetched. */
  readonly plans: readonly Plan[]
  readonly skipped: readonly SkippedWindows[]
}

/** Most sessions of one page walk over the whole market: a walk that a kill interrupts starts again at its first page. */
const MOST_MARKET_SESSIONS = 22

/** Reasons shown per request, at most; the others are counted. */
const SHOWN_REASONS = 2

/**
 * Plans the smallest set of requests that fetches the wanted windows again: first candles that expire, then lists and daily
 * datasets, then candles that do not expire. If the daily summary of a symbol is fetched too, its candles come after it: a
 * restated summary makes all candles of its session wanted, and they should be fetched only once.
 */
export function planRepair(wanted: readonly WantedWindow[], context: RepairContext): RepairPlan {
  const firstServed = servedFrom(context.tradingDate)
  const served = wanted.filter((window) => isServed(window, firstServed))
  const expired = wanted.filter((window) => !isServed(window, firstServed))
  const servedWindows = (name: FetchedName): WantedWindow[] =>
    served.filter(({ dataset }) => dataset === name)
  const sessions = [...new Set([...context.sessions, ...served.map(({ day }) => day)])].sort()

  const summaries = summaryRequests(servedWindows('securitiesSummary'), sessions, context.symbols)
  const daily = [
    ...servedWindows('indexMembers').map(single),
    ...summaries,
    ...servedWindows('indexSummary').map(single),
    ...marketRequests('masterdata', servedWindows('masterdata'), sessions, context.symbols),
  ]
  const candles = candleGroups(servedWindows('ohlc')).map((group) => {
    const [{ key, timeframe }] = group
    const followsSummary = group.some(({ day }) =>
      summaries.some(
        (summary) => (summary.key === '*' || summary.key === key) && summary.from <= day && day <= summary.to,
      ),
    )
    const days = daysOf(group)
    const walks = candleWalks(key, timeframe || '1d', days, sessions, firstServed, (range) =>
      whyOf(group, range),
    )
    return { first: isExpiring(group[0]) && !followsSummary, expires: isExpiring(group[0]), walks }
  })
  const walks = (which: (group: (typeof candles)[number]) => boolean): WindowRequest[] =>
    candles
      .filter(which)
      .flatMap((group) => group.walks)
      .sort(
        (a, b) =>
          compareTexts(a.from, b.from) ||
          compareTexts(a.key, b.key) ||
          compareTexts(a.timeframe, b.timeframe),
      )
  const plans: Plan[] = [
    { stage: 'candles', requests: walks(({ first }) => first), skipped: [] },
    {
      stage: 'lists',
      requests: [...servedWindows('securities'), ...servedWindows('indexes')].map(single),
      skipped: [],
    },
    { stage: 'daily', requests: distinct(daily), skipped: [] },
    {
      stage: 'candles',
      requests: [...walks(({ first, expires }) => !first && expires), ...walks(({ expires }) => !expires)],
      skipped: [],
    },
  ]
  const withRequests = plans
    .map((plan) => ({ ...plan, requests: distinct(plan.requests) }))
    .filter(({ requests }) => requests.length > 0)
  return { plans: withRequests, skipped: skippedOf(expired, firstServed) }
}

function single(wanted: WantedWindow): WindowRequest {
  const { dataset, key, timeframe, day, why } = wanted
  return { dataset, key, timeframe, from: day, to: day, why, pages: 1 }
}

/**
 * Daily summaries. A window of `ops.coverage` is fetched by the same request as before. A row that breaks a rule is fetched by
 * symbol, or with the whole market in months in which that takes fewer pages.
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
  return [...groupsBy(wanted, ({ key }) => key)].flatMap(([key, group]) =>
    walksOver('securitiesSummary', key, group, sessions, { rows: 1, most: PAGE_SIZE }),
  )
}

function marketRequests(
  dataset: 'securitiesSummary' | 'masterdata',
  wanted: readonly WantedWindow[],
  sessions: readonly Day[],
  symbols: number,
): WindowRequest[] {
  const size = { rows: Math.max(1, symbols), most: MOST_MARKET_SESSIONS }
  return walksOver(dataset, '*', wanted, sessions, size)
}

/** @param size rows per session, and most sessions of one page walk */
function walksOver(
  dataset: 'securitiesSummary' | 'masterdata',
  key: string,
  wanted: readonly WantedWindow[],
  sessions: readonly Day[],
  size: { rows: number; most: number },
): WindowRequest[] {
  const pages = (sessionCount: number): number =>
    Math.max(1, Math.ceil((sessionCount * size.rows) / PAGE_SIZE))
  const ranges = joinSessions(daysOf(wanted), sessions, (together, [before, next]) => {
    return together <= size.most && pages(together) <= pages(before) + pages(next)
  })
  return ranges.map((range) => {
    const { from, to } = range
    return { dataset, key, timeframe: '', from, to, why: whyOf(wanted, range), pages: pages(range.sessions) }
  })
}

type Group = readonly [WantedWindow, ...WantedWindow[]]

function candleGroups(wanted: readonly WantedWindow[]): Group[] {
  return [...groupsBy(wanted, ({ key, timeframe }) => `${timeframe} ${key}`).values()]
}

function whyOf(wanted: readonly WantedWindow[], { from, to }: Pick<SessionRange, 'from' | 'to'>): string {
  const inside = wanted.filter(({ day }) => from <= day && day <= to)
  return summariseReasons(inside.map(({ why }) => why))
}

/** The first distinct reasons as text, and the number of the others. */
export function summariseReasons(reasons: readonly string[]): string {
  const different = [...new Set(reasons)]
  const more = different.length - SHOWN_REASONS
  return [...different.slice(0, SHOWN_REASONS), ...(more > 0 ? [`${more} more reasons`] : [])].join('; ')
}

function skippedOf(expired: readonly WantedWindow[], firstServed: Day): SkippedWindows[] {
  return [...groupsBy(expired, ({ timeframe }) => timeframe)].map(([timeframe, group]) => {
    const days = daysOf(group)
    const why = `${group.length} windows of ${timeframe} candles before ${firstServed} are older than the one year the service serves`
    return { dataset: 'ohlc', from: days[0] ?? firstServed, to: days.at(-1) ?? firstServed, why }
  })
}

function daysOf(wanted: readonly WantedWindow[]): Day[] {
  return [...new Set(wanted.map(({ day }) => day))].sort()
}

/** Without duplicates: a list that several rules need is fetched once. */
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
