import { limitsAround } from 'candlehouse-foundation/market/band'
import { TRADING_BOARDS, type TradingBoard } from 'candlehouse-foundation/market/board'
import type { Day } from 'candlehouse-foundation/market/day'
import { type TickStep, tickLadder, toTick } from 'candlehouse-foundation/market/tick'
import { exDates } from './corporate-actions.js'
import { hasTrade, isHalted } from './halts.js'
import { mix, unit } from './hash.js'
import type { ExDate, Instrument } from './instrument.js'
import { Latest } from './latest.js'
import { futuresLevel, logLevel } from './log-levels.js'
import { bandsAt, boardOf, idleSessions, lotAt } from './market-rules.js'
import { Memo } from './memo.js'
import type { Timeline } from './timeline.js'

/** Closes of the market; every close can be computed alone. Prices in VND, or index points for futures. */
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
  /** Shares or contracts of one round lot that day. */
  lot(instrument: Instrument, session: number): number
  /** Growth of a price from one session to another, without what corporate actions and limits take off or add. */
  growth(instrument: Instrument, from: number, to: number): number
}

/** Sessions close at the limit only when the path moved at least this far in that direction. */
const LIMIT_MOVE = 0.02
const LIMIT_CHANCE = 0.15
/** How far two sessions must lead from the close before: from a limit of 10 %, the close after it is then within its own band. */
const LIMIT_DAY_MOVE = 0.012

/** What the rulebook has for the instruments of a kind on a board, in a session. */
interface SessionRules {
  readonly ladder: readonly TickStep[]
  readonly lot: number
  readonly bands: ReturnType<typeof bandsAt>
  readonly idleAfter: number
}

const KINDS: readonly Instrument['kind'][] = ['stock', 'etf', 'covered_warrant', 'future']

/** Prices of the simulated market: functions of the seed, the instrument and the session. */
export class SimulatedPrices implements Prices {
  private readonly market: number
  private readonly exDatesByInstrument = new Map<Instrument, ExDate[]>()
  private readonly ladders = new Map<string, readonly TickStep[]>()
  /** By session, then by board and kind. */
  private readonly rulesBySession: (SessionRules | undefined)[][] = []
  private readonly vn30 = new Memo<number, number>(4_000)
  private readonly closes = new Latest((instrument, session) => this.closeOf(instrument, session))
  private readonly tradedBefore = new Latest((instrument, session) => this.lastTradedOf(instrument, session))

  constructor(
    private readonly time: Timeline,
    seed: number,
    /** Sessions on which many stocks close at a limit. */
    private readonly limitSessions: ReadonlySet<number>,
    /** Level of the VN30 index, which futures follow, as a multiple of its base. */
    private readonly vn30Level: (session: number) => number,
  ) {
    this.market = mix(seed, 0x3a9)
  }

  ladder(instrument: Instrument, session: number): readonly TickStep[] {
    return this.rules(instrument, session).ladder
  }

  close(instrument: Instrument, session: number): number {
    return this.closes.get(instrument, session)
  }

  private closeOf(instrument: Instrument, session: number): number {
    const limit = this.limitMove(instrument, session)
    const ladder = this.ladder(instrument, session)
    if (limit === 0) return toTick(ladder, this.level(instrument, session), 'nearest')
    const formerLadder = this.ladder(instrument, session - 1)
    const formerClose = toTick(formerLadder, this.level(instrument, session - 1), 'nearest')
    const { usual } = this.rules(instrument, session).bands
    const limits = limitsAround(formerClose, usual, ladder)
    return limit > 0 ? limits.ceiling : limits.floor
  }

  traded(instrument: Instrument, session: number): boolean {
    const isExDate =
      instrument.tradeChance < 1 && this.exDatesOf(instrument).some((action) => action.session === session)
    return hasTrade(instrument, session, isExDate)
  }

  lastTraded(instrument: Instrument, session: number): number {
    return this.tradedBefore.get(instrument, session)
  }

  private lastTradedOf(instrument: Instrument, session: number): number {
    let last = session - 1
    while (last >= instrument.first && !this.traded(instrument, last)) last--
    return last
  }

  factor(instrument: Instrument, after: number, upTo: number): number {
    let product = 1
    for (const { session, factor } of this.exDatesOf(instrument)) {
      if (session > upTo) break
      if (session > after) product *= factor
    }
    return product
  }

  growth({ path, calm }: Instrument, from: number, to: number): number {
    return Math.exp(logLevel(path, calm, to, this.market) - logLevel(path, calm, from, this.market))
  }

  bandPercent(instrument: Instrument, session: number): number {
    const { bands, idleAfter } = this.rules(instrument, session)
    if (instrument.kind !== 'stock') return bands.usual
    if (session === instrument.first && session > 0) return bands.firstDay
    const idle = session - 1 - this.lastTraded(instrument, session)
    return idle >= idleAfter ? bands.afterIdle : bands.usual
  }

  lot(instrument: Instrument, session: number): number {
    return this.rules(instrument, session).lot
  }

  /** The rulebook is asked once per board, kind and session: a page of summaries needs some of it for each row many times. */
  private rules(instrument: Instrument, session: number): SessionRules {
    const board = boardOf(instrument, session)
    const kind = TRADING_BOARDS.indexOf(board) * KINDS.length + KINDS.indexOf(instrument.kind)
    this.rulesBySession[session] ??= []
    const ofSession = this.rulesBySession[session]
    let rules = ofSession[kind]
    if (rules) return rules
    const day = this.dayOf(session)
    rules = {
      ladder: this.ladderOf(instrument, board, day),
      lot: lotAt(instrument, session, day),
      bands: bandsAt(instrument, session, day),
      idleAfter: instrument.kind === 'stock' ? idleSessions(instrument, session, day) : 0,
    }
    ofSession[kind] = rules
    return rules
  }

  private ladderOf(instrument: Instrument, board: TradingBoard, day: Day): readonly TickStep[] {
    // Tick sizes depend on the date; within a month they never change here.
    const key = `${board} ${instrument.kind} ${day.slice(0, 7)}`
    const known = this.ladders.get(key)
    if (known) return known
    const ladder = tickLadder(board, instrument.underlying ?? instrument.kind, day)
    this.ladders.set(key, ladder)
    return ladder
  }

  private dayOf(session: number): Day {
    return this.time.days[session] ?? this.time.days[0] ?? ''
  }

  private exDatesOf(instrument: Instrument): ExDate[] {
    let dates = this.exDatesByInstrument.get(instrument)
    if (!dates) {
      const all = exDates(instrument, this.time.days.length)
      dates = all.filter(({ session }) => !isHalted(instrument, session))
      this.exDatesByInstrument.set(instrument, dates)
    }
    return dates
  }

  private level(instrument: Instrument, session: number): number {
    const { kind, path, expires, last, base, calm } = instrument
    if (kind === 'future') {
      const index = this.vn30.get(session, () => this.vn30Level(session))
      return futuresLevel(index, path, session, expires ?? last)
    }
    const level = base * Math.exp(logLevel(path, calm, session, this.market))
    return level * this.factor(instrument, -1, session)
  }

  /** 1 for a close at the ceiling, -1 at the floor: only where the sessions around it leave room for it. */
  private limitMove(instrument: Instrument, session: number): number {
    const { path, calm, kind, first, tradeChance } = instrument
    if (kind !== 'stock' || session <= first || (session + path) % 2 !== 0) return 0
    const isLimitDay = this.limitSessions.has(session) && tradeChance === 1
    if (!isLimitDay && (calm || unit(path, session, 61) > LIMIT_CHANCE)) return 0
    if (this.factor(instrument, session - 1, session + 1) !== 1) return 0
    const levelAt = (number: number) => logLevel(path, calm, number, this.market)
    const today = levelAt(session)
    const move = today - levelAt(session - 1)
    const nextMove = levelAt(session + 1) - today
    if (isLimitDay) return Math.abs(move + nextMove) < LIMIT_DAY_MOVE ? 0 : Math.sign(move + nextMove)
    if (move >= LIMIT_MOVE && nextMove >= 0) return 1
    return move <= -LIMIT_MOVE && nextMove <= 0 ? -1 : 0
  }
}
