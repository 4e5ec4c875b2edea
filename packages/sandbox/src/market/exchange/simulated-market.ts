import { TRADING_BOARDS, type TradingBoard } from 'candlehouse-foundation/market/board'
import { type Day, dayOf, instantOf } from 'candlehouse-foundation/market/day'
import { tradingBoard } from 'candlehouse-foundation/market/kind'
import { tickAt, toTick } from 'candlehouse-foundation/market/tick'
import type { Agenda } from '../agenda.js'
import { isHalted } from '../world/halts.js'
import { boardAt, type Instrument, isListedAt } from '../world/instrument.js'
import {
  auctionOrdersFirstAt,
  lotAt,
  mostQuantityAt,
  oddLotTypesAt,
  orderTypesAt,
} from '../world/market-rules.js'
import { Memo } from '../world/memo.js'
import type { World } from '../world/world.js'
import {
  type Listing,
  type Market,
  type PhaseListener,
  type PriceRange,
  type Print,
  type PrintListener,
  type Quote,
  within,
} from './market-view.js'
import type { OwnTrades } from './own-trades.js'
import { phaseAt, timetable } from './phase.js'
import { Pressure } from './pressure.js'
import { type Prints, printsOf, type SessionPrints } from './prints.js'

const MINUTE_MS = 60_000

type OrderRules = Pick<Listing, 'lot' | 'mostQuantity' | 'orderTypes' | 'oddLotTypes' | 'auctionOrdersFirst'>

/** The prints of a watched symbol's session, read one after another. */
interface Tape {
  readonly listeners: Set<PrintListener>
  /** Whether its next print is on the agenda. */
  scheduled: boolean
  prints: SessionPrints | undefined
  /** Index of the next print in `prints`. */
  next: number
}

/**
 * The simulated market on the service's own clock. Orders of the sandbox trade at its prices and volumes and do not
 * change its candles, so that the market of a seed stays the same; with `impact` they do.
 */
export class SimulatedMarket implements Market {
  private readonly prints: Prints
  private readonly tapes = new Map<string, Tape>()
  private readonly phaseListeners: PhaseListener[] = []
  /** Every print asks for the limits of its symbol, which are the same for the whole session. */
  private readonly limits = new Memo<string, ReturnType<World['reference']>>(400)
  private readonly rules = new Memo<string, OrderRules>(400)
  private readonly pressures = new Map<string, Pressure>()

  constructor(
    private readonly world: World,
    private readonly agenda: Agenda,
    /** Where trades of orders are added from an instant on, when they move the market. */
    private readonly impact?: { readonly trades: OwnTrades; readonly since: number },
  ) {
    this.prints = printsOf(world)
    for (const board of TRADING_BOARDS) this.schedulePhases(board, world.time.from(dayOf(agenda.now())))
  }

  listing(symbol: string): Listing | undefined {
    const day = dayOf(this.agenda.now())
    return this.listingOf(symbol, this.world.time.from(day), day)
  }

  upcoming(symbol: string): Listing | undefined {
    const today = this.listing(symbol)
    if (today?.phase !== 'closed' && today?.phase !== 'after') return today
    const { time } = this.world
    const session = today.phase === 'after' ? today.session + 1 : today.session
    return this.listingOf(symbol, session, time.days[session] ?? '')
  }

  /** @param day whose phases count: a session that is yet to come is `closed`, or `before` when this is its own day */
  private listingOf(symbol: string, session: number, day: Day): Listing | undefined {
    const { time } = this.world
    const instrument = this.world.find(symbol)
    if (!instrument || !isListedAt(instrument, session)) return undefined
    const board = tradingBoard(instrument.kind, boardAt(instrument, session))
    const sessionDay = time.days[session] ?? day
    const minute = (this.agenda.now() - instantOf(day)) / MINUTE_MS
    const { reference, ceiling, floor } = this.limits.get(`${symbol} ${session}`, () =>
      this.world.reference(instrument, session),
    )
    return {
      instrument,
      board,
      session,
      day: sessionDay,
      phase: sessionDay === day ? phaseAt(board, day, minute) : 'closed',
      halted: isHalted(instrument, session),
      ladder: this.world.prices.ladder(instrument, session),
      reference,
      ceiling,
      floor,
      ...this.rulesOf(instrument, session, sessionDay),
    }
  }

  /** What the rulebook has about orders of an instrument on a day: many ask for it, and it changes by the session. */
  private rulesOf(instrument: Instrument, session: number, day: Day): OrderRules {
    return this.rules.get(`${instrument.symbol} ${session}`, () => ({
      lot: lotAt(instrument, session, day),
      mostQuantity: mostQuantityAt(instrument, session, day),
      orderTypes: orderTypesAt(instrument, session, day),
      oddLotTypes: oddLotTypesAt(instrument, session, day),
      auctionOrdersFirst: auctionOrdersFirstAt(instrument, session, day),
    }))
  }

  last(symbol: string): number | undefined {
    const instrument = this.world.find(symbol)
    if (!instrument) return undefined
    return this.latestPrint(instrument)?.price ?? this.listing(symbol)?.reference
  }

  /**
   * Bid and ask are one tick from the last price, or at the end of the minute's range; the depth is half of the volume of the last
   * print. Where orders have moved the price, the range has moved with it: the candle then has their trades.
   */
  quote(symbol: string): Quote | undefined {
    const listing = this.listing(symbol)
    if (!listing || listing.halted) return undefined
    const { instrument, ladder, lot, floor, ceiling, phase } = listing
    const latest = this.latestPrint(instrument)
    if (!latest) return undefined
    const { price: last, volume, range } = latest
    const depth = Math.max(lot, Math.floor(volume / 2 / lot) * lot)
    if (phase === 'plo') return { bid: last, ask: last, low: last, high: last, depth }
    if (phase !== 'continuous') return undefined
    const moved = this.pressures.get(symbol)?.ticksAt(this.agenda.now()) ?? 0
    // References of UPCOM are averages, so that trades there may be beyond the limits.
    const limits = { low: Math.min(floor, range.low), high: Math.max(ceiling, range.high) }
    const price = within(limits, last + moved * tickAt(ladder, last))
    const shown = { low: Math.min(range.low, price), high: Math.max(range.high, price) }
    const tick = tickAt(ladder, price)
    return {
      ...shown,
      bid: within(shown, toTick(ladder, price - tick, 'nearest')),
      ask: within(shown, toTick(ladder, price + tick, 'nearest')),
      depth,
    }
  }

  traded(symbol: string, side: 'B' | 'S', price: number, quantity: number): void {
    const now = this.agenda.now()
    const listing = this.listing(symbol)
    if (!this.impact || !listing || now < this.impact.since) return
    const depth = this.quote(symbol)?.depth ?? quantity
    const pressure = this.pressures.get(symbol) ?? new Pressure()
    this.pressures.set(symbol, pressure)
    pressure.add(((side === 'B' ? 1 : -1) * quantity) / depth, now)
    const minute = Math.floor((now - instantOf(listing.day)) / MINUTE_MS)
    this.impact.trades.add(symbol, listing.session, { minute, price, quantity })
  }

  watch(symbol: string, listener: PrintListener): () => void {
    const tape = this.tapes.get(symbol) ?? {
      listeners: new Set(),
      scheduled: false,
      prints: undefined,
      next: 0,
    }
    this.tapes.set(symbol, tape)
    tape.listeners.add(listener)
    const instrument = this.world.find(symbol)
    if (instrument) this.scheduleNextPrint(tape, instrument)
    return () => {
      tape.listeners.delete(listener)
    }
  }

  onPhase(listener: PhaseListener): void {
    this.phaseListeners.push(listener)
  }

  /** The latest print of today's session up to now. */
  private latestPrint(instrument: Instrument): (Print & { range: PriceRange }) | undefined {
    const { time } = this.world
    const now = this.agenda.now()
    const session = time.at(dayOf(now))
    if (time.days[session] !== dayOf(now) || !isListedAt(instrument, session)) return undefined
    const prints = this.prints(instrument, session)
    const index = prints.firstAfter(now) - 1
    const print = prints.print(index)
    return print && { ...print, range: prints.rangeAround(index) }
  }

  /**
   * Moves a tape to the first print after an instant, in this session or a later one.
   *
   * @returns the instant of that print
   */
  private moveTape(tape: Tape, instrument: Instrument, after: number): number | undefined {
    const [former, following] = [tape.prints?.at(tape.next - 1), tape.prints?.at(tape.next)]
    if (former !== undefined && following !== undefined && former <= after && following > after)
      return following
    for (let session = this.world.time.from(dayOf(after)); session <= instrument.last; session++) {
      if (!isListedAt(instrument, session)) continue
      const prints = this.prints(instrument, session)
      const next = prints.firstAfter(after)
      if (next === prints.count) continue
      tape.prints = prints
      tape.next = next
      return prints.at(next)
    }
    return undefined
  }

  /** Puts only the next print of a watched symbol on the agenda: a market that nobody watches costs nothing. */
  private scheduleNextPrint(tape: Tape, instrument: Instrument): void {
    if (tape.scheduled) return
    const at = this.moveTape(tape, instrument, this.agenda.now())
    if (at === undefined) return
    tape.scheduled = true
    // An auction trades at the instant at which its phase ends, before orders that it leaves enter the next phase.
    const order = tape.prints?.print(tape.next)?.auction && 'first'
    this.agenda.at(
      at,
      () => {
        tape.scheduled = false
        if (tape.listeners.size === 0) return
        const print = tape.prints?.print(tape.next++)
        if (!print) return
        for (const listener of [...tape.listeners]) listener(print)
        this.scheduleNextPrint(tape, instrument)
      },
      order,
    )
  }

  private schedulePhases(board: TradingBoard, session: number): void {
    const day = this.world.time.days[session]
    if (!day) return
    const next = timetable(board, day).find(
      ({ minute }) => instantOf(day) + minute * MINUTE_MS > this.agenda.now(),
    )
    if (!next) {
      this.schedulePhases(board, session + 1)
      return
    }
    this.agenda.at(instantOf(day) + next.minute * MINUTE_MS, () => {
      for (const listener of this.phaseListeners) listener(board, next.phase, day)
      this.schedulePhases(board, session)
    })
  }
}
