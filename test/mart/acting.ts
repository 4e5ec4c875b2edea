import { seeded } from '../e2e/support/seeded.js'
/** A market of true corporate actions, as a service serves it: what remains of it is compared with the truth. */

export interface Acting {
  readonly sessions: readonly string[]
  readonly rows: readonly SymbolDay[]
  readonly declared: readonly DeclaredAction[]
  readonly truth: readonly TrueAction[]
}

/** Price limits and daily summary of a symbol on a session. */
export interface SymbolDay {
  readonly symbol: string
  readonly board: Board
  readonly day: string
  readonly reference: number
  readonly ceiling: number
  readonly floor: number
  /** Zero without trades, as average, high and low. */
  readonly close: number
  readonly average: number
  readonly high: number
  readonly low: number
}

export interface DeclaredAction {
  readonly symbol: string
  /** As declared: perhaps a Sunday, a holiday or a day inside a suspension. */
  readonly exDate: string
  readonly kind: 'split' | 'stock_dividend' | 'cash_dividend'
  readonly ratio: number | null
  readonly amount: number | null
}

export interface TrueAction {
  readonly symbol: string
  /** First session at the new reference price. */
  readonly day: string
  readonly factor: number
  /** How far rounding moves the factor: two ticks. */
  readonly slack: number
}

type Board = 'HOSE' | 'HNX' | 'UPCOM'

const BANDS = { HOSE: 0.07, HNX: 0.1, UPCOM: 0.15 }
const FIRST_BANDS = { HOSE: 0.2, HNX: 0.3, UPCOM: 0.4 }
const TICK = 100
/** Monday 2025-03-03: the 13 weeks after it have four holidays (data/reference/calendar.csv). */
const FIRST = Date.UTC(2025, 2, 3)
const DAYS = 91
const CLOSED = new Set(['2025-04-07', '2025-04-30', '2025-05-01', '2025-05-02'])
const DAY = 86_400_000

const dayAt = (at: number): string => new Date(FIRST + at * DAY).toISOString().slice(0, 10)

const isOpen = (at: number): boolean =>
  ![0, 6].includes(new Date(FIRST + at * DAY).getUTCDay()) && !CLOSED.has(dayAt(at))

/** Prices here are above 100 ticks: a tick of 100 is right on every board. */
const toTick = (price: number): number => Math.floor(price / TICK + 0.5) * TICK

/** Symbols with two or three actions and a suspension each, drawn from a seed. */
export function actingMarket(symbols: number, seed: number): Acting {
  const random = seeded(seed)
  const rows: SymbolDay[] = []
  const declared: DeclaredAction[] = []
  const truth: TrueAction[] = []
  for (let at = 0; at < symbols; at += 1) {
    const history = symbolHistory(`S${at}`, random)
    rows.push(...history.rows)
    declared.push(...history.declared)
    truth.push(...history.truth)
  }
  const sessions = Array.from({ length: DAYS }, (_, at) => at)
    .filter(isOpen)
    .map(dayAt)
  return { sessions, rows, declared, truth }
}

/** Action of a day, and whether the user's file has it. */
interface Planned {
  readonly at: number
  readonly kind: DeclaredAction['kind']
  readonly size: number
  readonly isDeclared: boolean
}

function plannedActions(random: () => number, halt: readonly [number, number]): Planned[] {
  const draw = (at: number): Planned => {
    const kind = (['split', 'stock_dividend', 'cash_dividend'] as const)[Math.floor(random() * 3)] ?? 'split'
    const sizes = { split: [2, 4], stock_dividend: [0.1, 0.5], cash_dividend: [0.05, 0.12] }[kind]
    return { at, kind, size: sizes[Math.floor(random() * 2)] ?? 2, isDeclared: random() < 0.6 }
  }
  const inside = halt[0] + Math.floor(random() * (halt[1] - halt[0]))
  const others = [3 + Math.floor(random() * 15), 76 + Math.floor(random() * 10)]
  return [inside, ...others].toSorted((a, b) => a - b).map(draw)
}

function symbolHistory(symbol: string, random: () => number): Omit<Acting, 'sessions'> {
  const board = (['HOSE', 'HNX', 'UPCOM'] as const)[Math.floor(random() * 3)] ?? 'HOSE'
  const haltFrom = 20 + Math.floor(random() * 24)
  // From the first day without a session to the first with one.
  const halt = [haltFrom, haltFrom + 1 + Math.floor(random() * (random() < 0.3 ? 45 : 20))] as const
  const planned = plannedActions(random, halt)
  const quietShare = random() < 0.3 ? 0.5 : 0.05
  const rows: SymbolDay[] = []
  const declared: DeclaredAction[] = []
  const truth: TrueAction[] = []
  let basis = toTick(200_000 + random() * 600_000)
  let idleSince = 0
  for (let at = 0, next = 0; at < DAYS; at += 1) {
    if (!isOpen(at) || (at >= halt[0] && at < halt[1])) continue
    let reference = basis
    for (; (planned[next]?.at ?? DAYS) <= at; next += 1) {
      const action = planned[next]
      if (!action) break
      const amount = action.kind === 'cash_dividend' ? toTick(reference * action.size) : null
      reference = toTick(afterAction(reference, action, amount ?? 0))
      if (action.isDeclared)
        declared.push({
          symbol,
          exDate: dayAt(action.at),
          kind: action.kind,
          ratio: amount === null ? action.size : null,
          amount,
        })
    }
    if (reference !== basis)
      truth.push({ symbol, day: dayAt(at), factor: reference / basis, slack: (2 * TICK) / reference })
    const width = at - idleSince > 35 ? FIRST_BANDS[board] : BANDS[board]
    const row = tradedDay({ symbol, board, day: dayAt(at), reference, width, quietShare }, random)
    rows.push(row)
    if (row.close > 0) idleSince = at
    basis = row.close === 0 ? reference : board === 'UPCOM' ? toTick(row.average) : row.close
  }
  return { rows, declared, truth }
}

function afterAction(price: number, { kind, size }: Planned, amount: number): number {
  if (kind === 'cash_dividend') return price - amount
  return kind === 'split' ? price / size : price / (1 + size)
}

interface Session {
  readonly symbol: string
  readonly board: Board
  readonly day: string
  readonly reference: number
  readonly width: number
  readonly quietShare: number
}

/** A session often closes at a limit: the widest move that a missing row may hide. */
function tradedDay(session: Session, random: () => number): SymbolDay {
  const { symbol, board, day, reference, width, quietShare } = session
  const ceiling = Math.floor((reference * (1 + width)) / TICK + 1e-9) * TICK
  const floor = Math.ceil((reference * (1 - width)) / TICK - 1e-9) * TICK
  const limits = { symbol, board, day, reference, ceiling, floor }
  if (random() < quietShare) return { ...limits, close: 0, average: 0, high: 0, low: 0 }
  const draw = random()
  const close =
    draw < 0.1
      ? floor
      : draw < 0.2
        ? ceiling
        : draw < 0.3
          ? reference
          : toTick(floor + random() * (ceiling - floor))
  const other = toTick(floor + random() * (ceiling - floor))
  const [low, high] = [Math.min(close, other), Math.max(close, other)]
  return { ...limits, close, average: Math.round(low + random() * (high - low)), high, low }
}
