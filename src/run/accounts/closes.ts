import type { Day } from '../../market/day.js'
import type { Goal } from '../../plan/goal.js'
import { latestCloses } from '../../warehouse/snapshots.js'
import type { Fetching } from '../stages/fetching.js'
import { runStages } from '../stages/stages.js'

/** Sessions to look back for a usable close: an older one says nothing about the maximum quantity of an order. */
const SESSIONS_FOR_A_CLOSE = 5

/**
 * Latest closes of symbols in accounts, plain decimal text. Where the warehouse has none, the daily summaries of just these
 * symbols are requested first; a symbol that still has none is not in the result.
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
  await runStages(goal, fetching)
  return await latestCloses(warehouse, symbols, from, tradingDate)
}
