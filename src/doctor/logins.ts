import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LockedError, SettingsError, StorageError } from 'candlehouse-foundation/errors'
import { type Database, openDatabase } from '../duckdb/open.js'
import { type Effects, silentLog } from '../effects.js'
import { viewSession } from '../run/session/view.js'
import { keysOf, requireCredentials, requireOwnAddress, type Settings } from '../settings/index.js'
import { type Diagnosis, note, ok } from './diagnosis.js'
import type { Machine } from './machine.js'
import { failOf, nameOf } from './service.js'

/**
 * The service accepts what a run would send: the stored session, or key and secret. Nothing is tried of a key that lacks them, of
 * the embedded sandbox, and while a run uses the session.
 */
export async function checkLogins(
  settings: Settings,
  machine: Machine,
  effects: Effects,
  signal: AbortSignal,
): Promise<Diagnosis[]> {
  const keys = settings.baseUrl === undefined ? [] : keysOf(settings).filter(canLogIn)
  if (keys.length === 0) return []
  const file = join(settings.home, 'warehouse.duckdb')
  let lock: Database | undefined
  try {
    // The lock of the warehouse is the lock of the session too.
    if (existsSync(file)) lock = await openDatabase(file, { readOnly: true, threads: 1 })
  } catch (error) {
    if (error instanceof LockedError)
      return [note('login', `not tried: a run uses the session (${error.message})`)]
    // No run can have a damaged file open.
    if (!(error instanceof StorageError)) throw error
  }
  try {
    const tried: Diagnosis[] = []
    for (const key of keys) tried.push(await checkLogin(key, machine, effects, signal))
    return tried
  } finally {
    lock?.close()
  }
}

async function checkLogin(
  key: Settings,
  machine: Machine,
  effects: Effects,
  signal: AbortSignal,
): Promise<Diagnosis> {
  const check = nameOf('login', key)
  try {
    const accepted = await machine.tryKey(key, { ...effects, log: silentLog }, signal)
    return ok(
      check,
      accepted === 'session'
        ? 'the service accepts the stored session'
        : 'the service accepts key and secret, for market data',
    )
  } catch (error) {
    signal.throwIfAborted()
    return failOf(check, error, 'A run would get the same answer.')
  }
}

/** What it lacks is said by the checks of credentials and session. */
function canLogIn(key: Settings): boolean {
  try {
    requireOwnAddress(key)
    if (!viewSession(key)) requireCredentials(key)
    return true
  } catch (error) {
    if (error instanceof SettingsError) return false
    throw error
  }
}
