/** Candle lengths of the API, shortest first. */
export const TIMEFRAMES = ['1m', '3m', '5m', '15m', '30m', '1h', '1d'] as const

export type Timeframe = (typeof TIMEFRAMES)[number]

const MINUTES: Record<Timeframe, number> = {
  '1m': 1,
  '3m': 3,
  '5m': 5,
  '15m': 15,
  '30m': 30,
  '1h': 60,
  '1d': 1440,
}

export function isTimeframe(text: string): text is Timeframe {
  return (TIMEFRAMES as readonly string[]).includes(text)
}

/** Length in minutes. Bars start at multiples of it on the clock. */
export function minutes(timeframe: Timeframe): number {
  return MINUTES[timeframe]
}

/** Shorter than a day: the API serves such candles for one year only. */
export function isIntraday(timeframe: Timeframe): boolean {
  return timeframe !== '1d'
}
