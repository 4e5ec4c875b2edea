import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { createProgram } from '../../src/cli/program.js'
import { fakeEffects } from '../support/effects.js'
import { watchedTerminal } from '../support/program.js'
import { SOURCE_FOLDERS } from '../support/sources.js'
import { textFiles } from './files.js'

/**
 * Phrases that readers stumble over who are not native speakers, and translators. docs/glossary.md has the words to use
 * instead.
 */
const PHRASES: readonly (readonly [phrase: RegExp, instead: string])[] = [
  // `told` is also a key of the lines of a run's journal, which files of earlier versions have.
  [/(?<![.'])\b(told|tells)\b(?!['?:])/i, 'reported, returned, shown, stated'],
  [/(?<!\bthere )\bis no (?!longer\b)[a-z]+/i, 'is not a …, there is no …'],
  [/\bthat (is|are) none\b/i, 'name what it is not'],
  [/\berrands?\b/i, 'job run'],
  [
    /\ban? (hash|file|folder|row|night|run|line|table|log|month|statement|verdict|batch|key|session) a (relation|session|month|value|night|rule|page|table|day|publication|transaction|analysis|subject|symbol)\b/i,
    'one … per …',
  ],
  [/\bwhat (it|the [a-z]+) (says|said|has said)\b/i, 'a noun: the response, service data'],
  [/\bconst (found|made|mine|told|own)\b/, 'a name that is a noun'],
  [/\bmended\b|\bmends\b/i, 'repaired'],
  [/\boverrul(e|es|ed|ing)\b/i, 'override'],
  [/\bthe far end\b/i, 'the service'],
  [/\ba page that moves\b|\ba number that is none\b/i, 'pages that shift, values that are not numbers'],
  [/\bno spreadsheet runs\b/i, 'formulas neutralised'],
  [/\bwhat a person (knows|accepts)\b/i, 'override'],
  [/\bpublish what breaks\b/i, 'publish despite breaks of this rule'],
  [/\band stand there\b/i, 'stop the clock'],
  [/\bpage in hand\b|\bonce more stops\b/i, 'current page; press Ctrl-C again'],
  [/\bnothing was asked\b/i, 'no requests sent'],
  [/\bis of its moment\b/i, 'cannot be fetched again'],
  [/\bsays the same again\b/i, 'returned the same values'],
  [/\bsince nobody knows it\b/i, 'unknown'],
  [/\bfile says itself\b/i, 'the file has …'],
  [/, and there is none\b/i, 'which is not set'],
  [/\bof something else: it stays\b/i, 'refusing to replace it'],
  [/\bmean anything at\b/i, 'say what is computed'],
  [/\bis to be written once\b/i, 'say when it is written'],
  [/\btells of chance\b/i, 'the estimate is noise'],
  [/\bstands broken\b|\bstanding break/i, 'is broken; open finding'],
]

/** Words that had several meanings: documents and help do without them. */
const WORDS: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bverdicts?\b|\bjudg(e|es|ed|ing|ement)\b/i, 'check; result, finding'],
  [/\bstanding\b/i, 'see the glossary: six meanings'],
  [/\bwitness(es)?\b/i, 'cross-check'],
  [/\badopt(s|ed|ing)?\b/i, 'resume, recover'],
  [/\bleft out\b/i, 'skipped'],
  [/\bkept tables?\b/i, 'materialized table'],
]

/** Lines with a phrase, and what to write instead. */
function stumbles(path: string, text: string, phrases = PHRASES): string[] {
  return text.split('\n').flatMap((line, at) => {
    const hits = phrases.filter(([phrase]) => phrase.test(line))
    return hits.map(
      ([phrase, instead]) => `${path}:${at + 1} ${phrase.exec(line)?.[0]} → ${instead}: ${line.trim()}`,
    )
  })
}

// The glossary names the words, and migrations are never edited.
const EXEMPT = ['docs/glossary.md', 'sql/migrations/']

const DOCUMENTS = [
  'docs',
  'examples',
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'src/README.md',
  'packages/client/README.md',
  'packages/foundation/README.md',
  'packages/sandbox/README.md',
  'test/README.md',
]

describe('plain English', () => {
  test.each([
    ['documents', DOCUMENTS],
    ['code', [...SOURCE_FOLDERS, 'build']],
    ['SQL', ['sql']],
  ])('holds in %s', (_, paths) => {
    const found = textFiles(...paths)
      .filter(({ path }) => !EXEMPT.some((exempt) => path.startsWith(exempt)))
      .flatMap(({ path, text }) => stumbles(path, text))
    expect(found).toEqual([])
  })

  test('has one meaning per word in documents', () => {
    const found = textFiles(...DOCUMENTS)
      .filter(({ path }) => !EXEMPT.some((exempt) => path.startsWith(exempt)))
      .flatMap(({ path, text }) => stumbles(path, text, WORDS))
    expect(found).toEqual([])
  })

  test('holds in the help of every verb', async () => {
    const { terminal } = watchedTerminal()
    const edge = { terminal, environment: {}, endWith: () => undefined } as never
    const program = await createProgram(edge, fakeEffects(), undefined)
    const helps = everyCommand(program).map((command) => [command.name(), command.helpInformation()] as const)
    expect(helps.length).toBeGreaterThan(20)
    const found = helps.flatMap(([name, text]) =>
      stumbles(`candlehouse ${name} --help`, unwrapped(text), [...PHRASES, ...WORDS]),
    )
    expect(found).toEqual([])
  })

  test('each phrase of the list is found where it stands', () => {
    expect(stumbles('x', 'a hash a relation, as it was told')).toHaveLength(2)
    expect(stumbles('x', 'one hash per relation, as reported; it is no longer there')).toEqual([])
  })
})

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap((child) => everyCommand(child as Command))]
}

/** Help is set in columns: a phrase may go on in the next line. */
function unwrapped(help: string): string {
  return help.replace(/\n {12,}/g, ' ')
}
