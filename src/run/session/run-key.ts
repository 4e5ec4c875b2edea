import { namesKeys, type Settings } from '../../settings/index.js'

/** An API key as messages of a run name it. */
export interface RunKey {
  readonly name: string
  /** The text, after the name of the key where the home has several. */
  about(text: string): string
  /** The command that logs in with it. */
  readonly login: string
}

/** @param settings those of the key: `keysOf` */
export function runKeyOf(settings: Settings): RunKey {
  const { keyName: name } = settings
  if (!namesKeys(settings)) return { name, about: (text) => text, login: 'candlehouse login' }
  return { name, about: (text) => `key ${name}: ${text}`, login: `candlehouse login --key ${name}` }
}
