import type { Day } from 'candlehouse-foundation/market/day'
import { lotSize } from 'candlehouse-foundation/market/lot'
import type { Daily } from './daily.js'
import { hashText, unit } from './hash.js'
import { moveOf } from './index-levels.js'
import { INDEXES } from './indexes.js'
import type { Instrument } from './instrument.js'
import { WORLD_BEGINS } from './timeline.js'
import type { World } from './world.js'

/** One index's day: totals over its members, breadth, and its value. */
export interface IndexDay {
  session: number
  matchVolume: number
  matchValue: number
  dealVolume: number
  dealValue: number
  /** Rising includes those at the ceiling, falling those at the floor. */
  advance: number
  ceiling: number
  decline: number
  floor: number
  noChange: number
  value: number
  change: number
  previous: number
  propBuy: number
  propBuyValue: number
  propSell: number
  propSellValue: number
}

/**
 * Sums the members' own summaries, so that the two always agree.
 *
 * @param isRunning the sheet is that of a session which has not ended: the index moved as its members did so far
 */
export function indexDay(
  world: World,
  code: string,
  session: number,
  sheet: readonly Daily[],
  isRunning = false,
): IndexDay {
  const members = new Set(world.members(code, session))
  const sum = { matchVolume: 0, matchValue: 0, dealVolume: 0, dealValue: 0 }
  const breadth = { advance: 0, ceiling: 0, decline: 0, floor: 0, noChange: 0 }
  for (const day of sheet) {
    if (!members.has(day.instrument)) continue
    sum.matchVolume += day.volume
    sum.matchValue += day.value
    sum.dealVolume += day.dealVolume
    sum.dealValue += day.dealValue
    if (day.close > day.reference) breadth.advance++
    else if (day.close < day.reference) breadth.decline++
    else breadth.noChange++
    if (day.close === day.ceiling) breadth.ceiling++
    if (day.close === day.floor) breadth.floor++
  }
  const value = isRunning
    ? world.indexValue(code, session - 1, moveSoFar(world, members, sheet))
    : world.indexValue(code, session)
  const previous = world.indexValue(code, session - 1)
  const at = (salt: number) => 0.03 * unit(hashText(code), session, salt)
  const lot = lotOfIndex(code, world.time.days[session] ?? WORLD_BEGINS)
  const lots = (share: number) => Math.floor((sum.matchVolume * share) / lot) * lot
  const [buy, sell] = [at(1), at(2)]
  return {
    session,
    ...sum,
    ...breadth,
    value,
    previous,
    change: value - previous,
    propBuy: lots(buy),
    propBuyValue: Math.round(sum.matchValue * buy),
    propSell: lots(sell),
    propSellValue: Math.round(sum.matchValue * sell),
  }
}

/** Round lot of the board whose stocks an index has. */
function lotOfIndex(code: string, day: Day): number {
  return lotSize(INDEXES.find((index) => index.code === code)?.board ?? 'HOSE', day)
}

function moveSoFar(world: World, members: ReadonlySet<Instrument>, sheet: readonly Daily[]): number {
  const days = new Map(sheet.map((day) => [day.instrument, day]))
  const stocks = [...members].filter(({ kind }) => kind === 'stock')
  return moveOf(stocks, (instrument) => {
    const day = days.get(instrument)
    if (!day) return undefined
    const before = world.indexBasis(instrument, day.session)
    return { before, price: day.volume > 0 ? day.close : before }
  })
}

export function indexCodes(board: string): string[] {
  return INDEXES.filter((index) => index.board === board).map(({ code }) => code)
}
