import type { Daily } from './daily.js'
import { mix, unit } from './hash.js'
import type { Instrument } from './instrument.js'

/** Orders of a session, per side: volume ordered, at least what matched, and number of orders. */
export interface OrderFlow {
  totalBuy: number
  totalTradeBuy: number
  totalSell: number
  totalTradeSell: number
}

export function orderFlow(
  { instrument, session, volume }: Pick<Daily, 'instrument' | 'session' | 'volume'>,
  lot: number,
): OrderFlow {
  const { path } = instrument
  const at = (salt: number) => unit(path, session, salt)
  const ordered = (times: number) => (Math.round((volume * times) / lot) + 1) * lot
  return {
    totalBuy: ordered(1.1 + 0.8 * at(91)),
    totalTradeBuy: Math.ceil(volume / 900) + (mix(path, session, 96) % 50),
    totalSell: ordered(1.1 + 0.8 * at(92)),
    totalTradeSell: Math.ceil(volume / 950) + (mix(path, session, 97) % 50),
  }
}

/** Open contracts of a future at the end of a session. */
export function openInterestOf({ path }: Instrument, session: number): number {
  return 8_000 + (mix(path, session, 99) % 45_000)
}
