import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { SettingsError } from 'candlehouse-foundation/errors'
import { reasonOf } from 'candlehouse-foundation/system-fault'
import { z } from 'zod'
import { DEFAULT_KEY_NAME, KEY_NAME, WRONG_KEY_NAME } from './key-name.js'
import { type Origin, refuseReadable, type Source } from './setting-sources.js'

/** An API key of `[[accounts]]`, with its secrets read from where the file says they are. */
export interface AccountKey {
  readonly name: string
  readonly apiKey: SecretReference
  readonly apiSecret: SecretReference
  readonly otp: SecretReference
}

/** A secret by reference. */
export interface SecretReference {
  /** What messages call it: the variable or the file. Undefined where the entry names neither. */
  readonly from: string | undefined
  /** Undefined where it is not set, or cannot be read. */
  readonly value: string | undefined
  /** `elsewhere`: a file outside the working folder. */
  readonly origin: Origin | 'elsewhere'
  /** Why the file cannot be used. */
  readonly problem?: string
}

const SECRETS = ['api_key', 'api_secret', 'otp'] as const

/** Larger than any key; a file of this size is something else. */
const LARGEST = 16_384

const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')
const path = z.string().min(1, 'must be the path of a file')

const entry = z
  .strictObject({
    name: z.string({ error: 'is missing: every key has a name' }).regex(KEY_NAME, WRONG_KEY_NAME),
    api_key_env: variable.optional(),
    api_key_file: path.optional(),
    api_secret_env: variable.optional(),
    api_secret_file: path.optional(),
    otp_env: variable.optional(),
    otp_file: path.optional(),
  })
  .superRefine((value, context) => {
    for (const secret of SECRETS) {
      const [env, file] = [value[`${secret}_env`], value[`${secret}_file`]]
      if (env !== undefined && file !== undefined)
        context.addIssue({ code: 'custom', message: `has both ${secret}_env and ${secret}_file` })
      if (env === undefined && file === undefined && secret !== 'otp')
        context.addIssue({ code: 'custom', message: `needs ${secret}_env or ${secret}_file` })
    }
  })

type Entry = z.output<typeof entry>

/**
 * The keys of `[[accounts]]` in candlehouse.toml, in their order; none where the file has no such table. Secrets never stand in
 * the file: it names the variable or the file that holds each.
 *
 * @throws SettingsError where an entry is wrong; a secret that cannot be read is a problem of its key alone
 */
export function readAccounts(sources: readonly Source[], folder: string): AccountKey[] {
  const given = sources.find(({ accounts }) => accounts !== undefined)?.accounts
  if (given === undefined) return []
  const entries = entriesOf(given)
  const names = new Set<string>()
  for (const { name } of entries) {
    if (names.has(name)) throw wrong(`[[accounts]] has two keys named '${name}'`)
    names.add(name)
  }
  const keys = entries.map((account) => ({
    name: account.name,
    apiKey: secretOf(account, 'api_key', sources, folder),
    apiSecret: secretOf(account, 'api_secret', sources, folder),
    otp: secretOf(account, 'otp', sources, folder),
  }))
  for (const [index, { name, apiKey }] of keys.entries()) {
    const same = keys.slice(0, index).find((key) => apiKey.value && key.apiKey.value === apiKey.value)
    // One session is active per key (docs/market-facts.md#one-session-per-key): each would end the other's.
    if (same) throw wrong(`[[accounts]] ${same.name} and ${name} are the same API key`)
  }
  return keys
}

function entriesOf(given: unknown): Entry[] {
  if (!Array.isArray(given) || given.length === 0) throw wrong('accounts must be tables: [[accounts]]')
  return given.map((table: unknown, index) => {
    const named = z.object({ name: z.string() }).safeParse(table).data?.name ?? `number ${index + 1}`
    const literal = SECRETS.find((secret) => typeof table === 'object' && table !== null && secret in table)
    if (literal)
      throw wrong(
        `[[accounts]] ${named}: ${literal} must not stand in the file; name the variable (${literal}_env) or the file (${literal}_file) that holds it`,
      )
    const parsed = entry.safeParse(table)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw wrong(`[[accounts]] ${named}: ${[issue?.path.join('.'), issue?.message].filter(Boolean).join(' ')}`)
  })
}

function wrong(problem: string): SettingsError {
  return new SettingsError(`candlehouse.toml: ${problem}`, {
    hint: `[[accounts]] has name, api_key_env or api_key_file, api_secret_env or api_secret_file; a home with one key needs none`,
  })
}

function secretOf(
  account: Entry,
  secret: (typeof SECRETS)[number],
  sources: readonly Source[],
  folder: string,
): SecretReference {
  const env = account[`${secret}_env`]
  if (env !== undefined) return variableOf(env, sources, folder)
  const file = account[`${secret}_file`]
  return file === undefined ? { from: undefined, value: undefined, origin: 'default' } : fileOf(file, folder)
}

/** Environment before `.env`; an empty variable counts as unset. */
function variableOf(name: string, sources: readonly Source[], folder: string): SecretReference {
  const source = sources.find(
    ({ origin, values }) => (origin === 'environment' || origin === '.env') && values[name],
  )
  if (source?.origin === '.env') refuseReadable(join(folder, '.env'), `it holds ${name}`)
  return { from: name, value: source?.values[name], origin: source?.origin ?? 'default' }
}

function fileOf(name: string, folder: string): SecretReference {
  const from = resolve(folder, name)
  const unusable = (problem: string): SecretReference => ({
    from,
    value: undefined,
    origin: 'default',
    problem,
  })
  if (!existsSync(from)) return unusable(`${from} does not exist`)
  try {
    const stats = statSync(from)
    if (!stats.isFile() || stats.size > LARGEST) return unusable(`${from} is not a file with a key`)
    refuseReadable(from, 'it holds a secret')
    const way = relative(realpathSync(folder), realpathSync(from))
    const isInside = way.split(sep)[0] !== '..' && !isAbsolute(way)
    const value = readFileSync(from, 'utf8').trim()
    return { from, value: value || undefined, origin: isInside ? 'candlehouse.toml' : 'elsewhere' }
  } catch (error) {
    if (error instanceof SettingsError) return unusable(`${error.message}: ${error.hint ?? ''}`)
    return unusable(`${from} cannot be read: ${reasonOf(error)}`)
  }
}

/** The secrets of a key that its entry names. */
export function credentialsOf({
  apiKey,
  apiSecret,
  otp,
}: AccountKey): (SecretReference & { from: string; secret: (typeof SECRETS)[number] })[] {
  const named = [
    { secret: 'api_key' as const, ...apiKey },
    { secret: 'api_secret' as const, ...apiSecret },
    { secret: 'otp' as const, ...otp },
  ]
  return named.flatMap(({ from, ...reference }) => (from === undefined ? [] : [{ ...reference, from }]))
}

/** Why a key cannot log in; undefined where it can. */
export function problemOfKey({ apiKey, apiSecret }: AccountKey): string | undefined {
  const unset = [apiKey, apiSecret].filter(({ value }) => value === undefined)
  if (unset.length === 0) return undefined
  return unset.map(({ problem, from }) => problem ?? `${from} is not set`).join('; ')
}

/** Name of the file in the home that has the API session of a key. */
export function sessionFileOf(keyName: string): string {
  return keyName === DEFAULT_KEY_NAME ? 'session.json' : `session-${keyName}.json`
}
