import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { LENGTHY, PROGRAM, PURE } from '../support/projects.js'
import { filesIn } from '../support/sources.js'
import { reachedBy } from './imports.js'

const TEST_FOLDERS = ['test', ...['client', 'foundation', 'sandbox'].map((name) => `packages/${name}/test`)]
const tests = filesIn(TEST_FOLDERS, '.test.ts').sort()

function matching(patterns: readonly string[]): string[] {
  const forms = patterns.map((pattern) => {
    const form = pattern
      .replaceAll('.', '\\.')
      .replaceAll('**/', '(?:.+/)?')
      .replaceAll(/(?<!\))\*/g, '[^/]*')
    return new RegExp(`^${form}$`)
  })
  return tests.filter((path) => forms.some((form) => form.test(path)))
}

const FORBIDDEN = /^(@duckdb\/|(node:)?child_process$)/

describe('the projects of tests', () => {
  test('pure tests reach neither DuckDB nor processes', () => {
    const pure = matching(PURE)
    expect(pure.length).toBeGreaterThan(30)
    const reaching = pure.flatMap((path) =>
      reachedBy(path)
        .filter(({ name }) => FORBIDDEN.test(name))
        .map(
          ({ name, by }) =>
            `${path} reaches ${name} through ${by}: take it from PURE of test/support/projects.ts`,
        ),
    )
    expect(reaching).toEqual([])
  })

  test('what reaches them is seen: this test would find a pure test that does', () => {
    const names = (path: string) => reachedBy(path).map(({ name }) => name)
    expect(names('test/publish/delta.test.ts')).toContain('@duckdb/node-api')
    expect(names('test/e2e/kill.test.ts')).toContain('node:child_process')
  })

  test('every pattern names tests, and no test belongs to two projects', () => {
    for (const pattern of [...PURE, ...PROGRAM, ...LENGTHY])
      expect([pattern, matching([pattern])]).not.toEqual([pattern, []])
    const program = matching(PROGRAM)
    const ofBoth = matching(PURE).filter((path) => program.includes(path))
    const ofOthers = [...matching(PURE), ...program]
    expect(matching(LENGTHY).filter((path) => ofOthers.includes(path))).toEqual([])
    expect(ofBoth.map((path) => `${path}: take it from PURE or PROGRAM of test/support/projects.ts`)).toEqual(
      [],
    )
  })
})

describe('the index of tests', () => {
  const index =
    readFileSync(join(packageRoot, 'test/README.md'), 'utf8').split('## Tests of each module')[1] ?? ''
  const rows = [...index.matchAll(/^\| `([\w.-]+\/?)` +\| (.+?) +\|$/gm)].map(
    ([, module = '', paths = '']) => ({
      module,
      paths: [...paths.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
    }),
  )

  test('names every module of src', () => {
    const modules = readdirSync(join(packageRoot, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => `${entry.name}/`)
    expect(rows.map(({ module }) => module).filter((module) => modules.includes(module))).toEqual(
      modules.sort(),
    )
  })

  test('names tests that exist, and every test', () => {
    const named = rows.flatMap(({ paths }) => paths)
    const all = named.map((path) => (/^packages\/\w+\/test/.test(path) ? path : `test/${path}`))
    const covering = (path: string) =>
      all.some((one) => path === one || (one.endsWith('/') && path.startsWith(one)))
    const unnamed = tests.filter((path) => !covering(path))
    expect(unnamed.map((path) => `${path} is not in the index: name it in test/README.md`)).toEqual([])
    for (const one of all)
      expect([one, tests.filter((path) => path === one || path.startsWith(one)).length]).not.toEqual([one, 0])
  })
})
