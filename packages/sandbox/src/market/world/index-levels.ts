import type { Instrument } from './instrument.js'
import { Memo } from './memo.js'

/** VND per share: the price that a stock moves from on a session, and its last price; equal where nothing traded. */
export interface DayPrice {
  readonly before: number
  readonly price: number
}

/** What the levels of an index rest on. Sessions before the first one, -1, have a level too: there all indexes begin. */
export interface IndexSources {
  /** Stocks of an index on a session; its value has no funds. */
  stocks(code: string, session: number): readonly Instrument[]
  prices(instrument: Instrument, session: number): DayPrice
  /** Price after a session, and growth of it until another one without what corporate actions take off. */
  worth(instrument: Instrument, session: number): number
  growth(instrument: Instrument, from: number, to: number): number
  /** First sessions of the terms between two reviews of the members, ascending from 0, and the end of the last. */
  readonly terms: readonly number[]
}

/** A term of an index: the logarithm of its level before the term, and after each of its sessions. */
interface Term {
  readonly start: number
  readonly levels: Float64Array
}

/**
 * Levels of the indexes, each session's move weighted by the capitalisation of the members: the sum of
 * (price − price before) × shares over the sum of price before × shares. Such a chain would begin in 2020 for every
 * question, 0.2 s of computing for the demo market and 3 s for the full one. So each term between two reviews begins at a
 * level that needs no chain: what its members would have gained since the term before, held with their dividends. The
 * chain of the term's sessions ends near the next such level, and what is missing is spread evenly over them: some
 * millionths a session.
 */
export class IndexLevels {
  private readonly starts = new Map<string, number[]>()
  private readonly computed = new Memo<string, Term>(64)

  constructor(private readonly sources: IndexSources) {}

  /** Level after a session as a multiple of the base. */
  level(code: string, session: number): number {
    if (session < 0) return 1
    const term = this.termAt(session)
    const { levels, start } = this.computed.get(`${code} ${term}`, () => this.compute(code, term))
    return Math.exp(start + (levels[session - this.firstOf(term)] ?? 0))
  }

  private firstOf(term: number): number {
    return this.sources.terms[term] ?? Number.POSITIVE_INFINITY
  }

  private termAt(session: number): number {
    let term = 0
    while (this.firstOf(term + 1) <= session) term++
    return term
  }

  /** Logarithm of the level before a term. */
  private startOf(code: string, term: number): number {
    const starts = this.starts.get(code) ?? [0]
    this.starts.set(code, starts)
    for (let next = starts.length; next <= term; next++)
      starts[next] = (starts[next - 1] ?? 0) + this.heldGain(code, next - 1)
    return starts[term] ?? 0
  }

  /** Gain of a term's first members over the term, as a logarithm: bought before it, held to its end. */
  private heldGain(code: string, term: number): number {
    const { stocks, worth, growth } = this.sources
    const [first, end] = [this.firstOf(term), this.firstOf(term + 1)]
    let [before, after] = [0, 0]
    for (const instrument of stocks(code, first)) {
      const value = worth(instrument, first - 1) * instrument.listed
      before += value
      after += value * growth(instrument, first - 1, Math.min(end - 1, instrument.last))
    }
    return before === 0 ? 0 : Math.log(after / before)
  }

  private compute(code: string, term: number): Term {
    const [first, end] = [this.firstOf(term), this.firstOf(term + 1)]
    const start = this.startOf(code, term)
    const levels = new Float64Array(end - first)
    let sum = 0
    for (let session = first; session < end; session++) {
      sum += Math.log(1 + this.move(code, session))
      levels[session - first] = sum
    }
    const missing = this.startOf(code, term + 1) - start - sum
    for (let i = 0; i < levels.length; i++) levels[i] = (levels[i] ?? 0) + (missing * (i + 1)) / levels.length
    return { start, levels }
  }

  private move(code: string, session: number): number {
    const { stocks, prices } = this.sources
    return moveOf(stocks(code, session), (instrument) => prices(instrument, session))
  }
}

/** Move of an index on a session as a fraction of its level before: its members' weighted by their capitalisation. */
export function moveOf(
  stocks: readonly Instrument[],
  prices: (instrument: Instrument) => DayPrice | undefined,
): number {
  let [before, change] = [0, 0]
  for (const instrument of stocks) {
    const day = prices(instrument)
    if (!day) continue
    before += day.before * instrument.listed
    change += (day.price - day.before) * instrument.listed
  }
  return before === 0 ? 0 : change / before
}
