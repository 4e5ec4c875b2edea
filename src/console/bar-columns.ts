/**
 * Columns of a chart's bars, in the order in which `/api/chart` sends them: numbers of eight bytes, NaN where there is none.
 * `time` is in seconds since 1970, UTC. A year of minutes as JSON took twice the time on the server, and text to parse in the browser.
 */
export const BAR_COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume', 'value'] as const

/** What stands before the columns, as JSON; its length in bytes is the first number of four bytes. Columns begin at a multiple of eight. */
export interface ChartHead<Table> {
  /** Numbers of bars: first those of the symbol, then those of the second one, whose columns follow. */
  bars: number
  otherBars: number
  days: Table
  events: Table
  phases: Table
}
