import { BOARDS } from 'candlehouse-foundation/market/board'
import type { Goal } from '../../plan/goal.js'
import { planStage } from '../../plan/stage-plan.js'
import { refuseUnknownSymbols } from '../../plan/symbol-names.js'
import { checkSymbols } from '../../warehouse/symbols.js'
import type { Fetching } from './fetching.js'

/**
 * Refuses unknown symbols that a user typed, before anything of them is requested: an answer to a mistyped name is empty, and
 * would be stored as such. Called after the lists; a goal that does not want the lists has them fetched where they could help.
 *
 * @throws UsageError naming the nearest symbols
 */
export async function requireKnownSymbols(goal: Goal, fetching: Fetching): Promise<void> {
  const { mustBeKnown: symbols } = goal
  if (!symbols) return
  const { warehouse, planningCalendar } = fetching.run
  let check = await checkSymbols(warehouse, symbols)
  if (check.unknown.length > 0 && !goal.datasets.includes('securities')) {
    const lists: Goal = { ...goal, datasets: ['securities'] }
    await fetching.ingest(planStage('lists', lists, await fetching.readCoverage(lists), planningCalendar))
    check = await checkSymbols(warehouse, symbols)
  }
  if (await areListsWhole(goal, fetching)) refuseUnknownSymbols(check.unknown, check.known)
}

/** Only complete lists of all boards show that a symbol does not exist. */
async function areListsWhole(goal: Goal, fetching: Fetching): Promise<boolean> {
  const day = goal.tradingDate
  const { stateOf, listed } = await fetching.readCoverage({ ...goal, from: day, to: day })
  const isWhole = (board: string): boolean =>
    ['complete', 'empty'].includes(stateOf('securities', board, '', day) ?? '')
  return listed.length > 0 && BOARDS.every(isWhole)
}
