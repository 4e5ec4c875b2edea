import { BOARDS } from 'candlehouse-foundation/market/board'
import type { Day } from 'candlehouse-foundation/market/day'
import { isIntraday, isTimeframe, type Timeframe } from 'candlehouse-foundation/market/timeframe'
import { type DatasetName, datasets, type FetchedName, isList } from './datasets.js'

/** One session of one window that is to be fetched again, and why. */
export interface WantedWindow {
  readonly dataset: FetchedName
  /** Symbol, index or board; `*` for all in one response. */
  readonly key: string
  /** Empty for anything but candles. */
  readonly timeframe: Timeframe | ''
  readonly day: Day
  /** As the plan shows it: `incomplete: 3 of 5 rows`, `rule 8 is broken`. */
  readonly why: string
  /**
   * Whether only a response to this same window repairs it, because coverage counts per window. A row that breaks a rule is
   * repaired by any response that has it.
   */
  readonly exact: boolean
}

/** Whether the service stops serving it one year after its session. */
export function isExpiring({ timeframe }: Pick<WantedWindow, 'timeframe'>): boolean {
  return timeframe !== '' && isIntraday(timeframe)
}

/** Whether the service still serves it. @param firstServed first day of which it still serves intraday candles */
export function isServed(window: Pick<WantedWindow, 'timeframe' | 'day'>, firstServed: Day): boolean {
  return !isExpiring(window) || window.day >= firstServed
}

/** A row for which a rule does not hold. */
export interface Offender {
  readonly rule: number
  /** `market.…`, or `ops.coverage`. */
  readonly relation: string
  /** Parts of its key; undefined if the key has no such part. */
  readonly symbol: string | undefined
  readonly index: string | undefined
  readonly timeframe: string | undefined
  readonly day: Day
  /** Dataset and key of the window, if the rule is about a window of `ops.coverage`. */
  readonly dataset: string | undefined
  readonly key: string | undefined
  /** Whether more rows break the rule in that session than are stored. */
  readonly cut: boolean
}

/** The windows that contain an offender; none if fetching again cannot repair it: accounts, derived relations. */
export function windowsOf(offender: Offender, tradingDate: Day): WantedWindow[] {
  const { relation, symbol, index, day, cut } = offender
  const about = { timeframe: '' as const, why: `rule ${offender.rule} is broken`, exact: false }
  if (offender.dataset !== undefined) return coverageOf(offender, about)
  switch (relation) {
    case 'market.daily_summary':
      // A key without a symbol means the whole session.
      return [{ ...about, dataset: 'securitiesSummary', key: cut ? '*' : (symbol ?? '*'), day }]
    case 'market.price_limit':
      return [{ ...about, dataset: 'masterdata', key: '*', day }]
    case 'market.index_summary':
      return index ? [{ ...about, dataset: 'indexSummary', key: index, day }] : []
    case 'market.candle':
      return symbol ? timeframesOf(offender).map((timeframe) => candles(about, symbol, timeframe, day)) : []
    case 'market.security':
    case 'market.security_history':
      // A symbol absent from one board may be listed on another, so all lists are fetched.
      return BOARDS.map((key) => ({ ...about, dataset: 'securities', key, day: tradingDate }))
    case 'market.market_index':
      return [{ ...about, dataset: 'indexes', key: '*', day: tradingDate }]
    case 'market.index_member':
      return index ? [{ ...about, dataset: 'indexMembers', key: index, day: tradingDate }] : []
    default:
      return []
  }
}

/**
 * Windows of the other sources of an offender's symbol on that day. A rule that compares two sources names one of them: if
 * fetching that one again did not help, the other may be wrong.
 */
export function otherSourcesOf(offender: Offender): WantedWindow[] {
  const { relation, symbol, day, dataset, cut } = offender
  if (!symbol || cut || dataset !== undefined) return []
  const about = { timeframe: '' as const, why: `rule ${offender.rule} is still broken`, exact: false }
  const summary: WantedWindow = { ...about, dataset: 'securitiesSummary', key: symbol, day }
  switch (relation) {
    case 'market.candle':
      return [summary, candles(about, symbol, '1m', day)]
    case 'market.daily_summary':
      return [{ ...about, dataset: 'masterdata', key: '*', day }, candles(about, symbol, '1m', day)]
    case 'market.price_limit':
      return [summary]
    default:
      return []
  }
}

/**
 * Windows of the other daily answers of a session that contradict this one: only all of them together show that the service has
 * withdrawn a row.
 */
export function otherAnswersOf({ dataset, key, day }: WantedWindow): WantedWindow[] {
  const about = { timeframe: '' as const, day, why: 'contradicts another answer', exact: false }
  if (dataset === 'securitiesSummary') return [{ ...about, dataset: 'masterdata', key: '*' }]
  if (dataset === 'masterdata') return [{ ...about, dataset: 'securitiesSummary', key: '*' }]
  if (dataset === 'ohlc') return [{ ...about, dataset: 'securitiesSummary', key }]
  return []
}

/** A key without a timeframe means the timeframes that every night fetches. */
function timeframesOf({ timeframe }: Offender): readonly Timeframe[] {
  if (timeframe === undefined) return ['1m']
  return isTimeframe(timeframe) ? [timeframe] : []
}

function candles(
  about: Pick<WantedWindow, 'why' | 'exact'>,
  key: string,
  timeframe: Timeframe,
  day: Day,
): WantedWindow {
  return { ...about, dataset: 'ohlc', key, timeframe, day }
}

function coverageOf(
  { dataset, key, timeframe = '', day }: Offender,
  about: Pick<WantedWindow, 'why'>,
): WantedWindow[] {
  if (!dataset || !key || !isDataset(dataset) || isList(dataset)) return []
  if (timeframe !== '' && !isTimeframe(timeframe)) return []
  return [{ dataset, key, timeframe, day, why: about.why, exact: true }]
}

function isDataset(name: string): name is FetchedName {
  return name in datasets && datasets[name as DatasetName].stage !== null
}

/** Unique name of a window. */
export function windowName({ dataset, key, timeframe, day }: WantedWindow): string {
  return [dataset, key, timeframe, day].join(' ')
}
