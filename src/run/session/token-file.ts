import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Effects } from '../../effects.js'
import { writeWholeFile } from '../../home/files.js'
import { sha256 } from '../../home/sha256.js'
import { refuseReadable, type Settings, sessionFileOf } from '../../settings/index.js'
import { DEFAULT_KEY_NAME, KEY_NAME } from '../../settings/key-name.js'
import type { SessionTokens } from '../../source/source.js'

const shape = z.object({
  /** Where the tokens may be sent, and nowhere else. */
  baseUrl: z.string(),
  /** Fingerprint of the API key they belong to; null when the login had none. */
  key: z.string().nullable(),
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  expiresAt: z.number().optional(),
  refreshExpiresAt: z.number().optional(),
  obtainedAt: z.number(),
})

/** A session stored for unattended runs, or why there is none for this service and key. */
export interface StoredSession {
  readonly tokens: SessionTokens | undefined
  /** Why the file that should have one cannot be read. */
  readonly lost: string | undefined
  /** Why the one in the file may not be used here. */
  readonly foreign: string | undefined
}

const NONE: StoredSession = { tokens: undefined, lost: undefined, foreign: undefined }

/**
 * Reads the session file of the key. Tokens of another service or another key are never used.
 *
 * @throws SettingsError when others on the machine can read it
 */
export function readStoredSession({ home, baseUrl, broker, keyName }: Settings): StoredSession {
  const file = fileOf(home, keyName)
  if (baseUrl === undefined || !existsSync(file)) return NONE
  refuseReadable(file, 'it holds tokens')
  let text: unknown
  try {
    text = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { ...NONE, lost: `${file} cannot be read as a session` }
  }
  const read = shape.safeParse(text)
  if (!read.success) return { ...NONE, lost: `${file} is not a session` }
  const { baseUrl: owner, key, ...tokens } = read.data
  if (owner !== baseUrl) return { ...NONE, foreign: 'the stored session belongs to another service' }
  if (broker.apiKey && key !== null && key !== fingerprint(broker.apiKey))
    return { ...NONE, foreign: 'the stored session belongs to another API key' }
  const { accessToken, refreshToken, expiresAt, refreshExpiresAt, obtainedAt } = tokens
  return {
    ...NONE,
    tokens: { accessToken, refreshToken, expiresAt, refreshExpiresAt, obtainedAt, grade: 'trading' },
  }
}

/**
 * Stores the tokens of a run. Those that may trade are stored before they are used; a login without a one-time password
 * has ended the stored session (docs/market-facts.md#one-session-per-key: one active session per API key).
 */
export function storeTokens(settings: Settings, effects: Effects): (tokens: SessionTokens) => Promise<void> {
  const { home, baseUrl, broker, keyName } = settings
  return async ({ grade, ...tokens }) => {
    if (baseUrl === undefined) return
    if (grade === 'market') {
      if (!readStoredSession(settings).foreign) removeStoredSession(settings, effects)
    } else {
      const key = broker.apiKey ? fingerprint(broker.apiKey) : null
      const text = `${JSON.stringify({ baseUrl, key, ...tokens }, null, 2)}\n`
      await write(fileOf(home, keyName), text, effects)
    }
  }
}

/** Names of keys that have a session file in the home, whether candlehouse.toml still names them or not. */
export function keysWithSession(home: string): string[] {
  if (!existsSync(home)) return []
  return readdirSync(home)
    .flatMap((file) =>
      file === 'session.json' ? DEFAULT_KEY_NAME : (/^session-(.+)\.json$/.exec(file)?.[1] ?? []),
    )
    .filter((name) => KEY_NAME.test(name))
    .sort()
}

/** @returns whether there was a session to remove */
export function removeStoredSession(
  { home, keyName }: Pick<Settings, 'home' | 'keyName'>,
  { disk }: Effects,
): boolean {
  const file = fileOf(home, keyName)
  if (!existsSync(file)) return false
  disk.remove(file)
  return true
}

/** File and name are on disk before the tokens are used: without its refresh token the session is lost. */
async function write(file: string, text: string, { disk }: Effects): Promise<void> {
  const hint = 'free some space or make the folder writable, then run candlehouse login again'
  await writeWholeFile(file, text, { mode: 0o600, folderMode: 0o755, hint }, disk)
}

function fileOf(home: string, keyName: string): string {
  return join(home, sessionFileOf(keyName))
}

function fingerprint(apiKey: string): string {
  return sha256(apiKey).slice(0, 16)
}
