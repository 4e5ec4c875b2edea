import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { SettingsError } from 'candlehouse-foundation/errors'
import { nearestNames } from 'candlehouse-foundation/nearest-names'
import { reasonOf } from 'candlehouse-foundation/system-fault'
import { parse as parseToml, TomlError } from 'smol-toml'
import { specs } from './spec.js'

export type Origin = 'flag' | 'environment' | '.env' | 'candlehouse.toml' | 'default'

/** Values of one place, by variable name. */
export interface Source {
  origin: Origin
  values: Readonly<Record<string, string | undefined>>
  /** Why a file that exists gave no values: this user may not read it. */
  unread?: SettingsError
  /** `[[accounts]]` of candlehouse.toml as it stands there. */
  accounts?: unknown
}

/** The places settings come from, strongest first. @throws SettingsError for files that cannot be trusted */
export function readSources(
  flags: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): Source[] {
  return [
    { origin: 'flag', values: flags },
    { origin: 'environment', values: environment },
    { origin: '.env', ...readFile('.env', folder, (text, file) => ({ values: readDotEnv(text, file) })) },
    { origin: 'candlehouse.toml', ...readFile('candlehouse.toml', folder, readToml) },
  ]
}

/** The values of one file; none where this user may not read it: what only reads works without. */
function readFile(
  name: string,
  folder: string,
  read: (text: string, file: string) => Pick<Source, 'values' | 'accounts'>,
): Pick<Source, 'values' | 'unread' | 'accounts'> {
  const file = join(folder, name)
  if (!existsSync(file)) return { values: {} }
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    const unread = new SettingsError(`${file} cannot be read: ${reasonOf(cause)}`, {
      hint: `let its owner (ls -l ${file}) give it to this user: chown USER ${file}; chmod 600 ${file}`,
      cause,
    })
    return { values: {}, unread }
  }
  return read(text, file)
}

function readDotEnv(text: string, file: string): Record<string, string | undefined> {
  const values = parseEnv(text)
  const secret = Object.values(specs).find((spec) => spec.secret && values[spec.variable])
  if (secret) refuseReadable(file, `it holds ${secret.variable}`)
  const command = Object.values(specs).find((spec) => spec.command && values[spec.variable])
  if (command) refuseWritable(file, command.variable)
  return values
}

function readToml(text: string, file: string): Pick<Source, 'values' | 'accounts'> {
  let table: Record<string, unknown>
  try {
    table = parseToml(text)
  } catch (cause) {
    throw unreadToml(cause)
  }
  const known = new Map(Object.values(specs).map((spec) => [spec.key, spec]))
  const values: Record<string, string> = {}
  const { accounts, ...rest } = table
  for (const [key, value] of Object.entries(rest)) {
    const spec = known.get(key)
    if (!spec) {
      const [nearest] = nearestNames(key, [...known.keys()])
      throw new SettingsError(`candlehouse.toml: unknown setting '${key}'`, {
        hint: nearest ? `did you mean ${nearest}?` : `known are ${[...known.keys()].join(', ')}`,
      })
    }
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new SettingsError(`candlehouse.toml: ${key} must be text or a number`, {
        hint: `write it in quotes: ${key} = "..."`,
      })
    }
    if (spec.secret && value !== '') refuseReadable(file, `it holds ${key}`)
    if (spec.command && value !== '') refuseWritable(file, spec.variable)
    values[spec.variable] = String(value)
  }
  return { values, ...(accounts === undefined ? {} : { accounts }) }
}

/** The place and the rule that the text breaks; not the text, which may be a secret. */
function unreadToml(cause: unknown): SettingsError {
  const [wrong = ''] = (cause as Error).message.replace(/^Invalid TOML document: /, '').split('\n')
  const place = cause instanceof TomlError ? `:${cause.line}:${cause.column}` : ''
  return new SettingsError(`candlehouse.toml${place}: ${wrong}`, {
    hint: 'one setting a line, texts in quotes: candlehouse_home = "data"',
    cause,
  })
}

/**
 * A command runs with the rights of whoever starts the program: it counts only from a file that nobody else can write.
 *
 * @throws SettingsError
 */
function refuseWritable(file: string, variable: string): void {
  const user = process.getuid?.()
  if (user === undefined) return
  const { uid, mode } = statSync(file)
  if (uid !== user && uid !== 0) {
    throw new SettingsError(`${file} belongs to another user, and it sets ${variable}, a command`, {
      hint: `set ${variable} in the environment, or take the file over: chown ${user} ${file}`,
    })
  }
  if ((mode & 0o022) === 0) return
  throw new SettingsError(
    `${file} can be written by others on this machine, and it sets ${variable}, a command`,
    { hint: `chmod go-w ${file}` },
  )
}

/** Secrets that others on the machine can read are not secrets. */
export function refuseReadable(file: string, why: string): void {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return
  throw new SettingsError(`${file} can be read by others on this machine, and ${why}`, {
    hint: `chmod 600 ${file}`,
  })
}
