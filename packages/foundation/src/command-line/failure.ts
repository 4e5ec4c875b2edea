import { CommanderError } from 'commander'
import { CandlehouseError } from '../errors.js'
import { nearestNames } from '../nearest-names.js'
import { withoutSystemFault } from '../system-fault.js'
import { withSourcePlaces } from './source-places.js'
import type { Terminal } from './terminal.js'

/**
 * Prints what went wrong and what to type next on stderr. With --json also as one document on stdout, so that scripts
 * need not parse text.
 *
 * @param call whether --json was given, the verb that was called, if any, the command that stands for this verb where it is
 *   not `candlehouse VERB`, and what makes a hint one to type here
 * @returns the exit code
 */
export async function reportFailure(
  error: unknown,
  call: {
    json: boolean
    verb: string | undefined
    command?: string
    hinted?: (hint: string) => string
  },
  terminal: Terminal,
): Promise<number> {
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  const { exitCode, message, hint: general } = explain(error, call)
  const hint = general === undefined ? undefined : (call.hinted?.(general) ?? general)
  if (call.json) {
    const document = { error: { exitCode, message, ...(hint === undefined ? {} : { hint }) } }
    await terminal.data(`${terminal.clean(JSON.stringify(document, null, 2))}\n`)
  }
  terminal.complain(`${call.command ?? 'candlehouse'}: ${message}`)
  if (hint !== undefined) terminal.complain(`  next: ${hint}`)
  return exitCode
}

/**
 * Commander's message; for an invalid value in simpler words: "'x' is not valid for --date <day>. …", and with the choice that
 * was meant.
 */
function plainMessage({ message }: CommanderError): string {
  const words = message
    .replace(/^error: /, '')
    .replace(/^option '(.*?)' argument '(.*?)' is invalid\./s, "'$2' is not valid for $1.")
    .replace(
      /^command-argument value '(.*?)' is invalid for argument '(.*?)'\./s,
      "'$1' is not valid for <$2>.",
    )
  const [, typed = '', choices = ''] = CHOICES.exec(words) ?? []
  // Two or three letters differ from others in one by chance, as 2m from 3m.
  const long = choices.split(', ').filter((choice) => choice.length > SHORT)
  const [meant] = nearestNames(typed, long)
  return meant === undefined ? words : `${words} Did you mean ${meant}?`
}

const CHOICES = /^'(.*?)' is not valid for .*?\. Allowed choices are (.*)\.$/s

const SHORT = 3

function explain(
  thrown: unknown,
  { verb, command }: { verb: string | undefined; command?: string },
): { exitCode: number; message: string; hint: string | undefined } {
  const error = withoutSystemFault(thrown)
  const typed = verb === undefined ? 'candlehouse' : `candlehouse ${verb}`
  if (error instanceof CandlehouseError) {
    const hint = command === undefined ? error.hint : error.hint?.replace(typed, command)
    return { exitCode: error.exitCode, message: error.message, hint }
  }
  if (error instanceof CommanderError) {
    const hint = `${command ?? typed} --help`
    // Commander reports its help as an error if no command was given.
    if (error.code === 'commander.help') return { exitCode: 2, message: 'no command given', hint }
    return { exitCode: 2, message: plainMessage(error), hint }
  }
  const details = error instanceof Error ? withSourcePlaces(error.stack ?? error.message) : String(error)
  return { exitCode: 1, message: `this is a bug: ${details}`, hint: 'report this bug with the lines above' }
}
