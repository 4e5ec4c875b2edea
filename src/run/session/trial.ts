import { SettingsError } from 'candlehouse-foundation/errors'
import type { Effects } from '../../effects.js'
import type { Settings } from '../../settings/index.js'
import { brokerage } from '../../source/brokerage/brokerage.js'
import { runKeyOf } from './run-key.js'
import { readStoredSession, storeTokens } from './token-file.js'

/**
 * Tries whether the service accepts a key as runs use it, with as few requests as that takes: a stored session lists the
 * accounts, and is refreshed where it must be; without one there is one login for market data, which spends no one-time password.
 * A login would end a stored session, so there is none beside it.
 *
 * The caller has the lock of the warehouse: a run uses and refreshes the session.
 *
 * @param settings those of the key, for a service
 * @returns what was accepted
 * @throws SettingsError when it is refused · ServiceError when the service did not say
 */
export async function tryKey(
  settings: Settings,
  effects: Effects,
  signal: AbortSignal,
): Promise<'session' | 'key'> {
  const { broker, baseUrl = '' } = settings
  const { tokens } = readStoredSession(settings)
  const onTokens = storeTokens(settings, effects)
  const withSession = { apiKey: undefined, apiSecret: undefined, tokens, onTokens }
  const source = brokerage.open(
    { ...broker, ...(tokens ? withSession : {}), otp: undefined, baseUrl, waiting: 'person' },
    effects,
  )
  try {
    if (!tokens) {
      await source.session.logIn(undefined, signal)
      return 'key'
    }
    const refusal = await source.session.refusalOfAccounts(signal)
    if (refusal !== undefined) throw new SettingsError(refusal)
    return 'session'
  } catch (error) {
    if (!tokens || !(error instanceof SettingsError)) throw error
    throw new SettingsError('the service no longer accepts the stored session', {
      hint: runKeyOf(settings).login,
      cause: error,
    })
  } finally {
    await source.close()
  }
}
