import { shellWord } from 'candlehouse-foundation/command-line/shell-word'
import { OF_TWO_WORDS, VERB_NAMES } from './verb-names.js'

const OF_ONE_WORD = VERB_NAMES.filter((name) => !OF_TWO_WORDS.includes(name))

/** A command to type, unless its line has a home already or shows a help text. */
const COMMAND = new RegExp(
  String.raw`\bcandlehouse (?:(?:${OF_TWO_WORDS.join('|')}) [a-z]+|(?:${OF_ONE_WORD.join('|')})\b)(?![^\n]* --(?:home|help)\b)(?![a-z])`,
  'g',
)

/**
 * The text with its commands as they must be typed for a home that the command line named: without it they would be about the
 * home of the settings.
 */
export function forHome(text: string, home: string | undefined): string {
  if (home === undefined) return text
  return text.replace(COMMAND, (command) => `${command} --home ${shellWord(home)}`)
}
