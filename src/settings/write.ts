import { type SettingSpec, specs } from './spec.js'

/** What `init` asks for; every other setting is in the file as a comment. */
export type ChosenSettings = Readonly<Record<string, string | undefined>>

/** Text of `candlehouse.toml`: every setting that is not secret with its meaning; those that were not chosen as comments. */
export function tomlOf(chosen: ChosenSettings): string {
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
  return `# Settings of candlehouse for this folder. Environment variables and .env come before this file.\n${lines.join('\n')}\n`
}

/** Text of `.env`: the secret settings that were chosen. */
export function dotEnvOf(chosen: ChosenSettings): string {
  const lines = allSpecs()
    .filter(({ secret, variable }) => secret && chosen[variable] !== undefined)
    .map(({ variable, meaning }) => `# ${meaning}\n${variable}=${quoted(chosen[variable] ?? '')}`)
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

function allSpecs(): readonly SettingSpec[] {
  return Object.values(specs)
}

/** As Node's parser of `.env` files reads it back. */
function quoted(value: string): string {
  if (/^[\w.:/+=@%-]*$/.test(value)) return value
  const quote = ["'", '"', '`'].find((mark) => !value.includes(mark)) ?? "'"
  return `${quote}${value}${quote}`
}
