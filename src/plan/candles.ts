import type { Day } from '../market/day.js'
import { isIntraday, type Timeframe } from '../market/timeframe.js'
import type { Coverage } from './coverage.js'
import { planCrossChecks } from './cross-checks.js'
import { planDailyCrossChecks } from './daily-cross-checks.js'
import type { Goal } from './goal.js'
import { PAGE_SIZE, type SkippedWindows, type WindowRequest } from './request.js'
import { type Span, spans } from './spans.js'

/**
 * Largest number of bars of a symbol in a session, by timeframe: 09:15–11:30, 13:00–14:30 and the 14:45 auction make
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

/** Most sessions of one page walk: a walk that a kill interrupts starts again at its first page. */
const LONGEST_SPAN = 66

/** Plans the candles of symbols that traded; first those that the service stops serving first. */
export function planCandles(
  goal: Goal,
  sessions: readonly Day[],
  coverage: Coverage,
  limit: Day,
): { requests: WindowRequest[]; skipped: SkippedWindows[] } {
  if (!goal.datasets.includes('ohlc')) return { requests: [], skipped: [] }
  const wanted = candidates(goal, sessions, coverage)
  const traded = new Set(
    coverage.traded.filter((session) => session.traded).map(({ day, symbol }) => `${day} ${symbol}`),
  )
  const requests: WindowRequest[] = []
  const skipped: SkippedWindows[] = []
  for (const timeframe of goal.timeframes) {
    const expired = isIntraday(timeframe) ? sessions.filter((day) => day < limit) : []
    const [first] = expired
    const last = expired.at(-1)
    if (first && last) {
      const why = `${timeframe} candles before ${limit} are older than the one year the service serves`
      skipped.push({ dataset: 'ohlc', from: first, to: last, why })
    }
    const requestable = isIntraday(timeframe) ? served(sessions, limit) : sessions
    for (const [symbol, days] of withUnfinished(wanted, goal, timeframe, coverage)) {
      requests.push(...symbolSpans(symbol, timeframe, days, requestable, coverage, limit, traded))
    }
  }
  requests.push(...planCrossChecks(goal, served(sessions, limit), wanted, coverage))
  requests.push(...planDailyCrossChecks(goal, sessions, wanted, coverage))
  // Daily bars never expire, so they come last. Of the others, the oldest session is requested first.
  const order = (request: WindowRequest): string => `${request.timeframe === '1d' ? 1 : 0}${request.from}`
  requests.sort(
    (a, b) => compare(order(a), order(b)) || compare(a.key, b.key) || compare(a.timeframe, b.timeframe),
  )
  return { requests, skipped }
}

/** The wanted sessions, and those that were asked before and are incomplete. */
function withUnfinished(
  wanted: ReadonlyMap<string, ReadonlySet<Day>>,
  { symbols }: Goal,
  timeframe: Timeframe,
  { unfinished }: Coverage,
): ReadonlyMap<string, ReadonlySet<Day>> {
  const all = new Map(wanted)
  for (const { symbol, day, timeframe: asked } of unfinished) {
    if (asked !== timeframe || (symbols && !symbols.includes(symbol))) continue
    all.set(symbol, new Set([...(all.get(symbol) ?? []), day]))
  }
  return all
}

function served(sessions: readonly Day[], limit: Day): readonly Day[] {
  return sessions.filter((day) => day >= limit)
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
    if (hasSummary('*', day)) continue
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

function symbolSpans(
  symbol: string,
  timeframe: Timeframe,
  days: ReadonlySet<Day>,
  sessions: readonly Day[],
  coverage: Coverage,
  limit: Day,
  traded: ReadonlySet<string>,
): WindowRequest[] {
  const missing = sessions.filter((day) => {
    const state = coverage.stateOf('ohlc', symbol, timeframe, day)
    if (!days.has(day)) return false
    // No candles for a day with matched volume contradict its summary, so they are requested again.
    return (
      state === undefined || state === 'incomplete' || (state === 'empty' && traded.has(`${day} ${symbol}`))
    )
  })
  return candleWalks(symbol, timeframe, missing, sessions, limit, (span) =>
    span.days === 1 ? `${span.from} not stored yet` : `${span.days} sessions not stored yet`,
  )
}

/**
 * Page walks over the wanted sessions of one symbol and timeframe, with as few pages as possible.
 *
 * @param wanted ascending
 * @param sessions all sessions that the response may contain between them
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
  const joined = spans(wanted, sessions, (together, [before, next]) => {
    const longest = timeframe === '1d' ? PAGE_SIZE : LONGEST_SPAN
    return together <= longest && pages(together) <= pages(before) + pages(next)
  })
  return joined
    .flatMap((span) => {
      // A stricter service may refuse the day on the boundary, so that day is requested alone.
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
