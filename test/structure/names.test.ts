import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'
import { datasets } from '../../src/plan/datasets.js'
import { filesIn, SOURCE_FOLDERS } from '../support/sources.js'
import { exportedNames } from './exports.js'
import {
  ONE_WORD,
  SAME_FILES,
  SAME_FOLDERS,
  SAME_FUNCTIONS,
  type SameName,
  SUBJECT_FOLDERS,
} from './same-names.js'

const sources = filesIn(SOURCE_FOLDERS, '').filter((path) => /\.tsx?$/.test(path))

/** Every place by a name. */
function placesBy(entries: readonly (readonly [name: string, place: string])[]): Map<string, string[]> {
  const places = new Map<string, string[]>()
  for (const [name, place] of entries) {
    const known = places.get(name) ?? []
    if (!known.includes(place)) places.set(name, [...known, place])
  }
  return places
}

/** Names with several places that the table does not have like this, and entries of the table that nothing needs. */
function strays(
  places: ReadonlyMap<string, readonly string[]>,
  table: Readonly<Record<string, SameName>>,
): string[] {
  const several = [...places].filter(([, where]) => where.length > 1)
  const unexplained = several.filter(([name, where]) => where.join() !== table[name]?.places.join())
  const stale = Object.keys(table).filter((name) => (places.get(name)?.length ?? 0) < 2)
  return [
    ...unexplained.map(
      ([name, where]) =>
        `${name} is in ${where.join(', ')}: rename all but one, or give the reason in test/structure/same-names.ts if they mean the same`,
    ),
    ...stale.map((name) => `${name} has one place now: remove it from test/structure/same-names.ts`),
  ]
}

const nameOf = (path: string): string => basename(path).replace(/\..*$/, '')

test.each(SOURCE_FOLDERS)('a folder name occurs once in %s', (root) => {
  const folders = sources
    .filter((path) => path.startsWith(`${root}/`))
    .flatMap((path) => {
      const parts = dirname(path)
        .slice(root.length + 1)
        .split('/')
      return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
    })
    .filter((folder) => folder !== '')
  const places = placesBy(folders.map((folder) => [basename(folder), folder] as const))
  expect(strays(places, root === 'src' ? SAME_FOLDERS : {})).toEqual([])
})

test.each(SOURCE_FOLDERS)(
  'a file name occurs once in %s, but for files of one subject in several layers',
  (root) => {
    const files = sources
      .filter((path) => path.startsWith(`${root}/`) && nameOf(path) !== 'index')
      .map((path) => path.slice(root.length + 1))
      .filter((path) => !SUBJECT_FOLDERS.includes(dirname(path)))
    const places = placesBy(files.map((path) => [nameOf(path), path] as const))
    expect(strays(places, SAME_FILES[root] ?? {})).toEqual([])
  },
)

test.each(SOURCE_FOLDERS)('an exported function of %s has its name alone', (root) => {
  const functions = sources
    .filter((path) => path.startsWith(`${root}/`))
    .flatMap((path) => exportedNames(path).map((name) => [name, path.slice(root.length + 1)] as const))
  expect(strays(placesBy(functions), SAME_FUNCTIONS[root] ?? {})).toEqual([])
})

test('files are kebab-case; those of SQL have the name of a relation or a dataset', () => {
  const wrong = [
    ...[...sources, ...filesIn(['test'], '.ts')]
      .filter((path) => !path.startsWith('test/audit/cases/'))
      .filter((path) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(nameOf(path)))
      .map((path) => `${path}: write it kebab-case, like stage-pages.ts`),
    ...filesIn(['sql'], '.sql')
      .filter((path) => !(/^sql\/(load|apply)\/\w+\.sql$/.test(path) && nameOf(path) in datasets))
      .filter((path) => !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(nameOf(path)))
      .map((path) => `${path}: name it for a dataset, or for what it makes, like walk_days.sql`),
  ]
  expect(wrong).toEqual([])
})

test('a file of one word is not two', () => {
  const words = new Set(sources.flatMap((path) => nameOf(path).split('-')).filter((word) => word.length > 3))
  const isTwo = (word: string): boolean =>
    !ONE_WORD.includes(word) &&
    [...word].some((_, at) => words.has(word.slice(0, at)) && words.has(word.slice(at)))
  const joined = sources.filter((path) => nameOf(path).split('-').some(isTwo))
  expect(joined.map((path) => `${path}: put a hyphen between its words, or name it in ONE_WORD`)).toEqual([])
})

test('a name in two places is found, and so is an entry that nothing needs', () => {
  const table = { sweep: { places: ['a', 'b'], reason: '' }, gone: { places: ['a', 'b'], reason: '' } }
  const places = placesBy([
    ['sweep', 'a'],
    ['sweep', 'b'],
    ['gone', 'a'],
    ['withheld', 'a'],
    ['withheld', 'b'],
  ])
  expect(strays(places, table).map((line) => line.split(' ')[0])).toEqual(['withheld', 'gone'])
  expect(strays(new Map([['sweep', ['a', 'b', 'c']]]), { sweep: table.sweep })).toHaveLength(1)
})
