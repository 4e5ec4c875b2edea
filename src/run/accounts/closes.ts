import { BOARDS } from 'candlehouse-foundation/market/board'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Goal } from '../../plan/goal.js'
import { latestCloses } from '../../warehouse/snapshots.js'
import type { Fetching } from '../stages/fetching.js'
import { runStages } from '../stages/stages.js'

/** Sessions to look back for a usable close: an older one says nothing about the maximum quantity of an order. */
const SESSIONS_FOR_A_CLOSE = 5

/**
 * Latest closes of symbols in accounts, plain decimal text. Where the warehouse has none, the daily summaries of just these
 * symbols are requested first, if a board lists them: accounts also have expired contracts, rights and delisted shares, whatever
 * their names are, and the service has no close of those. A symbol without a close is not in the result.
 */
export async function closesOf(
  symbols: readonly string[],
  fetching: Fetching,
): Promise<ReadonlyMap<string, string>> {
  const { warehouse, calendar, tradingDate } = fetching.run
  let from: Day = calendar.isSession(tradingDate) ? tradingDate : calendar.previousSession(tradingDate)
  for (let sessions = 1; sessions < SESSIONS_FOR_A_CLOSE; sessions++) from = calendar.previousSession(from)
  const stored = await latestCloses(warehouse, symbols, from, tradingDate)
  const unknown = symbols.filter((symbol) => !stored.has(symbol))
  if (unknown.length === 0) return stored
  const goal: Goal = {
    tradingDate,
    from,
    to: tradingDate,
    datasets: ['securitiesSummary'],
    timeframes: [],
    crossChecks: 0,
    symbols: unknown,
    refresh: false,
  }
  const listed = await listedOf(unknown, goal, fetching)
  if (listed.length === 0) return stored
  await runStages({ ...goal, symbols: listed }, fetching)
  return await latestCloses(warehouse, symbols, from, tradingDate)
}

/** Those of the symbols that a board lists now. Where nobody has asked for the lists of the trading date yet, they are fetched. */
async function listedOf(symbols: readonly string[], goal: Goal, fetching: Fetching): Promise<string[]> {
  const { tradingDate } = goal
  const now: Goal = { ...goal, from: tradingDate, to: tradingDate }
  const areListed = async (): Promise<{ listed: string[]; areFetched: boolean }> => {
    const coverage = await fetching.readCoverage(now)
    const names = new Set(coverage.listed)
    const isFetched = (board: string): boolean =>
      coverage.stateOf('securities', board, '', tradingDate) !== undefined
    return { listed: symbols.filter((symbol) => names.has(symbol)), areFetched: BOARDS.some(isFetched) }
  }
  const stored = await areListed()
  if (stored.listed.length === symbols.length || stored.areFetched) return stored.listed
  await runStages({ ...now, datasets: ['securities'], symbols: undefined }, fetching)
  return (await areListed()).listed
}
