import { viewSession } from '../run/session/view.js'
import { plainHttpWarning, requireCredentials, requireOwnAddress } from '../settings/index.js'
import type { Call } from './verb.js'

/**
 * What must hold before a verb sends credentials. Warns when they would travel unencrypted.
 *
 * @param from `session`: a stored session will do, which needs no API key until it expires
 * @throws SettingsError
 */
export function checkCredentials({ settings, effects }: Call, from: 'key' | 'session'): void {
  requireOwnAddress(settings)
  if (from === 'key' || !viewSession(settings)) requireCredentials(settings)
  const warning = plainHttpWarning(settings)
  if (warning !== undefined) effects.log.warn(warning)
}
