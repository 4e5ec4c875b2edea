import type { TradingBoard } from '../../market/board.js'
import { type Day, dayOf, instantOf } from '../../market/day.js'
import { tradingBoard } from '../../market/kind.js'
import { ROUND_LOT } from '../../market/lot.js'
import { tickAt, toTick } from '../../market/tick.js'
import type { Agenda } from '../agenda.js'
import { isHalted } from '../world/halts.js'
import { boardAt, type Instrument, isListedAt } from '../world/instrument.js'
import { Memo } from '../world/memo.js'
import type { World } from '../world/world.js'
import type { Listing, Market, Phase, Print, Quote } from './market-view.js'
import { phaseAt, timetable } from './phase.js'
import { printer } from './prints.js'

const TRADING_BOARDS: readonly TradingBoard[] = ['HOSE', 'HNX', 'UPCOM', 'DERIVATIVE']
const MINUTE_MS = 60_000

/**
 * The simulated market on the service's own clock. It is what it is: orders of the sandbox take its prices and
 * volumes and leave its candles untouched, so that a market from a seed stays that market.
 */
export function createMarket(world: World, agenda: Agenda): Market {
  const { time } = world
  const prints = printer(world)
  const listeners = new Map<string, Set<(print: Print) => void>>()
  const scheduled = new Set<string>()
  // Every print asks for its symbol's limits, which hold for the session.
  const limits = new Memo<string, ReturnType<World['reference']>>(400)
  const phaseListeners: ((board: TradingBoard, phase: Phase, day: Day) => void)[] = []

  const place = (instrument: Instrument): Omit<Listing, 'reference' | 'ceiling' | 'floor'> | undefined => {
    const day = dayOf(agenda.now())
    const session = time.from(day)
    if (!isListedAt(instrument, session)) return undefined
    const board = tradingBoard(instrument.kind, boardAt(instrument, session))
    const open = time.days[session] === day
    return {
      instrument,
      board,
      session,
      day: time.days[session] ?? day,
      phase: open ? phaseAt(board, day, (agenda.now() - instantOf(day)) / MINUTE_MS) : 'closed',
      halted: isHalted(instrument, session),
      ladder: world.prices.ladder(instrument, session),
      lot: ROUND_LOT[board],
    }
  }

  const listing: Market['listing'] = (symbol) => {
    const instrument = world.find(symbol)
    const found = instrument && place(instrument)
    if (!instrument || !found) return undefined
    const { reference, ceiling, floor } = limits.get(`${symbol} ${found.session}`, () =>
      world.reference(instrument, found.session),
    )
    return { ...found, reference, ceiling, floor }
  }

  /** The latest print of today's session up to now. */
  const latest = (instrument: Instrument): Print | undefined => {
    const now = agenda.now()
    const session = time.at(dayOf(now))
    if (time.days[session] !== dayOf(now) || !isListedAt(instrument, session)) return undefined
    return prints(instrument, session).findLast((print) => print.at <= now)
  }

  const last: Market['last'] = (symbol) => {
    const instrument = world.find(symbol)
    if (!instrument) return undefined
    return latest(instrument)?.price ?? listing(symbol)?.reference
  }

  /** What stands nearest on both sides: one tick from the last price, as deep as half of what last traded. */
  const quote = (symbol: string): Quote | undefined => {
    const found = listing(symbol)
    if (found?.phase !== 'continuous' || found.halted) return undefined
    const price = last(symbol) ?? found.reference
    const tick = tickAt(found.ladder, price)
    const print = latest(found.instrument)
    const depth = Math.max(found.lot, Math.floor((print?.volume ?? 0) / 2 / found.lot) * found.lot)
    return {
      bid: Math.max(found.floor, toTick(found.ladder, price - tick, 'nearest')),
      ask: Math.min(found.ceiling, toTick(found.ladder, price + tick, 'nearest')),
      depth,
    }
  }

  /** The first print after an instant, in this session or one of the next. */
  const following = (instrument: Instrument, after: number): Print | undefined => {
    for (let session = time.from(dayOf(after)); session <= instrument.last; session++) {
      if (!isListedAt(instrument, session)) continue
      const found = prints(instrument, session).find((print) => print.at > after)
      if (found) return found
    }
    return undefined
  }

  // One print a watched symbol is on the agenda at a time: a market that nobody watches costs nothing.
  const schedule = (instrument: Instrument): void => {
    const { symbol } = instrument
    if (scheduled.has(symbol)) return
    const next = following(instrument, agenda.now())
    if (!next) return
    scheduled.add(symbol)
    agenda.at(next.at, () => {
      scheduled.delete(symbol)
      const hearing = listeners.get(symbol)
      if (!hearing || hearing.size === 0) return
      for (const hear of [...hearing]) hear(next)
      schedule(instrument)
    })
  }

  const schedulePhases = (board: TradingBoard, session: number): void => {
    const day = time.days[session]
    if (!day) return
    const starts = timetable(board, day).filter(
      ({ minute }) => instantOf(day) + minute * MINUTE_MS > agenda.now(),
    )
    const [next] = starts
    if (!next) {
      schedulePhases(board, session + 1)
      return
    }
    agenda.at(instantOf(day) + next.minute * MINUTE_MS, () => {
      for (const hear of phaseListeners) hear(board, next.phase, day)
      schedulePhases(board, session)
    })
  }
  for (const board of TRADING_BOARDS) schedulePhases(board, time.from(dayOf(agenda.now())))

  return {
    listing,
    last,
    quote,
    watch(symbol, hear) {
      const hearing = listeners.get(symbol) ?? new Set()
      listeners.set(symbol, hearing.add(hear))
      const instrument = world.find(symbol)
      if (instrument) schedule(instrument)
      return () => {
        hearing.delete(hear)
      }
    },
    onPhase(hear) {
      phaseListeners.push(hear)
    },
  }
}
