import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { parse as parseToml } from 'smol-toml'
import { SettingsError } from '../errors.js'
import { specs } from './spec.js'

export type Origin = 'flag' | 'environment' | '.env' | 'candlehouse.toml' | 'default'

/** Values of one place, by variable name. */
export interface Source {
  origin: Origin
  values: Readonly<Record<string, string | undefined>>
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
    { origin: '.env', values: readDotEnv(join(folder, '.env')) },
    { origin: 'candlehouse.toml', values: readToml(join(folder, 'candlehouse.toml')) },
  ]
}

function readDotEnv(file: string): Record<string, string | undefined> {
  if (!existsSync(file)) return {}
  const values = parseEnv(readFileSync(file, 'utf8'))
  const secret = Object.values(specs).find((spec) => spec.secret && values[spec.variable])
  if (secret) refuseReadable(file, `it holds ${secret.variable}`)
  return values
}

function readToml(file: string): Record<string, string | undefined> {
  if (!existsSync(file)) return {}
  let table: Record<string, unknown>
  try {
    table = parseToml(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new SettingsError(`candlehouse.toml cannot be read: ${(cause as Error).message.split('\n')[0]}`, {
      cause,
    })
  }
  const known = new Map(Object.values(specs).map((spec) => [spec.key, spec]))
  const values: Record<string, string> = {}
  for (const [key, value] of Object.entries(table)) {
    const spec = known.get(key)
    if (!spec) {
      throw new SettingsError(`candlehouse.toml: unknown setting '${key}'`, {
        hint: `known are ${[...known.keys()].join(', ')}`,
      })
    }
    if (typeof value !== 'string' && typeof value !== 'number') {
      throw new SettingsError(`candlehouse.toml: ${key} must be text or a number`)
    }
    if (spec.secret && value !== '') refuseReadable(file, `it holds ${key}`)
    values[spec.variable] = String(value)
  }
  return values
}

/** Secrets that others on the machine can read are not secrets. */
export function refuseReadable(file: string, why: string): void {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return
  throw new SettingsError(`${file} can be read by others on this machine, and ${why}`, {
    hint: `chmod 600 ${file}`,
  })
}
