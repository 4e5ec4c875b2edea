import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'

/** Number of cases by letter: HTTP, session, pages and rows, storage (D), security (X), time and load, several keys. */
const COUNTS = { H: 16, S: 8, P: 15, D: 13, X: 9, T: 4, K: 6 }
const CASES = Object.entries(COUNTS).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`),
)

/** One per case: its first line, then a line per test. */
const entries = readFileSync(join(packageRoot, 'docs/promises.md'), 'utf8').split(/^- /m).slice(1)

test('docs/promises.md lists every case once', () => {
  expect(entries.flatMap((entry) => /^\*\*(\w+)\*\* /.exec(entry)?.[1] ?? [])).toEqual(CASES)
})

test('every entry of docs/promises.md names tests that exist', () => {
  const wrong = entries.flatMap((entry) => {
    const named = [...entry.matchAll(/^ {2}- `((?:packages\/\w+\/)?test\/[\w./-]+)`: (.+)$/gm)]
    if (named.length === 0) return [`name a test in docs/promises.md: ${entry}`]
    return named
      .filter(([, file = '', name = '']) => !isTest(file, name))
      .map(([, file, name]) => `${file} has no test '${name}': name the one that keeps the promise`)
  })
  expect(wrong).toEqual([])
})

function isTest(file: string, name: string): boolean {
  const path = join(packageRoot, file)
  return existsSync(path) && readFileSync(path, 'utf8').includes(name)
}
