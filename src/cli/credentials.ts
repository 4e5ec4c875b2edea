import { SettingsError } from 'candlehouse-foundation/errors'
import { viewSession } from '../run/session/view.js'
import {
  keysOf,
  plainHttpWarning,
  requireCredentials,
  requireOwnAddress,
  type Settings,
} from '../settings/index.js'
import type { Call } from './verb.js'

/**
 * What must hold before a verb sends credentials: of several keys, one that can log in is enough. Warns when they would
 * travel unencrypted.
 *
 * @param from `session`: a stored session will do, which needs no API key until it expires
 * @throws SettingsError
 */
export function requireCallCredentials({ settings, effects }: Call, from: 'key' | 'session'): void {
  requireOwnAddress(settings)
  const keys = keysOf(settings)
  const problems = keys.flatMap((key) => problemOf(key, from) ?? [])
  const [first] = problems
  if (first && problems.length === keys.length) throw first
  const warning = keys.map(plainHttpWarning).find((text) => text !== undefined)
  if (warning !== undefined) effects.log.warn(warning)
}

function problemOf(key: Settings, from: 'key' | 'session'): SettingsError | undefined {
  try {
    if (from === 'key' || !viewSession(key)) requireCredentials(key)
    return undefined
  } catch (error) {
    if (error instanceof SettingsError) return error
    throw error
  }
}
