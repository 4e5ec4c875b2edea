import { expect, test } from 'vitest'
import { withEmptyCatalog } from './catalog.js'
import { rejectedIn, rejectedWords } from './glossary.js'
import { REJECTED_BUT_SHOWN, SEVERAL_TYPES } from './glossary-exceptions.js'
import { headings, helpTexts, pathNames, publishedColumns, type ShownWords } from './shown-words.js'

const rejected = rejectedWords()
const columns = await withEmptyCatalog(publishedColumns)
const names = columns.map(({ relation, name }) => ({ place: `${relation}.${name}`, text: name }))
/** Names of columns and relations in comments are tested as names. */
const comments = columns.map(({ relation, name, comment }) => ({
  place: `${relation}.${name}: comment`,
  text: comment.replace(/\w+[._]\w+/g, ''),
}))
const shown: readonly (readonly [what: string, words: readonly ShownWords[], least: number])[] = [
  ['folders and files', pathNames(), 1500],
  ['published columns', names, 1000],
  ['comments of published columns', comments, 1000],
  ['headings of the report, the console and verbs', headings(), 150],
  ['help of verbs', await helpTexts(), 20],
]

/** Places with a rejected word, each with that word. */
function hits(words: readonly ShownWords[]): { key: string; advice: string }[] {
  return words.flatMap(({ place, text }) =>
    rejectedIn(text, rejected).map(({ word, instead }) => ({
      key: `${place}: ${word}`,
      advice: `${place}: '${word}' is refused by docs/glossary.md: write ${instead}`,
    })),
  )
}

test.each(shown)('%s have no word that the glossary refuses', (_, words, least) => {
  expect(words.length).toBeGreaterThan(least)
  const faults = hits(words).filter(({ key }) => !REJECTED_BUT_SHOWN.has(key))
  expect(faults.map(({ advice }) => advice)).toEqual([])
})

test('every exception is still needed', () => {
  const keys = new Set(shown.flatMap(([, words]) => hits(words).map(({ key }) => key)))
  const stale = [...REJECTED_BUT_SHOWN.keys()].filter((key) => !keys.has(key))
  expect(stale.map((key) => `${key}: remove it from test/docs/glossary-exceptions.ts`)).toEqual([])
})

test('a column of one name has one type, and one unit', () => {
  const found = new Map<string, Set<string>>()
  for (const { name, type, comment } of columns) {
    const unit = /\ba fraction\b/.test(comment)
      ? ', a fraction'
      : /\bpercent\b/.test(comment)
        ? ', percent'
        : ''
    found.set(name, (found.get(name) ?? new Set()).add(type.replace(/\(.*/, '') + unit))
  }
  const kinds = [...found].filter(
    ([, types]) => new Set([...types].map((type) => type.split(',')[0])).size > 1,
  )
  const units = [...found].filter(
    ([, types]) => [...types].join().includes('fraction') && [...types].join().includes('percent'),
  )
  const several = new Map([...kinds, ...units].map(([name, types]) => [name, [...types].sort().join(' | ')]))
  const faults = [...several]
    .filter(([name]) => !SEVERAL_TYPES.has(name))
    .map(
      ([name, types]) =>
        `${name} is ${types}: rename one, or give the reason in test/docs/glossary-exceptions.ts`,
    )
  const stale = [...SEVERAL_TYPES.keys()]
    .filter((name) => !several.has(name))
    .map((name) => `${name} has one type: remove it from test/docs/glossary-exceptions.ts`)
  expect([...faults, ...stale]).toEqual([])
})

test('a refused word is found in any spelling and form, one with another meaning is not', () => {
  const words = rejectedWords(
    '## Runs\n| a | b | c |\n| - | - | - |\n| stored | in tables | kept, log (of runs), hole |\n',
  )
  expect(words.map(({ word }) => word)).toEqual(['kept', 'hole'])
  for (const text of ['kept-answers', 'keptAnswers', 'kept_answers', 'holes', 'What is kept']) {
    expect(rejectedIn(text, words), text).toHaveLength(1)
  }
  expect(rejectedIn('hold the log', words)).toEqual([])
})
