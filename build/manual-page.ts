import { type ArgumentShape, type CommandShape, everyCommand, type OptionShape } from '../src/cli/grammar.js'
import { wrapCell } from '../src/cli/render/wrap.js'

/** What the manual shows beside the commands. */
export interface ManualFacts {
  readonly version: string
  readonly settings: readonly {
    readonly variable: string
    readonly meaning: string
    readonly fallbackText: string
  }[]
}

const EXIT_CODES: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'done'],
  ['1', 'a bug'],
  ['2', 'usage: the command line or a statement is wrong'],
  ['3', 'settings or credentials are missing or wrong'],
  [
    '4',
    'finished, but rows were quarantined, a window is incomplete, the deadline came first, or a rule of severity error broke',
  ],
  ['5', 'the service gave up: run again later'],
  ['6', 'storage: a file or folder cannot be read or written'],
  ['75', 'another run holds the lock'],
  ['130, 143', 'stopped by SIGINT or SIGTERM; the same command continues'],
]

const FILES: readonly (readonly [path: string, meaning: string])[] = [
  ['candlehouse.toml, .env', 'settings and credentials, read from the working folder'],
  ['data/', 'the home (CANDLEHOUSE_HOME)'],
  ['data/catalog.duckdb', 'what analysts open; replaced as a whole by every publication'],
  ['data/raw/', 'pages as they were received, from which everything else can be rebuilt'],
  ['data/reports/latest.html', 'the nightly report'],
  ['$XDG_STATE_HOME/candlehouse/sql_history', 'statements of the prompt; by default below ~/.local/state'],
]

const EXAMPLES: readonly (readonly [command: string, meaning: string])[] = [
  ['candlehouse init', 'Set up a folder.'],
  ['candlehouse nightly', 'Fetch, check and publish the last sessions.'],
  ['candlehouse sql', 'Ask for statements, with completion and history.'],
  ['candlehouse sql --csv "from mart.daily_adjusted"', 'Print a relation as CSV.'],
]

/** The manual page, section 1, in the macros of man(7). It is the same for the same version. */
export function manualPage(program: CommandShape, { version, settings }: ManualFacts): string {
  const commands = everyCommand(program).filter(
    ({ path, commands: below }) => path.length > 0 && below.length === 0,
  )
  const [first] = commands
  const common = (first?.options ?? []).filter(({ long }) =>
    commands.every(({ options }) => options.some((option) => option.long === long)),
  )
  return [
    `.TH CANDLEHOUSE 1 "" "candlehouse ${version}" "User Commands"`,
    ...section('NAME', [
      `candlehouse \\- ${plainText('market data and accounts of a brokerage in a DuckDB warehouse')}`,
    ]),
    ...section('SYNOPSIS', ['.B candlehouse', '.I command', '.RI [ options ]', '.RI [ arguments ]']),
    ...section('DESCRIPTION', paragraph(program.about)),
    ...section('OPTIONS OF EVERY COMMAND', common.flatMap(describeOption)),
    ...section(
      'COMMANDS',
      commands.flatMap((command) => describeCommand(command, common)),
    ),
    ...section('ENVIRONMENT', [
      ...paragraph(
        'A flag wins over the environment, the environment over .env, and that over candlehouse.toml.',
      ),
      ...settings.flatMap(({ variable, meaning, fallbackText }) =>
        tagged(`\\fB${plainText(variable)}\\fR`, `${meaning} (default: ${fallbackText})`),
      ),
    ]),
    ...section(
      'FILES',
      FILES.flatMap(([path, meaning]) => tagged(`\\fI${plainText(path)}\\fR`, meaning)),
    ),
    ...section(
      'EXIT STATUS',
      EXIT_CODES.flatMap(([code, meaning]) => tagged(`\\fB${code}\\fR`, meaning)),
    ),
    ...section(
      'EXAMPLES',
      EXAMPLES.flatMap(([command, meaning]) => tagged(`\\fB${plainText(command)}\\fR`, meaning)),
    ),
    '',
  ].join('\n')
}

function section(title: string, lines: readonly string[]): string[] {
  return [`.SH ${title}`, ...lines]
}

function describeCommand(command: CommandShape, common: readonly OptionShape[]): string[] {
  const particular = command.options.filter(({ long }) => !common.some((option) => option.long === long))
  const words = ['candlehouse', ...command.path].map(plainText).join(' ')
  const taken = command.arguments.map(argumentText).map((text) => ` \\fI${plainText(text)}\\fR`)
  return [
    `.SS \\fB${words}\\fR${taken.join('')}`,
    ...paragraph(command.about),
    ...command.arguments.flatMap((argument) =>
      tagged(
        `\\fI${plainText(argument.name)}\\fR`,
        argument.about + wordsText(argument.offered, argument.about),
      ),
    ),
    ...particular.flatMap(describeOption),
  ]
}

function describeOption(option: OptionShape): string[] {
  const { about, value } = option
  return tagged(optionText(option), about + wordsText(value?.offered, about) + fallbackText(option))
}

function argumentText({ name, isRequired, isVariadic }: ArgumentShape): string {
  const text = isVariadic ? `${name}...` : name
  return isRequired ? text : `[${text}]`
}

function optionText({ short, long, value }: OptionShape): string {
  const flags = [...(short ? [short] : []), long].map((flag) => `\\fB${plainText(flag)}\\fR`).join(', ')
  if (!value) return flags
  const name = `\\fI${plainText(value.name)}\\fR`
  return value.isOptional ? `${flags} [${name}]` : `${flags} ${name}`
}

function wordsText(offered: ArgumentShape['offered'] | undefined, about: string): string {
  // The relations are in the dictionary; a text that lists its words already does not list them twice.
  if (offered?.kind !== 'words' || offered.words.length > 12 || about.includes(offered.words[0] ?? ''))
    return ''
  return `; one of ${offered.words.join(', ')}`
}

function fallbackText({ fallback, about }: OptionShape): string {
  return fallback === undefined || about.includes('default:') ? '' : ` (default: ${fallback})`
}

/** A term and its explanation. */
function tagged(term: string, text: string): string[] {
  return ['.TP', term, ...paragraph(text)]
}

/** Source lines for a text: roff fills them again, and its checkers want short ones. */
function paragraph(text: string): string[] {
  return wrapCell(text, SOURCE_WIDTH).map(plainText)
}

const SOURCE_WIDTH = 70

/** Text that roff prints as it is: no line is taken for a request. */
function plainText(text: string): string {
  return (
    text
      .replaceAll('\\', '\\e')
      .replaceAll('-', '\\-')
      .replaceAll('’', "'")
      .replace(/^([.'])/, '\\&$1')
      // Readers of roff guess the encoding of a page: ASCII is right for all of them.
      .replace(/[^ -~]/gu, (char) => `\\[u${codeOf(char)}]`)
  )
}

function codeOf(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
}
