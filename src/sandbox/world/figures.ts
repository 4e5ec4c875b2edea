import type { Daily } from './daily.js'
import { mix, unit } from './hash.js'
import type { Instrument } from './instrument.js'

/** Figures of a day that bars do not show: who bought, who asked, what foreigners may still hold. */
export interface Flows {
  /** Ordered volume and number of orders, per side. Ordered is at least what matched. */
  totalBuy: number
  totalTradeBuy: number
  totalSell: number
  totalTradeSell: number
  foreignBuy: number
  foreignBuyValue: number
  foreignSell: number
  foreignSellValue: number
  remainRoom: number
  totalRoom: number
}

export function flowsOf({ instrument, session, volume, average, listedShares }: FlowsOf): Flows {
  const { path } = instrument
  const at = (salt: number) => unit(path, session, salt)
  const foreignBuy = Math.floor((volume * 0.25 * at(93)) / 100) * 100
  const foreignSell = Math.floor((volume * 0.25 * at(94)) / 100) * 100
  const multiplier = instrument.kind === 'future' ? 100_000 : 1
  const totalRoom = Math.floor(listedShares * (0.3 + 0.19 * unit(path, 95)))
  return {
    totalBuy: Math.round((volume * (1.1 + 0.8 * at(91))) / 100) * 100 + 100,
    totalTradeBuy: Math.ceil(volume / 900) + (mix(path, session, 96) % 50),
    totalSell: Math.round((volume * (1.1 + 0.8 * at(92))) / 100) * 100 + 100,
    totalTradeSell: Math.ceil(volume / 950) + (mix(path, session, 97) % 50),
    foreignBuy,
    foreignBuyValue: Math.round(foreignBuy * average * multiplier),
    foreignSell,
    foreignSellValue: Math.round(foreignSell * average * multiplier),
    remainRoom: Math.floor(totalRoom * (0.1 + 0.8 * at(98))),
    totalRoom,
  }
}

type FlowsOf = Pick<Daily, 'instrument' | 'session' | 'volume' | 'average'> & { listedShares: number }

/** Open contracts of a future at the end of a session. */
export function openInterestOf({ path }: Instrument, session: number): number {
  return 8_000 + (mix(path, session, 99) % 45_000)
}
