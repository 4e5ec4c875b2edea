import type { Day } from '../market/day.js'
import { isIntraday, type Timeframe } from '../market/timeframe.js'
import type { Coverage } from './coverage.js'
import { planCrossChecks } from './cross-checks.js'
import type { Goal } from './goal.js'
import { PAGE_SIZE, type SkippedWindows, type WindowRequest } from './request.js'
import { type Span, spans } from './spans.js'

/**
 * Most bars a symbol prints in a session, by timeframe: 09:15–11:30, 13:00–14:30 and the 14:45 auction make
 * 227 minute bars for a busy name (docs/market-facts.md#minute-bars).
 */
const BARS: Readonly<Record<Timeframe, number>> = {
  '1m': 227,
  '3m': 77,
  '5m': 47,
  '15m': 17,
  '30m': 9,
  '1h': 6,
  '1d': 1,
}

/** Sessions of one walk at the most: a walk that a kill cuts is asked again from its first page. */
const LONGEST_SPAN = 66

/** Candles of symbols that traded, oldest-expiring first. */
export function planCandles(
  goal: Goal,
  sessions: readonly Day[],
  coverage: Coverage,
  limit: Day,
): { requests: WindowRequest[]; skipped: SkippedWindows[] } {
  if (!goal.datasets.includes('ohlc')) return { requests: [], skipped: [] }
  const wanted = candidates(goal, sessions, coverage)
  const matched = new Set(
    coverage.traded.filter((each) => each.traded).map((each) => `${each.day} ${each.symbol}`),
  )
  const requests: WindowRequest[] = []
  const skipped: SkippedWindows[] = []
  for (const timeframe of goal.timeframes) {
    const beyond = isIntraday(timeframe) ? sessions.filter((day) => day < limit) : []
    const [first] = beyond
    const last = beyond.at(-1)
    if (first && last) {
      const why = `${timeframe} candles before ${limit} are older than the one year the service serves`
      skipped.push({ dataset: 'ohlc', from: first, to: last, why })
    }
    const asked = isIntraday(timeframe) ? served(sessions, limit) : sessions
    for (const [symbol, days] of wanted) {
      requests.push(...symbolSpans(symbol, timeframe, days, asked, coverage, limit, matched))
    }
  }
  requests.push(...planCrossChecks(goal, served(sessions, limit), wanted, coverage))
  // Daily bars never expire: they come last. Among the rest what expires first is asked first.
  const order = (request: WindowRequest): string => `${request.timeframe === '1d' ? 1 : 0}${request.from}`
  requests.sort(
    (a, b) => compare(order(a), order(b)) || compare(a.key, b.key) || compare(a.timeframe, b.timeframe),
  )
  return { requests, skipped }
}

function served(sessions: readonly Day[], limit: Day): readonly Day[] {
  return sessions.filter((day) => day >= limit)
}

/** Sessions on which each symbol may have printed bars. */
function candidates(goal: Goal, sessions: readonly Day[], coverage: Coverage): Map<string, Set<Day>> {
  const only = goal.symbols && new Set(goal.symbols)
  const wanted = new Map<string, Set<Day>>()
  const silent = new Set<string>()
  const add = (symbol: string, day: Day): void => {
    const days = wanted.get(symbol)
    if (days) days.add(day)
    else wanted.set(symbol, new Set([day]))
  }
  for (const { symbol, day, traded } of coverage.traded) {
    if (only && !only.has(symbol)) continue
    if (traded !== false) add(symbol, day)
    else silent.add(`${day} ${symbol}`)
  }
  // Where a session has no whole summary, a listed symbol without one may have traded all the same.
  const summarised = (key: string, day: Day): boolean =>
    ['complete', 'empty'].includes(coverage.stateOf('securitiesSummary', key, '', day) ?? '')
  for (const day of sessions) {
    if (summarised('*', day)) continue
    for (const symbol of coverage.listed) {
      if ((only && !only.has(symbol)) || silent.has(`${day} ${symbol}`) || wanted.get(symbol)?.has(day))
        continue
      if (!summarised(symbol, day)) add(symbol, day)
    }
  }
  return wanted
}

function symbolSpans(
  symbol: string,
  timeframe: Timeframe,
  days: ReadonlySet<Day>,
  sessions: readonly Day[],
  coverage: Coverage,
  limit: Day,
  matched: ReadonlySet<string>,
): WindowRequest[] {
  const missing = sessions.filter((day) => {
    const state = coverage.stateOf('ohlc', symbol, timeframe, day)
    if (!days.has(day)) return false
    // Nothing for a day with matched volume contradicts its summary: not yet believed.
    return (
      state === undefined || state === 'incomplete' || (state === 'empty' && matched.has(`${day} ${symbol}`))
    )
  })
  return candleWalks(symbol, timeframe, missing, sessions, limit, (span) =>
    span.days === 1 ? `${span.from} not yet held` : `${span.days} sessions not yet held`,
  )
}

/**
 * Walks over the sessions wanted of one symbol and timeframe, as few pages as possible.
 *
 * @param wanted ascending
 * @param sessions all sessions that the service may have between them
 * @param limit first day that the service still serves intraday
 */
export function candleWalks(
  symbol: string,
  timeframe: Timeframe,
  wanted: readonly Day[],
  sessions: readonly Day[],
  limit: Day,
  why: (span: Span) => string,
): WindowRequest[] {
  const pages = (count: number): number => Math.ceil((count * BARS[timeframe]) / PAGE_SIZE)
  const joined = spans(wanted, sessions, (together, [before, one]) => {
    const longest = timeframe === '1d' ? PAGE_SIZE : LONGEST_SPAN
    return together <= longest && pages(together) <= pages(before) + pages(one)
  })
  return joined
    .flatMap((span) => {
      // The day on the boundary may be refused by a stricter service: it must not take its neighbours along.
      if (!isIntraday(timeframe) || span.from !== limit || span.days === 1) return [span]
      const rest = wanted.find((day) => day > limit) ?? span.to
      return [
        { ...span, to: span.from, days: 1, sessions: 1 },
        { ...span, from: rest, days: span.days - 1, sessions: span.sessions - 1 },
      ]
    })
    .map((span) => ({
      dataset: 'ohlc' as const,
      key: symbol,
      timeframe,
      from: span.from,
      to: span.to,
      why: why(span),
      pages: Math.max(1, pages(span.sessions)),
    }))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
