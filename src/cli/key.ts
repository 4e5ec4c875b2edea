import { UsageError } from 'candlehouse-foundation/errors'
import { keysOf, type Settings } from '../settings/index.js'

/**
 * The settings of the key with that name, or of the only one.
 *
 * @throws UsageError where there is no such key, or the home has several and none is named
 */
export function chosenKey(settings: Settings, name: string | undefined, command: string): Settings {
  const keys = keysOf(settings)
  const names = keys.map(({ keyName }) => keyName)
  const key = name === undefined && keys.length === 1 ? keys[0] : keys.find(({ keyName }) => keyName === name)
  if (key) return key
  throw new UsageError(
    name === undefined
      ? `candlehouse.toml names several keys: ${names.join(', ')}`
      : `no key is named '${name}': candlehouse.toml has ${settings.accounts.length > 0 ? names.join(', ') : 'no [[accounts]]'}`,
    { hint: `candlehouse ${command} --key ${names[0]}` },
  )
}
