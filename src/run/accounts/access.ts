import { ServiceError, SettingsError } from '../../errors.js'
import type { Run } from '../lifecycle/run.js'
import type { Service } from '../session/service.js'

const NO_SECOND_FACTOR = 'no one-time password was given and no session is stored'

const LOGIN = 'candlehouse login    # once, with a one-time password: later runs read the accounts too'

/**
 * Takes a snapshot of the accounts beside the market data, if the API session may read them. A failure here never withholds
 * market data: it is reported as a problem.
 *
 * @throws the signal's reason · StorageError
 */
export async function accountsBesideMarket(
  run: Run,
  service: Service,
  take: () => Promise<void>,
): Promise<void> {
  const { session } = service.client
  const { report, io } = run
  try {
    await session.ensure(io.signal)
    if (session.grade === 'trading') return await take()
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof SettingsError)) throw error
    report.addProblems([`accounts were not read: ${error.message}`])
    return
  }
  const lost = session.otpProblem ?? service.lostSession
  report.addNext([LOGIN])
  if (lost) report.addProblems([`accounts were skipped: ${lost}`])
  else report.addNotes([`accounts were skipped: ${service.foreignSession ?? NO_SECOND_FACTOR}`])
}

/** @throws SettingsError where a job reads nothing but accounts, and the API session may not read them */
export async function requireTrading(service: Service, signal: AbortSignal): Promise<void> {
  await service.client.session.ensure(signal)
  const { grade, otpProblem } = service.client.session
  if (grade === 'trading') return
  const why = otpProblem ?? service.lostSession ?? service.foreignSession ?? NO_SECOND_FACTOR
  throw new SettingsError(`accounts cannot be read: ${why}`, { hint: 'candlehouse login' })
}
