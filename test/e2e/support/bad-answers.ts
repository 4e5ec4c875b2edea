import type { Fault } from '../../standin/index.js'

/** As often as it is asked. */
export const ALWAYS = Number.POSITIVE_INFINITY
export const CANARIES = { apiKey: 'canary-key/+%', apiSecret: 'canary "secret"\\/+%\u00e9' }

/** A fault on minute bars of a symbol. */
export const bars = (symbol: string, pageIndex = '1'): Pick<Fault, 'match'> => ({
  match: { path: '/data/ohlc', where: { symbol, timeFrame: '1m', pageIndex } },
})

/** A gateway that prints what it was given. */
export function echo(): string {
  return `upstream failed for ${CANARIES.apiKey} with ${CANARIES.apiSecret}, ${JSON.stringify(CANARIES)}`
}
