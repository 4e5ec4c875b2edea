import type { Day } from 'candlehouse-foundation/market/day'
import { isIntraday, type Timeframe } from 'candlehouse-foundation/market/timeframe'
import type { BrokenCandles, Coverage } from './coverage.js'
import { planCrossChecks } from './cross-checks.js'
import { planDailyCrossChecks } from './daily-cross-checks.js'
import type { Goal } from './goal.js'
import { PAGE_SIZE, type PlannedRequests, type SkippedWindows, type WindowRequest } from './request.js'
import { joinSessions, type SessionRange } from './session-ranges.js'
import { compareTexts } from './text-order.js'

/**
 * Bars per session of a symbol that trades in every minute, by timeframe: 09:15–11:30, 13:00–14:30 and the 14:45 auction
 * are 227 bars of 1m (docs/market-facts.md#minute-bars).
 */
const BARS_PER_SESSION: Readonly<Record<Timeframe, number>> = {
  '1m': 227,
  '3m': 77,
  '5m': 47,
  '15m': 17,
  '30m': 9,
  '1h': 6,
  '1d': 1,
}

/** Most sessions of one page walk: a page walk that a kill interrupts starts again at its first page. */
const MOST_SESSIONS = 66

/**
 * Plans the candles of symbols that traded; first those that the service stops serving first.
 *
 * @param sessions of the goal, ascending
 * @param firstServed first day of which the service still serves intraday candles
 */
export function planCandles(
  goal: Goal,
  sessions: readonly Day[],
  coverage: Coverage,
  firstServed: Day,
): PlannedRequests {
  if (!goal.datasets.includes('ohlc')) return { requests: [], skipped: [] }
  const wanted = candidates(goal, sessions, coverage)
  const traded = new Set(
    coverage.traded.filter((session) => session.traded).map(({ day, symbol }) => `${day} ${symbol}`),
  )
  const broken = brokenOf(goal, coverage)
  const requests: WindowRequest[] = []
  const skipped: SkippedWindows[] = []
  for (const timeframe of goal.timeframes) {
    const expired = isIntraday(timeframe) ? sessions.filter((day) => day < firstServed) : []
    const [first] = expired
    const last = expired.at(-1)
    if (first && last) {
      const why = `${timeframe} candles before ${firstServed} are older than the one year the service serves`
      skipped.push({ dataset: 'ohlc', from: first, to: last, why })
    }
    const requestable = isIntraday(timeframe) ? servedSessions(sessions, firstServed) : sessions
    const brokenBars = broken.filter((candles) => candles.timeframe === timeframe)
    for (const [symbol, days] of withUnfinished(wanted, goal, timeframe, coverage, brokenBars)) {
      const again = brokenBars.filter((candles) => candles.symbol === symbol)
      requests.push(
        ...symbolRequests(symbol, timeframe, days, requestable, coverage, firstServed, traded, again),
      )
    }
  }
  requests.push(...planCrossChecks(goal, servedSessions(sessions, firstServed), wanted, coverage, broken))
  requests.push(...planDailyCrossChecks(goal, sessions, wanted, coverage))
  // Daily bars never expire, so they come last. Of the others, the oldest session is requested first.
  const sortKey = (request: WindowRequest): string => `${request.timeframe === '1d' ? 1 : 0}${request.from}`
  requests.sort(
    (a, b) =>
      compareTexts(sortKey(a), sortKey(b)) ||
      compareTexts(a.key, b.key) ||
      compareTexts(a.timeframe, b.timeframe),
  )
  return { requests, skipped }
}

/** Candles that the goal requests again because they break a rule. */
export function brokenOf({ retriesBroken, symbols }: Goal, { broken }: Coverage): readonly BrokenCandles[] {
  if (!retriesBroken) return []
  return broken.filter(({ symbol }) => !symbols || symbols.includes(symbol))
}

/** The wanted sessions, and those that were requested before and are incomplete or break a rule. */
function withUnfinished(
  wanted: ReadonlyMap<string, ReadonlySet<Day>>,
  { symbols }: Goal,
  timeframe: Timeframe,
  { unfinished }: Coverage,
  broken: readonly BrokenCandles[],
): ReadonlyMap<string, ReadonlySet<Day>> {
  const all = new Map(wanted)
  for (const { symbol, day, timeframe: requested } of [...unfinished, ...broken]) {
    if (requested !== timeframe || (symbols && !symbols.includes(symbol))) continue
    all.set(symbol, new Set([...(all.get(symbol) ?? []), day]))
  }
  return all
}

function servedSessions(sessions: readonly Day[], firstServed: Day): readonly Day[] {
  return sessions.filter((day) => day >= firstServed)
}

/** Sessions on which each symbol may have bars. */
function candidates(goal: Goal, sessions: readonly Day[], coverage: Coverage): Map<string, Set<Day>> {
  const selected = goal.symbols && new Set(goal.symbols)
  const wanted = new Map<string, Set<Day>>()
  const untraded = new Set<string>()
  const add = (symbol: string, day: Day): void => {
    const days = wanted.get(symbol)
    if (days) days.add(day)
    else wanted.set(symbol, new Set([day]))
  }
  for (const { symbol, day, traded } of coverage.traded) {
    if (selected && !selected.has(symbol)) continue
    if (traded !== false) add(symbol, day)
    else untraded.add(`${day} ${symbol}`)
  }
  // If the summary of a session is incomplete, a listed symbol without a row may still have traded.
  const hasSummary = (key: string, day: Day): boolean =>
    ['complete', 'empty'].includes(coverage.stateOf('securitiesSummary', key, '', day) ?? '')
  for (const day of sessions) {
    // Before the service's data there is nothing to request; where it refuses only the whole market, symbols have states.
    const isBeforeData =
      coverage.summaryForm === 'market' && coverage.stateOf('securitiesSummary', '*', '', day) === 'refused'
    if (hasSummary('*', day) || isBeforeData) continue
    for (const symbol of coverage.listed) {
      if (
        (selected && !selected.has(symbol)) ||
        untraded.has(`${day} ${symbol}`) ||
        wanted.get(symbol)?.has(day)
      )
        continue
      if (!hasSummary(symbol, day)) add(symbol, day)
    }
  }
  return wanted
}

function symbolRequests(
  symbol: string,
  timeframe: Timeframe,
  days: ReadonlySet<Day>,
  sessions: readonly Day[],
  coverage: Coverage,
  firstServed: Day,
  traded: ReadonlySet<string>,
  broken: readonly BrokenCandles[],
): WindowRequest[] {
  const brokenDays = new Set(broken.map(({ day }) => day))
  const missing = sessions.filter((day) => {
    const state = coverage.stateOf('ohlc', symbol, timeframe, day)
    if (!days.has(day)) return false
    // If the daily summary has matched volume, a response without candles contradicts it: they are requested again.
    return (
      state === undefined ||
      state === 'incomplete' ||
      (state === 'empty' && traded.has(`${day} ${symbol}`)) ||
      brokenDays.has(day)
    )
  })
  return candleWalks(symbol, timeframe, missing, sessions, firstServed, ({ from, to }) => {
    const isInside = (day: Day): boolean => from <= day && day <= to
    const unstored = missing.filter((day) => isInside(day) && !brokenDays.has(day))
    const reasons = broken.filter(({ day }) => isInside(day)).map(({ why }) => why)
    return [...unstoredReasons(unstored), ...new Set(reasons)].join('; ')
  })
}

function unstoredReasons(days: readonly Day[]): string[] {
  const [first] = days
  if (first === undefined) return []
  return [days.length === 1 ? `${first} not stored yet` : `${days.length} sessions not stored yet`]
}

/**
 * Page walks over the wanted sessions of one symbol and timeframe, with as few pages as possible.
 *
 * @param wanted ascending
 * @param sessions all sessions that the response may contain between them
 * @param firstServed first day of which the service still serves intraday candles
 */
export function candleWalks(
  symbol: string,
  timeframe: Timeframe,
  wanted: readonly Day[],
  sessions: readonly Day[],
  firstServed: Day,
  why: (range: SessionRange) => string,
): WindowRequest[] {
  const pages = (count: number): number => Math.ceil((count * BARS_PER_SESSION[timeframe]) / PAGE_SIZE)
  const ranges = joinSessions(wanted, sessions, (together, [before, next]) => {
    const most = timeframe === '1d' ? PAGE_SIZE : MOST_SESSIONS
    return together <= most && pages(together) <= pages(before) + pages(next)
  })
  return ranges
    .flatMap((range) => {
      // A stricter service may refuse the day on the boundary, so that day is requested alone.
      if (!isIntraday(timeframe) || range.from !== firstServed || range.wanted === 1) return [range]
      const next = wanted.find((day) => day > firstServed) ?? range.to
      return [
        { ...range, to: range.from, wanted: 1, sessions: 1 },
        { ...range, from: next, wanted: range.wanted - 1, sessions: range.sessions - 1 },
      ]
    })
    .map((range) => ({
      dataset: 'ohlc' as const,
      key: symbol,
      timeframe,
      from: range.from,
      to: range.to,
      why: why(range),
      pages: Math.max(1, pages(range.sessions)),
    }))
}
