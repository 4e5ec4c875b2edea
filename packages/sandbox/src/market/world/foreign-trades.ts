import type { Daily } from './daily.js'
import { noise, unit } from './hash.js'
import type { Instrument } from './instrument.js'
import type { Prices } from './prices.js'

/** What foreigners traded on a session, and what they may still buy after it: shares, VND. */
export interface ForeignTrades {
  foreignBuy: number
  foreignBuyValue: number
  foreignSell: number
  foreignSellValue: number
  remainRoom: number
  totalRoom: number
}

/** Largest part of a session's volume that foreigners buy and sell alike. */
const BOTH_WAYS = 0.25
/** Largest part of the least volume of a session that they buy or sell beyond that. */
const ONE_WAY = 0.35
/** One-minute bars of a session in which every minute trades. */
const MINUTES = 227

/**
 * Foreign trades of a session. The room that remains is a function of the session, as every figure of this market, and
 * the net purchase is its change: the room follows the trades without a sum over all sessions since 2020.
 */
export function foreignTrades(day: Daily, prices: Prices): ForeignTrades {
  const { instrument, session, volume, average } = day
  const { multiplier } = instrument
  const lot = prices.lot(instrument, session)
  const largestNet = inLots(ONE_WAY * volume, lot)
  const before = roomAfter(instrument, prices.lastTraded(instrument, session), lot)
  const change = volume === 0 ? 0 : before - roomAfter(instrument, session, lot)
  // Only a session that still runs has less volume than the change of the whole session needs.
  const net = Math.max(-largestNet, Math.min(largestNet, change))
  const bothWays = inLots(volume * BOTH_WAYS * unit(instrument.path, session, 93), lot)
  const foreignBuy = bothWays + Math.max(0, net)
  const foreignSell = bothWays + Math.max(0, -net)
  return {
    foreignBuy,
    foreignBuyValue: Math.round(foreignBuy * average * multiplier),
    foreignSell,
    foreignSellValue: Math.round(foreignSell * average * multiplier),
    remainRoom: before - net,
    totalRoom: totalRoomOf(instrument),
  }
}

function inLots(shares: number, lot: number): number {
  return Math.floor(shares / lot) * lot
}

function totalRoomOf({ listed, path }: Instrument): number {
  return Math.floor(listed * (0.3 + 0.19 * unit(path, 95)))
}

/** Room after a session that traded. Sessions without a trade change nothing. Before and after a trade in the same lots. */
function roomAfter(instrument: Instrument, session: number, lot: number): number {
  const { path, calm } = instrument
  const total = totalRoomOf(instrument)
  const step = stepOf(instrument, total, lot)
  // Slow tides make streaks of buying and selling. Names that are halted have none: over a long halt the tide
  // would change by more than the first session after it trades.
  const tide = calm ? 0 : 16 * noise(path, session, 64) + 4 * noise(path, session, 16)
  const base = total * (0.1 + 0.8 * unit(path, 98))
  const range = 21 * step
  const middle = Math.min(Math.max(base, range), total - range)
  return inLots(middle, lot) + inLots(step * (noise(path, session, 1) + tide), lot)
}

/** Unit of the room's changes, shares: from one session to the next at most two without tides, three with them. */
function stepOf(instrument: Instrument, total: number, lot: number): number {
  const largest = (ONE_WAY * leastVolume(instrument, lot) - lot) / (instrument.calm ? 2 : 3)
  return Math.max(0, Math.min(largest, total / 50))
}

/**
 * A volume that a session with a trade never falls short of, shares: the mean less four standard deviations of the
 * number of bars, then of their size.
 */
function leastVolume({ busy, lots }: Instrument, lot: number): number {
  const mean = MINUTES * busy * 0.75
  const bars = mean - 4 * Math.sqrt(mean)
  return bars <= 0 ? 0 : lot * Math.max(bars, lots * (bars / 3 - 1.2 * Math.sqrt(bars)))
}
