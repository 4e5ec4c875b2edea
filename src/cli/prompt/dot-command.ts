/** How the prompt shows results. `auto`: a table, or one value per line where the table is wider than the terminal. */
export const MODES = ['auto', 'table', 'vertical', 'csv', 'json'] as const
export type Mode = (typeof MODES)[number]

export type DotCommand =
  | { readonly does: 'help' | 'quit' | 'tables' }
  | { readonly does: 'timing'; readonly on: boolean }
  | { readonly does: 'mode'; readonly mode: Mode }
  | { readonly does: 'read'; readonly file: string }
  /** Without a file results are shown again. */
  | { readonly does: 'output'; readonly file: string | undefined; readonly once: boolean }
  | { readonly does: 'nothing'; readonly because: string }

/** The words that may stand behind a command; `file` is any path, `no file` also none. */
const WORDS = {
  '.help': [],
  '.tables': [],
  '.read': 'file',
  '.output': 'no file',
  '.once': 'file',
  '.timing': ['on', 'off'],
  '.mode': MODES,
  '.quit': [],
} as const satisfies Readonly<Record<string, readonly string[] | 'file' | 'no file'>>

type Name = keyof typeof WORDS

export const HELP = `Statements end with ; and may have several lines.
  .tables                     every relation with its comment, as show tables;
  describe candle;            columns of a relation with their comments; schemas may be omitted
  select … from candle …;     one statement that reads
  .read FILE                  run the statements of a file, or of one saved in the console
  .output FILE                write results to a file until .output without a name; numbers are exact there
  .once FILE                  write the next result to a file: .csv and .json in their form, else a table
  .timing on|off              show how long statements take
  .mode ${MODES.join('|')}   how results are shown
  .help                       this list
  .quit                       leave, as Ctrl-D does
Tab completes commands, relations, columns and keywords. Ctrl-C cancels a statement, or clears what was typed.`

/** Reads a line that begins with a dot; undefined for any other line. */
export function readDotCommand(line: string): DotCommand | undefined {
  const [, name = '', rest = ''] = /^(\S*)\s*(.*)$/.exec(line.trim()) ?? []
  if (/^(quit|exit)$/i.test(name) && rest === '') return { does: 'quit' }
  if (!name.startsWith('.')) return undefined
  if (!isName(name)) return nothing(`there is no ${name}: the commands are ${Object.keys(WORDS).join(', ')}`)
  const expected: readonly string[] | string = WORDS[name]
  if (typeof expected === 'string') return fileCommand(name, unquoted(rest), expected)
  const isExpected = expected.length === 0 ? rest === '' : expected.includes(rest)
  if (!isExpected)
    return nothing(
      expected.length === 0 ? `${name} takes no value` : `${name} takes one of ${expected.join(', ')}`,
    )
  if (name === '.timing') return { does: 'timing', on: rest === 'on' }
  if (name === '.mode') return { does: 'mode', mode: rest as Mode }
  return { does: name === '.help' ? 'help' : name === '.tables' ? 'tables' : 'quit' }
}

function fileCommand(name: Name, file: string, expected: string): DotCommand {
  if (file === '' && expected === 'file') return nothing(`${name} takes the name of a file`)
  if (name === '.read') return { does: 'read', file }
  return { does: 'output', file: file === '' ? undefined : file, once: name === '.once' }
}

/** A name with blanks needs no quotes, and may have them. */
function unquoted(text: string): string {
  return /^(['"])(.*)\1$/.exec(text)?.[2] ?? text
}

function isName(name: string): name is Name {
  return Object.hasOwn(WORDS, name)
}

function nothing(because: string): DotCommand {
  return { does: 'nothing', because }
}

/** Commands and their values that continue the line. */
export function completeDotCommand(line: string): [hits: string[], word: string] {
  const [, name, , word = ''] = /^(\S*)(\s+)?(\S*)$/.exec(line) ?? []
  if (name === undefined) return [[], '']
  if (!/\s/.test(line)) return [Object.keys(WORDS).filter((each) => each.startsWith(name)), name]
  const values: readonly string[] | string = isName(name) ? WORDS[name] : []
  return [typeof values === 'string' ? [] : values.filter((each) => each.startsWith(word)), word]
}
