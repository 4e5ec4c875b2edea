import { addDays } from 'candlehouse-foundation/market/day'
import type { Instrument } from '../../market/world/instrument.js'
import { boardAt } from '../../market/world/instrument.js'
import type { World } from '../../market/world/world.js'
import type { Rate } from './rate.js'

/** Part of the value of a share that the broker lends on it; the least of a symbol is nothing. */
export type Lending = (instrument: Instrument, session: number) => Rate

/** Per cent by symbol that a caller sets in place of the usual ones. */
export type LendingChanges = Readonly<Record<string, number>>

const NOTHING: Rate = { part: 0, of: 100 }
/** Per cent. Half is the most that the law lets a broker lend; smaller names and HNX get less. */
const OF_INDEX = { VN30: 50, HNX30: 40 } as const
const OF_BOARD = { HOSE: 40, HNX: 30, UPCOM: 0 } as const
/** Calendar days since its first session before a share is lent on: six months. */
const NEW_FOR_DAYS = 183

/**
 * The list of marginable shares: members of VN30 and funds 50 %, of HNX30 40 %, others at HOSE 40 % and at HNX 30 %. Nothing on UPCOM,
 * on covered warrants, and on shares that were listed less than six months ago.
 */
export function lendingOf(world: World, changes: LendingChanges = {}): Lending {
  const { time } = world
  const perCent = (instrument: Instrument, session: number): number => {
    const { symbol, kind, first } = instrument
    if (kind === 'covered_warrant' || kind === 'future') return 0
    const today = time.days[session] ?? ''
    if (first > 0 && addDays(time.days[first] ?? today, NEW_FOR_DAYS) > today) return 0
    const board = boardAt(instrument, session)
    if (kind === 'etf') return OF_INDEX.VN30
    for (const index of ['VN30', 'HNX30'] as const)
      if (world.members(index, session).some((member) => member.symbol === symbol)) return OF_INDEX[index]
    return OF_BOARD[board]
  }
  return (instrument, session) => {
    const part = changes[instrument.symbol] ?? perCent(instrument, session)
    return part === 0 ? NOTHING : { part, of: 100 }
  }
}
