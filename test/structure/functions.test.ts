import { describe, expect, test } from 'vitest'
import { filesIn, SOURCE_FOLDERS, TEST_FOLDERS } from '../support/sources.js'
import { type FunctionSize, functionSizes, outerWrites, packedMembers } from './functions.js'

/** Lines of one function at most: the bodies of runs are read more often than the rest. */
const LONGEST = 80
const LONGEST_OF_RUN = 60

const sources = filesIn(SOURCE_FOLDERS, '.ts')
const all = [...sources, ...filesIn(TEST_FOLDERS, '.ts')]

/** What to do about a function. */
const tooLong = ({ path, name, lines }: FunctionSize): string =>
  `${path}: ${name} has ${lines} lines: name its parts as functions, give each promise a test of its own`

const ofRun = (path: string): boolean => path.startsWith('src/run/')

describe('functions', () => {
  test('are read in one piece', () => {
    const long = all
      .flatMap((path) => functionSizes(path))
      .filter(({ path, lines }) => lines > (ofRun(path) ? LONGEST_OF_RUN : LONGEST))
    expect(long.map(tooLong)).toEqual([])
  })

  test('of a describe count without the functions inside it', () => {
    const text = "describe('a', () => {\n  const b = 1\n  test('c', () => {\n    d()\n  })\n})"
    expect(functionSizes('example.ts', text)).toEqual([
      { path: 'example.ts', name: "describe 'a'", lines: 3 },
      { path: 'example.ts', name: "test 'c'", lines: 3 },
    ])
  })

  test('write members out: a spread of a literal hides how many there are', () => {
    const packed = all.flatMap((path) => packedMembers(path))
    expect(packed.map((place) => `${place}: write its members out, one a line`)).toEqual([])
    expect(packedMembers('example.ts', 'const a = { ...{ b, c }, ...(d ? { e } : {}) }')).toEqual([
      'example.ts:1',
    ])
  })

  test('of a run do not write to variables of the functions around them: its state is the Run', () => {
    const writes = sources.filter(ofRun).flatMap((path) => outerWrites(path))
    expect(writes.map((write) => `${write} is written from inside: keep it in the Run`)).toEqual([])
  })

  test.each([
    ['let n = 0; const add = () => { n += 1 }', ['example.ts:1 n']],
    ['let n = 0; const add = () => { n++ }', ['example.ts:1 n']],
    ['const rows = []; function add() { rows.push(1) }', ['example.ts:1 rows']],
    ['function outer(n) { return () => { n = 1 } }', ['example.ts:1 n']],
    ['function outer() { let n = 0; n += 1; for (const x of []) n = x; return n }', []],
    ['const add = () => { const rows = []; rows.push(1) }', []],
    ['class A { #n = 0; add() { this.#n += 1 } }', []],
  ])('are looked at closely: %s', (text, writes) => {
    expect(outerWrites('example.ts', text)).toEqual(writes)
  })
})
