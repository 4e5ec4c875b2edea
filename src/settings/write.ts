import { DEFAULT_KEY_NAME, KEY_NAME, WRONG_KEY_NAME } from './key-name.js'
import { type SettingSpec, specs } from './spec.js'

/** What `init` asks for; every other setting is in the file as a comment. */
export type ChosenSettings = Readonly<Record<string, string | undefined>>

/** An API key of several, as `init` asks for them. An empty secret is filled in later. */
export interface ChosenKey {
  readonly name: string
  readonly apiKey: string
  readonly apiSecret: string
}

/**
 * Text of `candlehouse.toml`: every setting that is not secret with its meaning; those that were not chosen as comments.
 *
 * @param keys where the home has several: the file names the variables of `.env` that hold them
 */
export function tomlOf(chosen: ChosenSettings, keys: readonly ChosenKey[] = []): string {
  const lines = allSpecs()
    .filter(({ secret }) => !secret)
    .flatMap(({ variable, key, meaning, fallbackText }) => {
      const value = chosen[variable]
      const line =
        value === undefined
          ? `# ${key} = …    # default: ${fallbackText}`
          : `${key} = ${JSON.stringify(value)}`
      return ['', `# ${variable}: ${meaning}`, line]
    })
  for (const { name } of keys) {
    const { apiKey, apiSecret } = variablesOf(name)
    lines.push('', '[[accounts]]', `name = "${name}"`)
    lines.push(`api_key_env = "${apiKey}"`, `api_secret_env = "${apiSecret}"`)
  }
  return `# Settings of candlehouse for this folder. Environment variables and .env come before this file.\n${lines.join('\n')}\n`
}

/** Text of `.env`: the secret settings that were chosen, and those of keys beside the first. */
export function dotEnvOf(chosen: ChosenSettings, keys: readonly ChosenKey[] = []): string {
  const lines = allSpecs()
    .filter(({ secret, variable }) => secret && chosen[variable] !== undefined)
    .map(({ variable, meaning }) => `# ${meaning}\n${variable}=${quoted(chosen[variable] ?? '')}`)
  for (const { name, apiKey, apiSecret } of keys.filter((key) => key.name !== DEFAULT_KEY_NAME)) {
    const variables = variablesOf(name)
    lines.push(`# key ${name} of [[accounts]] in candlehouse.toml`)
    lines.push(`${variables.apiKey}=${quoted(apiKey)}`, `${variables.apiSecret}=${quoted(apiSecret)}`)
  }
  return `# Credentials of candlehouse. Keep this file private (chmod 600 .env), and out of version control.\n${lines.join('\n')}\n`
}

/** What is wrong with a value of a setting; undefined where nothing is. */
export function problemOf(variable: string, value: string): string | undefined {
  const parsed = allSpecs()
    .find((spec) => spec.variable === variable)
    ?.schema.safeParse(value)
  if (parsed?.success === false) return parsed.error.issues[0]?.message ?? 'is wrong'
  return undefined
}

/** What is wrong with the name of a further key; undefined where nothing is. */
export function problemOfName(name: string, keys: readonly Pick<ChosenKey, 'name'>[]): string | undefined {
  if (!KEY_NAME.test(name)) return WRONG_KEY_NAME
  if (keys.some((key) => key.name === name)) return 'is the name of another key'
  const { apiKey } = variablesOf(name)
  const like = keys.find((key) => variablesOf(key.name).apiKey === apiKey)
  return like && `has the variable of key ${like.name}, ${apiKey}`
}

/** Variables of `.env` that hold a key's secrets. */
function variablesOf(name: string): { apiKey: string; apiSecret: string } {
  const end = name === DEFAULT_KEY_NAME ? '' : `_${name.toUpperCase().replaceAll('-', '_')}`
  return { apiKey: `BROKER_API_KEY${end}`, apiSecret: `BROKER_API_SECRET${end}` }
}

function allSpecs(): readonly SettingSpec[] {
  return Object.values(specs)
}

/** As Node's parser of `.env` files reads it back. */
function quoted(value: string): string {
  if (/^[\w.:/+=@%-]*$/.test(value)) return value
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark)) ?? "'"
  return `${quote}${value}${quote}`
}
