import { ServiceError, SettingsError } from 'candlehouse-foundation/errors'
import type { AccountsOfKey } from '../../night/summary.js'
import type { RunKey } from '../session/run-key.js'
import type { Fetching } from '../stages/fetching.js'
import { takeSnapshot } from './account-snapshot.js'

const NO_SECOND_FACTOR = 'no one-time password was given and no session is stored'

/**
 * Takes a snapshot of the key's accounts beside the market data, if its API session may read them. A failure here never
 * withholds market data: it is reported as a problem.
 *
 * @throws the signal's reason · StorageError
 */
export async function accountsBesideMarket(fetching: Fetching): Promise<AccountsOfKey> {
  const { service, key } = fetching
  const { session } = service.source
  const { report, io } = fetching.run
  const facts = factsOf(key)
  report.keysRead.push(key.name)
  try {
    await session.ensure(io.signal)
    if (session.readsAccounts) return await snapshotOf(fetching)
  } catch (error) {
    if (!(error instanceof ServiceError || error instanceof SettingsError)) throw error
    const kind = error instanceof SettingsError ? 'key' : 'accounts_failed'
    report.addProblems([key.about(`accounts were not read: ${error.message}`)], { kind, ...facts })
    return { accounts: error instanceof SettingsError ? 'refused' : 'failed', why: error.message }
  }
  const lost = session.otpProblem ?? service.lostSession
  const why = lost ?? service.foreignSession ?? NO_SECOND_FACTOR
  const line = key.about(`accounts were skipped: ${why}`)
  if (lost) report.addProblems([line], { kind: 'session_lost', ...facts })
  else report.addSkippedAccounts(line, facts)
  return { accounts: 'skipped', why }
}

/**
 * Takes a snapshot of the key's accounts in a job that reads nothing else.
 *
 * @throws SettingsError where the API session may not read them · as `takeSnapshot`
 */
export async function accountsAlone(fetching: Fetching): Promise<AccountsOfKey> {
  const { service, key, run } = fetching
  run.report.keysRead.push(key.name)
  const { session } = service.source
  await session.ensure(run.io.signal)
  if (session.readsAccounts) return await snapshotOf(fetching)
  const why = session.otpProblem ?? service.lostSession ?? service.foreignSession ?? NO_SECOND_FACTOR
  throw new SettingsError(`accounts cannot be read: ${why}`, { hint: key.login })
}

/** The API session was lost after the accounts, or in a run that reads none: said, and no problem of this run. */
export function reportLaterLoss({ run, service, key }: Fetching): void {
  const { report } = run
  const facts = factsOf(key)
  const isReported = report.problems.some((each) => each.kind === 'session_lost' && each.key === facts.key)
  if (!service.lostSession || isReported) return
  report.addSkippedAccounts(key.about(`${service.lostSession}: ${key.login}`), facts)
}

/** A session that is lost while the accounts are read is a problem of its own: only a login gives the next snapshot. */
async function snapshotOf(fetching: Fetching): Promise<AccountsOfKey> {
  const { run, service, key } = fetching
  try {
    return await takeSnapshot(fetching)
  } finally {
    if (service.lostSession) {
      const line = key.about(`accounts were not read to the end: ${service.lostSession}`)
      run.report.addProblems([line], { kind: 'session_lost', ...factsOf(key) })
    }
  }
}

function factsOf({ isNamed, name }: RunKey): { key?: string } {
  return isNamed ? { key: name } : {}
}
