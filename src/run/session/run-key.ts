import { namesKeys, type Settings } from '../../settings/index.js'

/** An API key as messages of a run name it. */
export interface RunKey {
  readonly name: string
  /** Whether the home has several keys: then commands and messages name it. */
  readonly isNamed: boolean
  /** The text, after the name of the key where the home has several. */
  about(text: string): string
  /** The command that logs in with it. */
  readonly login: string
}

/** @param settings those of the key: `keysOf` */
export function runKeyOf(settings: Settings): RunKey {
  const { keyName: name } = settings
  if (!namesKeys(settings)) return { name, isNamed: false, about: (text) => text, login: 'candlehouse login' }
  return {
    name,
    isNamed: true,
    about: (text) => `key ${name}: ${text}`,
    login: `candlehouse login --key ${name}`,
  }
}
