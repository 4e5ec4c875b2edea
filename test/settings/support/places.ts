import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingsError } from 'candlehouse-foundation/errors'
import { expect } from 'vitest'
import { resolveSettings } from '../../../src/settings/index.js'
import { temporaryFolder } from '../../support/folder.js'

export interface Places {
  flags?: Record<string, string | undefined>
  environment?: Record<string, string | undefined>
  env?: string
  toml?: string
  /** Mode of both files. @default 0o600 */
  mode?: number
  folder?: string
}

export const SECRET = 'hunter2-0123456789'

export function resolve({ flags = {}, environment = {}, env, toml, mode = 0o600, folder }: Places) {
  const home = folder ?? temporaryFolder()
  const write = (name: string, text: string | undefined) => {
    if (text === undefined) return
    writeFileSync(join(home, name), text)
    chmodSync(join(home, name), mode)
  }
  write('.env', env)
  write('candlehouse.toml', toml)
  return resolveSettings({ flags, environment, folder: home })
}

export function refusal(places: Places): SettingsError {
  try {
    resolve(places)
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError)
    return error as SettingsError
  }
  throw new Error('was accepted')
}

/** All a user sees of an error. */
export function words(error: SettingsError): string {
  return `${error.message}\n${error.hint}`
}

export function line(places: Places, variable: string) {
  const found = resolve(places).shown.find((each) => each.variable === variable)
  return { value: found?.value, origin: found?.origin }
}
