import { isBarLength } from '../../bar-columns.js'
import { indicatorsOf, indicatorWords } from '../../indicators.js'
import type { Selection } from './bars.js'

/** What the address of a chart says: `SYMBOL/TIMEFRAME/OPTIONS/FROM/OTHER/INDICATORS`, each of which may be left out. */
export interface ChartState extends Selection {
  /** First day of the view; empty: the latest bars. */
  from: string
}

/** Prices are adjusted unless the address says `raw`; a comparison is always adjusted. */
export function chartStateOf(words: readonly string[]): ChartState {
  const [symbol = '', timeframe = '', options = '', from = '', other = '', indicators = ''] = words
  return {
    symbol,
    timeframe: isBarLength(timeframe) ? timeframe : '',
    isAdjusted: options !== 'raw' || other !== '',
    from: isDay(from) ? from : '',
    other,
    indicators: indicatorsOf(indicators) ?? [],
  }
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
}

/** The address of a chart: it can be kept as a bookmark. */
export function chartAddress(state: Pick<ChartState, 'symbol'> & Partial<ChartState>): string {
  const { symbol, timeframe = '', isAdjusted = true, from = '', other = '' } = state
  const indicators = indicatorWords(state.indicators ?? [])
  const options = isAdjusted ? '' : 'raw'
  const words = [
    symbol,
    timeframe,
    options || (from || other || indicators ? 'adjusted' : ''),
    from,
    other,
    indicators,
  ]
  const shown = words.slice(0, words.findLastIndex((word) => word !== '') + 1)
  return `#/chart/${shown.map(encodeURIComponent).join('/')}`
}
