import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { packageRoot } from '../../src/package.js'
import { type FileScore, readFloors, readScores, shortfalls, writeFloors, writeReport } from './report.js'
import { filesOf, SCOPES, type Scope } from './scopes.js'

/**
 * `make mutate`: mutants of everything that runs without DuckDB. Writes docs/mutation.md, fails where a file is below its
 * floor. FILES names files or folders, SCOPES the scopes; RAISE=1 raises the floors to the scores of this run.
 */
const files = (process.env.FILES ?? '').split(/\s+/).filter(Boolean)
const names = (process.env.SCOPES ?? '').split(/\s+/).filter(Boolean)

/** Files that the tests of a scope read are copied with the sources; homes and pictures are not. */
const NOT_COPIED = [
  'data/*',
  '!data/reference',
  '/dist',
  '/docs/images',
  '/examples',
  '/.stryker',
  '/coverage',
]

const NOTICED = ['Killed', 'Timeout']
const UNNOTICED = ['Survived', 'NoCoverage']

/** Survivors are tried again: Stryker does not see that a new test covers a constant of a module. */
function forgetSurvivors(incrementalFile: string): void {
  if (!existsSync(incrementalFile)) return
  const former = JSON.parse(readFileSync(incrementalFile, 'utf8')) as {
    files: Record<string, { mutants: { status: string }[] }>
  }
  for (const file of Object.values(former.files))
    file.mutants = file.mutants.filter(({ status }) => !UNNOTICED.includes(status))
  writeFileSync(incrementalFile, JSON.stringify(former))
}

async function scoreScope(scope: Scope, wanted: readonly string[]): Promise<FileScore[]> {
  // Workers of Stryker inherit it: `vitest.config.ts` reads it there.
  process.env.MUTATION_TESTS = scope.tests.join(' ')
  const incrementalFile = `.stryker/${scope.name}.incremental.json`
  forgetSurvivors(incrementalFile)
  const results = await new Stryker({
    mutate: [...wanted],
    testRunner: 'vitest',
    plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: true },
    coverageAnalysis: 'perTest',
    incremental: true,
    incrementalFile,
    tempDirName: '.stryker/sandbox',
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: `.stryker/${scope.name}.json` },
    concurrency: 2,
    warnings: { unknownOptions: true, preprocessorErrors: true, unserializableOptions: true, slow: false },
    ignorePatterns: NOT_COPIED,
    timeoutMS: 2000,
    timeoutFactor: 2,
  }).runMutationTest()
  const scores = new Map<string, { killed: number; survived: number }>()
  for (const { fileName, status } of results) {
    const file = relative(packageRoot, fileName)
    const score = scores.get(file) ?? { killed: 0, survived: 0 }
    scores.set(file, score)
    if (NOTICED.includes(status)) score.killed += 1
    if (UNNOTICED.includes(status)) score.survived += 1
  }
  return [...scores].map(([file, score]) => ({ file, ...score, ...NOW }))
}

const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim()
const NOW = { date: new Date().toISOString().slice(0, 10), commit }

/** Files of a scope that were asked for; all of its files if none were. */
function wantedOf(scope: Scope): string[] {
  const all = filesOf(scope)
  return files.length === 0 ? all : all.filter((file) => files.some((wanted) => file.startsWith(wanted)))
}

const fresh: FileScore[] = []
for (const scope of SCOPES) {
  const wanted = wantedOf(scope)
  if (wanted.length === 0 || (names.length > 0 && !names.includes(scope.name))) continue
  fresh.push(...(await scoreScope(scope, wanted)))
  // After each scope: a run of all takes hours, and the next one begins with what is known.
  writeReport(withFresh())
}

/** All scores: those of this run, and for other files the former ones. */
function withFresh(): FileScore[] {
  const measured = new Set(fresh.map(({ file }) => file))
  const kept = readScores().filter(({ file }) => !measured.has(file) && existsSync(join(packageRoot, file)))
  return [...kept, ...fresh].sort((left, right) => (left.file < right.file ? -1 : 1))
}

if (process.env.RAISE === '1') writeFloors(fresh)
const below = shortfalls(fresh, readFloors())
for (const line of below) process.stderr.write(`${line}\n`)
if (below.length > 0) process.exitCode = 1
