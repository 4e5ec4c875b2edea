/** How the prompt shows results. `auto`: a table, or one value per line where the table is wider than the terminal. */
export const MODES = ['auto', 'table', 'vertical', 'csv', 'json'] as const
export type Mode = (typeof MODES)[number]

export type DotCommand =
  | { readonly does: 'help' | 'quit' }
  | { readonly does: 'timing'; readonly on: boolean }
  | { readonly does: 'mode'; readonly mode: Mode }
  | { readonly does: 'nothing'; readonly because: string }

const WORDS = {
  '.help': [],
  '.timing': ['on', 'off'],
  '.mode': MODES,
  '.quit': [],
} as const satisfies Readonly<Record<string, readonly string[]>>

export const HELP = `Statements end with ; and may have several lines.
  show tables;                every relation with its comment
  describe candle;            columns of a relation with their comments; schemas may be omitted
  select … from candle …;     one statement that reads
  .timing on|off              show how long statements take
  .mode ${MODES.join('|')}   how results are shown
  .help                       this list
  .quit                       leave, as Ctrl-D does
Tab completes relations, columns and keywords. Ctrl-C cancels a statement, or clears what was typed.`

/** Reads a line that begins with a dot; undefined for any other line. */
export function readDotCommand(line: string): DotCommand | undefined {
  const [name = '', value = '', ...more] = line.trim().split(/\s+/)
  if (/^(quit|exit)$/i.test(name) && value === '') return { does: 'quit' }
  if (!name.startsWith('.')) return undefined
  const expected = Object.hasOwn(WORDS, name) ? WORDS[name as keyof typeof WORDS] : undefined
  if (!expected) return nothing(`there is no ${name}: the commands are ${Object.keys(WORDS).join(', ')}`)
  const isExpected = expected.length === 0 ? value === '' : (expected as readonly string[]).includes(value)
  if (!isExpected || more.length > 0) {
    return nothing(
      expected.length === 0 ? `${name} takes no value` : `${name} takes one of ${expected.join(', ')}`,
    )
  }
  if (name === '.timing') return { does: 'timing', on: value === 'on' }
  if (name === '.mode') return { does: 'mode', mode: value as Mode }
  return { does: name === '.help' ? 'help' : 'quit' }
}

function nothing(because: string): DotCommand {
  return { does: 'nothing', because }
}

/** Commands and their values that continue the line. */
export function completeDotCommand(line: string): [hits: string[], word: string] {
  const [, name, , word = ''] = /^(\S*)(\s+)?(\S*)$/.exec(line) ?? []
  if (name === undefined) return [[], '']
  if (!/\s/.test(line)) return [Object.keys(WORDS).filter((each) => each.startsWith(name)), name]
  const values = Object.hasOwn(WORDS, name) ? WORDS[name as keyof typeof WORDS] : []
  return [values.filter((each) => each.startsWith(word)), word]
}
