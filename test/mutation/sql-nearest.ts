import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { martObjects, restsOn } from '../../src/mart/objects.js'
import { packageRoot } from '../../src/package.js'

/** Files of tests that run together, and the names of the tests in them; all tests without a pattern. */
export interface TestRun {
  readonly files: readonly string[]
  readonly names?: string
}

/** Folders of `sql` whose statements have cases of their own. */
const STATEMENTS: ReadonlySet<string> = new Set(['conclusion', 'console', 'metrics', 'read', 'report'])

/** Folders of `sql` that are mutated. */
export const SQL_FOLDERS = ['rules', 'mart', 'load', 'audit', 'apply', ...STATEMENTS]

/**
 * Tests that have to notice a mutant of an SQL file, the quickest first; the next ones run only where those notice nothing.
 *
 * @param readers files of tests that read this SQL file, of those of `NEAREST`
 */
export function nearestTests(path: string, readers: readonly string[]): TestRun[] {
  const [folder = ''] = path.split('/')
  if (folder === 'rules') {
    const rule = Number(basename(path).slice(0, 2))
    return [
      { files: ['test/audit/rules.test.ts'], names: `^rule ${rule},` },
      { files: ['test/audit/boards.test.ts', 'test/audit/tick.test.ts'] },
      RECORDED_WORLD,
    ]
  }
  if (folder === 'audit')
    return [
      { files: ['test/audit/boards.test.ts', 'test/audit/portion.test.ts'] },
      { files: ['test/audit/inputs.test.ts', 'test/audit/rules.test.ts'] },
      RECORDED_WORLD,
    ]
  if (folder === 'mart') return martTests(path)
  if (STATEMENTS.has(folder)) {
    const statement = path.slice(folder.length + 1, -'.sql'.length)
    return [{ files: ['test/cases/statements.test.ts'], names: `^${folder} ${statement}/` }]
  }
  const near = LOADING.filter((file) => readers.includes(file))
  return near.map((file) => ({ files: [file] }))
}

/** What all views and rules say of a whole home, and of one that is disturbed. */
const RECORDED_WORLD: TestRun = { files: ['test/recorded/recorded.test.ts'] }

/** Tests of loading, the quickest first. */
const LOADING = [
  'test/cases/load.test.ts',
  'test/load/load.test.ts',
  'test/load/lists.test.ts',
  'test/load/parse.test.ts',
  'test/cases/account.test.ts',
  'test/load/limits.test.ts',
  'test/load/repeated.test.ts',
  'test/load/stage-pages.test.ts',
  'test/load/unproven.test.ts',
  'test/import/corporate-actions.test.ts',
  'test/load/quarantine.test.ts',
  'test/load/candle-columns.test.ts',
  'test/recorded/loading.test.ts',
]

/** Tests whose reads of SQL files are recorded. */
export const RECORDED = LOADING

/** The cases of the object itself, those of objects that rest on it, and the tests of whole markets. */
function martTests(path: string): TestRun[] {
  const cases = 'test/mart/cases.test.ts'
  const name = basename(path, '.sql')
  const folders = readdirSync(join(packageRoot, 'test/cases/mart'))
  const resting = folders.filter((folder) => folder !== name && rests(folder, name))
  const markets = path.startsWith('mart/bar/')
    ? ['test/mart/bars.test.ts']
    : /^mart\/(price|materialized)\//.test(path)
      ? ['test/mart/factors.test.ts', 'test/mart/breaks.test.ts']
      : []
  return [
    ...(folders.includes(name) ? [{ files: [cases], names: `^${name} ` }] : []),
    ...(resting.length > 0 ? [{ files: [cases], names: `^(${resting.join('|')}) ` }] : []),
    { files: [...markets, 'test/mart/little.test.ts'] },
    RECORDED_WORLD,
  ]
}

function rests(folder: string, name: string): boolean {
  if (!martObjects().some((object) => object.name === folder)) return name === 'session_factor'
  return restsOn(`mart.${folder}`).has(`mart.${name}`)
}

/** Which files of tests read an SQL file, from the lists that `sql-setup.ts` wrote. */
export function readersOf(folder: string): (path: string) => string[] {
  const lists = existsSync(folder) ? readdirSync(folder) : []
  const reads = new Map(
    lists.map((list) => [
      list.replaceAll('__', '/'),
      new Set(readFileSync(join(folder, list), 'utf8').split('\n')),
    ]),
  )
  return (path) => [...reads].flatMap(([file, paths]) => (paths.has(path) ? [file] : []))
}
