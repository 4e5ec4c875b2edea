import { BANDS, IDLE_SESSIONS_FOR_WIDE_BAND, limitsAround } from '../../market/band.js'
import type { Day } from '../../market/day.js'
import { tradingBoard } from '../../market/kind.js'
import { type TickStep, tickLadder, toTick } from '../../market/tick.js'
import { type ExDate, exDates } from './corporate-actions.js'
import { hasTrade, isHalted } from './halts.js'
import { mix, unit } from './hash.js'
import { boardAt, type Instrument } from './instrument.js'
import { futuresLevel, indexLogLevel, logLevel } from './log-levels.js'
import { Memo } from './memo.js'
import type { Timeline } from './timeline.js'

/** Closes of the market, each computed by itself. Prices in VND, or index points for futures. */
export interface Prices {
  ladder(instrument: Instrument, session: number): readonly TickStep[]
  /** Close of a session that traded. */
  close(instrument: Instrument, session: number): number
  traded(instrument: Instrument, session: number): boolean
  /** Last session before this one that traded; below `first` when there is none. */
  lastTraded(instrument: Instrument, session: number): number
  /** Product of the adjustment factors of the ex-dates in (after, upTo]. */
  factor(instrument: Instrument, after: number, upTo: number): number
  /** How far the price may move that day, in per cent. */
  bandPercent(instrument: Instrument, session: number): number
  /** Log level of the VN30 index, which futures follow. */
  vn30(session: number): number
}

/** Sessions close at the limit only when the path moved at least this far in that direction. */
const LIMIT_MOVE = 0.02
const LIMIT_CHANCE = 0.15

export function prices(time: Timeline, seed: number, vn30Members: readonly Instrument[]): Prices {
  const market = mix(seed, 0x3a9)
  const horizon = time.days.length
  const actions = new Map<Instrument, ExDate[]>()
  const ladders = new Map<string, readonly TickStep[]>()
  const indexLevels = new Memo<number, number>(4_000)

  const actionsOf = (instrument: Instrument): ExDate[] => {
    let found = actions.get(instrument)
    if (!found) {
      found = exDates(instrument, horizon).filter(({ session }) => !isHalted(instrument, session))
      actions.set(instrument, found)
    }
    return found
  }

  const factor: Prices['factor'] = (instrument, after, upTo) => {
    let product = 1
    for (const { session, factor } of actionsOf(instrument)) {
      if (session > upTo) break
      if (session > after) product *= factor
    }
    return product
  }

  const ladder: Prices['ladder'] = (instrument, session) => {
    const board = tradingBoard(instrument.kind, boardAt(instrument, session))
    const day: Day = time.days[session] ?? time.days[0] ?? ''
    // Ticks are dated, and a table of ticks never changes within a month here.
    const key = `${board} ${instrument.kind} ${day.slice(0, 7)}`
    let found = ladders.get(key)
    if (!found) {
      found = tickLadder(board, instrument.kind, day)
      ladders.set(key, found)
    }
    return found
  }

  const vn30 = (session: number): number =>
    indexLevels.get(session, () => indexLogLevel(vn30Members, session, market))

  const level = (instrument: Instrument, session: number): number =>
    instrument.kind === 'future'
      ? futuresLevel(vn30(session), instrument.path, session, instrument.expires ?? instrument.last)
      : instrument.base *
        Math.exp(logLevel(instrument.path, instrument.calm, session, market)) *
        factor(instrument, -1, session)

  /** 1 for a close at the ceiling, -1 at the floor: only where the sessions around it leave room for it. */
  const limitMove = (instrument: Instrument, session: number): number => {
    const { path, calm, kind, first } = instrument
    if (calm || kind !== 'stock' || session <= first || (session + path) % 2 !== 0) return 0
    if (unit(path, session, 61) > LIMIT_CHANCE) return 0
    if (factor(instrument, session - 1, session + 1) !== 1) return 0
    const at = (s: number) => logLevel(path, false, s, market)
    const today = at(session)
    const move = today - at(session - 1)
    const next = at(session + 1) - today
    if (move >= LIMIT_MOVE && next >= 0) return 1
    return move <= -LIMIT_MOVE && next <= 0 ? -1 : 0
  }

  const close: Prices['close'] = (instrument, session) => {
    const limit = limitMove(instrument, session)
    const steps = ladder(instrument, session)
    if (limit === 0) return toTick(steps, level(instrument, session), 'nearest')
    const before = toTick(ladder(instrument, session - 1), level(instrument, session - 1), 'nearest')
    const limits = limitsAround(before, BANDS[boardAt(instrument, session)].normal, steps)
    return limit > 0 ? limits.ceiling : limits.floor
  }

  const traded: Prices['traded'] = (instrument, session) =>
    hasTrade(
      instrument,
      session,
      instrument.tradeChance < 1 && actionsOf(instrument).some((action) => action.session === session),
    )

  const lastTraded: Prices['lastTraded'] = (instrument, session) => {
    let found = session - 1
    while (found >= instrument.first && !traded(instrument, found)) found--
    return found
  }

  return {
    ladder,
    close,
    traded,
    lastTraded,
    factor,
    vn30,
    bandPercent(instrument, session) {
      const band = BANDS[tradingBoard(instrument.kind, boardAt(instrument, session))]
      if (instrument.kind !== 'stock') return band.normal
      if (session === instrument.first && session > 0) return band.wide
      const idle = session - 1 - lastTraded(instrument, session)
      return idle >= IDLE_SESSIONS_FOR_WIDE_BAND ? band.wide : band.normal
    },
  }
}
