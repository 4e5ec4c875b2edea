import { UsageError } from 'candlehouse-foundation/errors'
import type { Board } from 'candlehouse-foundation/market/board'
import type { Day } from 'candlehouse-foundation/market/day'
import { boardAt, type Instrument, isListedAt } from './instrument.js'
import type { Timeline } from './timeline.js'

/** Events that a caller adds to the market of a seed: everything that follows from them is as consistent as without them. */
export interface MarketEvents {
  /** Days on which many stocks close at their ceiling or floor; on other days few do. @default none */
  limitDays?: readonly Day[]
  /** Splits of stocks: on the ex-date the reference is divided by the ratio, and owners get new shares. @default none */
  splits?: readonly Split[]
  /** Stocks that move to another board. @default none beside the one of each year */
  transfers?: readonly BoardTransfer[]
}

export interface Split {
  symbol: string
  /** Ex-date, a session. */
  day: Day
  /** Shares after the split for each share before it. */
  ratio: number
}

export interface BoardTransfer {
  symbol: string
  /** First session on the new board. */
  day: Day
  board: Board
}

/** Ratios that leave prices on the ticks of their board, and that differ from a dividend in shares. */
const SPLIT_RATIOS = { least: 1.2, most: 10 } as const

/**
 * Adds the splits and transfers to the stocks that they name.
 *
 * @throws UsageError for a symbol that is not a stock, a day that is not a session of it, or a move to the same board
 */
export function withEvents(
  stocks: readonly Instrument[],
  { splits = [], transfers = [] }: MarketEvents,
  time: Timeline,
): readonly Instrument[] {
  const sessionOf = (option: string, { symbol, day }: Split | BoardTransfer): number => {
    const session = time.at(day)
    const stock = stocks.find((candidate) => candidate.symbol === symbol)
    if (stock?.kind !== 'stock') throw refused(option, `${symbol} is not a stock of the sandbox`)
    if (time.days[session] !== day) throw refused(option, `${day} is not a session`)
    if (session <= stock.first + 1 || !isListedAt(stock, session))
      throw refused(option, `${symbol} is not listed on ${day} and the session before`)
    return session
  }
  const splitsOf = new Map<string, { session: number; factor: number }[]>()
  for (const split of splits) {
    if (!(split.ratio >= SPLIT_RATIOS.least && split.ratio <= SPLIT_RATIOS.most))
      throw refused('--split', `a ratio is from ${SPLIT_RATIOS.least} to ${SPLIT_RATIOS.most}`)
    const earlier = splitsOf.get(split.symbol) ?? []
    splitsOf.set(split.symbol, [
      ...earlier,
      { session: sessionOf('--split', split), factor: 1 / split.ratio },
    ])
  }
  const movesOf = new Map<string, NonNullable<Instrument['moved']>>()
  for (const transfer of transfers) {
    const { symbol, day, board } = transfer
    const from = sessionOf('--transfer', transfer)
    const stock = stocks.find((candidate) => candidate.symbol === symbol)
    if (stock?.moved || movesOf.has(symbol)) throw refused('--transfer', `${symbol} moves once only`)
    if (stock && boardAt(stock, from) === board)
      throw refused('--transfer', `${symbol} is on ${board} before ${day}`)
    movesOf.set(symbol, { from, board })
  }
  return stocks.map((stock) => {
    const added = splitsOf.get(stock.symbol)?.sort((a, b) => a.session - b.session)
    const moved = movesOf.get(stock.symbol)
    if (!added && !moved) return stock
    return { ...stock, ...(added ? { splits: added } : {}), ...(moved ? { moved } : {}) }
  })
}

function refused(option: string, problem: string): UsageError {
  return new UsageError(`${option}: ${problem}`, { hint: 'candlehouse sandbox --help' })
}
