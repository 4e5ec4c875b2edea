import type { Row } from '../api.js'
import { MAIN_BENCHMARKS } from './accounts-address.js'

const [VNINDEX, VN30] = MAIN_BENCHMARKS

/** A number of a row; undefined where it is null. */
export function knownNumber(row: Row | undefined, name: string): number | undefined {
  const value = row?.[name]
  return value === null || value === undefined ? undefined : Number(value)
}

/** The column of `account_sessions` that has the return of a benchmark. */
export function benchmarkColumn(benchmark: string): string {
  return benchmark === VNINDEX ? 'vnindex_return' : benchmark === VN30 ? 'vn30_return' : 'benchmark_return'
}

/** What an account did over a period. Figures are undefined where they are not known, and then `reason` says why. */
export interface Period {
  /** The session that it is compared with. */
  readonly from: string | undefined
  /** The last session whose equity is known. */
  readonly to: string | undefined
  readonly gain: number | undefined
  /** Money and shares brought in less those taken out. */
  readonly flow: number | undefined
  readonly timeWeighted: number | undefined
  readonly drawdown: number | undefined
  readonly lowest: number | undefined
  readonly benchmark: number | undefined
  readonly reason: string | undefined
  /** The session from which on returns are known again; undefined where none is lost. */
  readonly restart: string | undefined
}

/** Reads the period from the rows of part `growth`, one per session. */
export function periodOf(rows: readonly Row[], benchmark: string): Period {
  const known = rows.filter(({ equity }) => equity !== null)
  const [first, last] = [known[0], known.at(-1)]
  const from = first && String(first.from_session)
  const to = last && String(last.trading_date)
  const timeWeighted = knownNumber(last, 'time_weighted')
  const shared = { from, to, benchmark: knownNumber(last, benchmarkColumn(benchmark)) }
  const nothing = {
    gain: undefined,
    flow: undefined,
    timeWeighted: undefined,
    drawdown: undefined,
    lowest: undefined,
  }
  if (known.length < 2) {
    const reason = to ? `no later session than ${to}` : textOf(rows.at(-1)?.reason)
    return { ...shared, ...nothing, reason, restart: undefined }
  }
  if (timeWeighted === undefined) {
    const reason = textOf(last?.reason)
    return { ...shared, ...nothing, reason, restart: restartOf(known, reason) }
  }
  const flow = known.slice(1).reduce((sum, row) => sum + Number(row.flow), 0)
  return {
    ...shared,
    gain: Number(last?.equity) - Number(first?.equity) - flow,
    flow,
    timeWeighted,
    drawdown: knownNumber(last, 'drawdown'),
    lowest: Math.min(...known.map((row) => Number(row.drawdown))),
    reason: undefined,
    restart: undefined,
  }
}

/** The first session that breaks the period, where a period may begin with it. */
function restartOf(known: readonly Row[], reason: string | undefined): string | undefined {
  const day = /^(\d{4}-\d\d-\d\d): /.exec(reason ?? '')?.[1]
  const isKnown = known.some(({ trading_date }) => trading_date === day)
  return isKnown && known.at(-1)?.trading_date !== day ? day : undefined
}

/** What an account did in its last session. */
export interface Day {
  readonly day: string
  readonly before: string | undefined
  readonly equity: number | undefined
  /** Without money and shares brought in or taken out. */
  readonly gain: number | undefined
  readonly part: number | undefined
  readonly flow: number | undefined
  readonly reason: string | undefined
}

/** Reads the day from a row of part `session`. */
export function dayOf(row: Row): Day {
  const [change, flow] = [knownNumber(row, 'change'), knownNumber(row, 'flow')]
  return {
    day: String(row.trading_date),
    before: textOf(row.before_of),
    equity: knownNumber(row, 'equity'),
    gain: change === undefined || flow === undefined ? undefined : change - flow,
    part: knownNumber(row, 'time_weighted'),
    flow,
    reason: textOf(row.reason),
  }
}

function textOf(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : String(value)
}

/** Columns that a drawing of a period has: seconds since 1970, then fractions, null where nothing is known. */
export interface GrowthColumns {
  readonly days: number[]
  readonly own: (number | null)[]
  readonly benchmark: (number | null)[]
  readonly drawdown: (number | null)[]
}

export function growthColumns(rows: readonly Row[], benchmark: string): GrowthColumns {
  const column = (name: string) => rows.map((row) => knownNumber(row, name) ?? null)
  return {
    days: rows.map((row) => Date.parse(String(row.trading_date)) / 1000),
    own: column('time_weighted'),
    benchmark: column(benchmarkColumn(benchmark)),
    drawdown: column('drawdown'),
  }
}
