import type { Database } from '../../duckdb/open.js'
import { ServiceError, SettingsError } from '../../errors.js'
import type { Loaded } from '../../load/batch.js'
import type { Calendar } from '../../market/calendar.js'
import type { Day } from '../../market/day.js'
import type { Goal } from '../../plan/goal.js'
import { latestCloses } from '../../warehouse/snapshots.js'
import type { Service } from '../session/service.js'
import { runStages, type StageSteps } from '../stages/order.js'

/** A share that has not traded for so long has no close that a maximum quantity would mean anything at. */
const SESSIONS_FOR_A_CLOSE = 5

/** What came of the accounts, for people; `next` are commands to type. */
export interface AccountsOutcome {
  readonly notes: readonly string[]
  /** What ends a run with 4. */
  readonly problems: readonly string[]
  readonly next: readonly string[]
}

const NOTHING: AccountsOutcome = { notes: [], problems: [], next: [] }

const NO_SECOND_FACTOR = 'no one-time password was given and no session is kept'

const LOGIN = 'candlehouse login    # once, with a one-time password: later runs read the accounts too'

/**
 * Snapshots the accounts beside the market data, if the session may read them. What goes wrong here never
 * withholds market data.
 *
 * @throws the signal's reason · StorageError
 */
export async function accountsBesideMarket(
  service: Service,
  take: () => Promise<Loaded>,
  signal: AbortSignal,
): Promise<AccountsOutcome> {
  const { session } = service.client
  try {
    await session.ensure(signal)
    if (session.grade === 'trading') {
      await take()
      return NOTHING
    }
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof SettingsError)) throw error
    return { ...NOTHING, problems: [`accounts were not read: ${error.message}`] }
  }
  const lost = session.otpProblem ?? service.lostSession
  if (lost) return { ...NOTHING, problems: [`accounts were skipped: ${lost}`], next: [LOGIN] }
  const why = service.foreignSession ?? NO_SECOND_FACTOR
  return { ...NOTHING, notes: [`accounts were skipped: ${why}`], next: [LOGIN] }
}

/** @throws SettingsError where accounts are all that was asked for, and the session may not read them */
export async function requireTrading(service: Service, signal: AbortSignal): Promise<void> {
  await service.client.session.ensure(signal)
  const { grade, otpProblem } = service.client.session
  if (grade === 'trading') return
  const why = otpProblem ?? service.lostSession ?? service.foreignSession ?? NO_SECOND_FACTOR
  throw new SettingsError(`accounts cannot be read: ${why}`, { hint: 'candlehouse login' })
}

/**
 * Closes of held symbols as the warehouse knows them. Where accounts are read before market data, the daily
 * summaries of just these symbols are asked first; a symbol that still has none is left out.
 */
export async function closesOf(
  symbols: readonly string[],
  asOf: Day,
  warehouse: Database,
  calendar: Calendar,
  steps: StageSteps,
): Promise<ReadonlyMap<string, string>> {
  let from = calendar.isSession(asOf) ? asOf : calendar.previousSession(asOf)
  for (let sessions = 1; sessions < SESSIONS_FOR_A_CLOSE; sessions++) from = calendar.previousSession(from)
  const known = await latestCloses(warehouse, symbols, from, asOf)
  const unknown = symbols.filter((symbol) => !known.has(symbol))
  if (unknown.length === 0) return known
  const goal: Goal = {
    tradingDate: asOf,
    from,
    to: asOf,
    datasets: ['securitiesSummary'],
    timeframes: [],
    witnesses: 0,
    symbols: unknown,
    refresh: false,
  }
  await runStages(goal, calendar, steps)
  return await latestCloses(warehouse, symbols, from, asOf)
}
