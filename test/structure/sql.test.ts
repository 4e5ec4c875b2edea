import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { filesIn, SOURCE_FOLDERS } from '../support/sources.js'
import { codeOf, columnComments, longStatements, namesIn, wordsOf } from './sql.js'

/** All folders but the migrations, which are never edited. */
const FOLDERS = readdirSync(join(packageRoot, 'sql')).filter((name) => name !== 'migrations')

const WIDTH = 110

/** Lines of a statement in TypeScript: a question of a few words is easier to read where it is asked. */
const MOST_LINES_IN_CODE = 3

/** Words that say nothing of what the rows are, or that the glossary replaced. */
const REFUSED = new Set(
  `told untold said says held kept made found built standing stood judged verdict witness happened doubtful beside
  own one other each mine this`.split(/\s+/),
)

/** Those that are no name of a function or a column too. */
const KEYWORDS = new Set(
  `select from where join full cross asof semi anti on using and or not case when then else end as over between union
  all distinct having qualify group by filter exists cast try_cast insert into update delete create temp view macro
  table values with set limit is null in interval`.split(/\s+/),
)

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(packageRoot, 'sql', folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql'))
    .sort()
    .map((path) => `sql/${folder}/${path}`),
).map((path) => ({ path, text: readFileSync(join(packageRoot, path), 'utf8') }))

/** Every line that is not as it should be, with what to do. */
function linesWhere(faulty: (line: string) => boolean, step: string): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => (faulty(line) ? [`${path}:${index + 1}: ${step}`] : [])),
  )
}

test(`lines of SQL have at most ${WIDTH} characters`, () => {
  expect(linesWhere((line) => [...line].length > WIDTH, 'break the line')).toEqual([])
})

test('SQL is indented by pairs of spaces, and no line ends with a space', () => {
  expect(linesWhere((line) => /\s$|\t/.test(line), 'remove tabs and spaces at the end')).toEqual([])
  expect(linesWhere((line) => /^( {2})* (?=\S)/.test(line), 'indent by pairs of spaces')).toEqual([])
})

test('a query reads from top to bottom: WITH, one expression after another, each closed at the margin', () => {
  const isFolded = (line: string): boolean => /^\s*,|\S.*\bWITH \w+ AS \(|^\s+\), \w+ AS \(/.test(line)
  expect(linesWhere(isFolded, 'begin WITH and each expression at the margin')).toEqual([])
})

test('keywords are upper case', () => {
  const lower = files.flatMap(({ path, text }) =>
    wordsOf(text)
      .filter((word) => KEYWORDS.has(word))
      .map((word) => `${path}: write ${word.toUpperCase()} for ${word}`),
  )
  expect([...new Set(lower)]).toEqual([])
})

test('LAG and LEAD take one argument: DuckDB 2.0 drops the others when it reads views that 1.5 stored', () => {
  const further = files.filter(({ text }) => /\b(lag|lead)\([^()]*(\([^()]*\))?[^()]*,/i.test(codeOf(text)))
  // What fills a table in the warehouse is never stored as a view.
  const inViews = further.filter(({ path }) => !/^sql\/(refresh|mart\/materialized)\//.test(path))
  expect(further).not.toEqual([])
  expect(
    inViews.map(({ path }) => `${path}: give LAG and LEAD one argument, and coalesce the default`),
  ).toEqual([])
})

test('prices meet their factor by its validity: an ASOF join would sort all of them', () => {
  const sorting = files.filter(({ text }) => /\bASOF\b[^;]{0,20}mart\.adjustment_factor\b/.test(codeOf(text)))
  expect(
    sorting.map(({ path }) => `${path}: join on trading_date >= applies_from AND trading_date < ex_date`),
  ).toEqual([])
})

test('a function of a list is written lambda x: DuckDB 2.0 refuses the arrow', () => {
  const arrows = files.filter(({ text }) => /\w\)?\s*->(?!>)/.test(codeOf(text)))
  expect(arrows.map(({ path }) => `${path}: write lambda x: … for x -> …`)).toEqual([])
})

test('expressions, temp tables and aliases are named for their rows', () => {
  const refused = files.flatMap(({ path, text }) =>
    namesIn(text)
      .filter((name) => REFUSED.has(name) || /^of_/.test(name))
      .map((name) => `${path}: name ${name} for its rows`),
  )
  expect(refused).toEqual([])
})

test('what a replay runs uses nothing of schema mart: a warehouse that begins has none yet', () => {
  const loading = /^sql\/(load|apply|evidence|parse)\//
  const using = files.filter(({ path, text }) => loading.test(path) && /\bmart\./.test(codeOf(text)))
  expect(using.map(({ path }) => `${path} reads schema mart: read what its view is made of`)).toEqual([])
})

test('a subquery is not nested in a subquery: the inner one is an expression with a name', () => {
  const nested = files.filter(({ text }) =>
    /\(\s*(SELECT|FROM)[^()]*\(\s*SELECT[^()]*\(\s*SELECT/.test(codeOf(text)),
  )
  expect(nested.map(({ path }) => `${path}: name the inner subquery in WITH`)).toEqual([])
})

test('a comment that several columns of one name share is in sql/mart/columns.csv, and only there', () => {
  const own = files.flatMap(({ text }) => columnComments(text))
  const shared = readFileSync(join(packageRoot, 'sql/mart/columns.csv'), 'utf8')
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => line.replace(/^(\w+),[^,]*,"?(.*?)"?$/, '$1: $2').replaceAll('""', '"'))
  const all = [...own, ...shared]
  const repeated = all.filter((comment, index) => all.indexOf(comment) !== index)
  expect(repeated.map((comment) => `${comment}: write it once, in sql/mart/columns.csv`)).toEqual([])
})

describe('SQL in TypeScript', () => {
  test(`has at most ${MOST_LINES_IN_CODE} lines: longer statements are files of sql`, () => {
    const sources = filesIn(SOURCE_FOLDERS, '.ts')
    const long = sources.flatMap((path) => longStatements(path, MOST_LINES_IN_CODE))
    expect(long.map((statement) => `${statement}: make it a file of sql`)).toEqual([])
  })

  test.each([
    ['`SELECT 1\n  FROM a\n  JOIN b\n  WHERE c`', ['example.ts:1']],
    ['\nconst query = `INSERT INTO a\n  SELECT 1\n  FROM b\n  WHERE c`', ['example.ts:2']],
    ['`SELECT 1\n  FROM a\n  WHERE c`', []],
    ['`Select what you need:\n- a\n- b\n- c`', []],
  ])('is found: %j', (text, statements) => {
    expect(longStatements('example.ts', MOST_LINES_IN_CODE, text)).toEqual(statements)
  })
})
