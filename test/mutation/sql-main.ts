import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import { packageRoot } from '../../src/package.js'
import { figures, readScores, readSqlScores, type SqlScore, writeReport } from './report.js'
import { mutated, mutationsOf, type SqlMutation } from './sql-mutations.js'
import { nearestTests, RECORDED, readersOf, SQL_FOLDERS, type TestRun } from './sql-nearest.js'

/**
 * `make mutate SQL=1`: a sample of the mutants of SQL, drawn by SEED, COUNT of each folder. FILES names folders or files below
 * `sql/`. Writes docs/mutation.md, and every survivor to .stryker/sql-survivors.txt.
 */
const seed = Number(process.env.SEED ?? 1)
const count = Number(process.env.COUNT ?? 40)
const wanted = (process.env.FILES ?? '').split(/\s+/).filter(Boolean)

const READS = join(packageRoot, '.stryker/reads')

interface SqlMutant extends SqlMutation {
  /** Below `sql/`. */
  readonly path: string
}

/** `invalid`: DuckDB refuses the text; nothing would be learned from it. */
type Outcome = 'killed' | 'survived' | 'invalid'

const vitest = await createVitest('test', {
  config: join(packageRoot, 'test/mutation/sql.config.ts'),
  root: packageRoot,
  watch: false,
  bail: 1,
})
try {
  await recordReads(vitest)
  const readers = readersOf(READS)
  const scores: SqlScore[] = []
  const survivors: string[] = []
  for (const folder of SQL_FOLDERS) {
    const mutants = sample(mutantsIn(folder))
    if (mutants.length === 0) continue
    const score = { folder: `sql/${folder}`, killed: 0, survived: 0, invalid: 0 }
    for (const mutant of mutants) {
      const outcome = await outcomeOf(vitest, mutant, nearestTests(mutant.path, readers(mutant.path)))
      score[outcome] += 1
      process.stderr.write(`${outcome.padEnd(8)} ${described(mutant)}\n`)
      if (outcome === 'survived') survivors.push(described(mutant))
    }
    process.stderr.write(`sql/${folder}: ${figures(score).join(', ')}\n`)
    scores.push({ ...score, seed, count, date: new Date().toISOString().slice(0, 10), commit: commitOf() })
    writeFileSync(join(packageRoot, '.stryker/sql-survivors.txt'), `${survivors.join('\n')}\n`)
  }
  const measured = new Set(scores.map(({ folder }) => folder))
  const kept = readSqlScores().filter(({ folder }) => !measured.has(folder))
  // A part of a folder is not its score.
  if (wanted.length === 0) writeReport(readScores(), [...kept, ...scores])
} finally {
  await vitest.close()
  // Vitest counts a mutant that was noticed as a failed run.
  process.exitCode = 0
}

function commitOf(): string {
  return execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim()
}

/** Which tests read which SQL files. It is recorded once: remove `.stryker/reads` where tests of loading were added. */
async function recordReads(runner: Vitest): Promise<void> {
  mkdirSync(READS, { recursive: true })
  const known = readdirSync(READS)
  const lacking = RECORDED.filter((file) => !known.includes(file.replaceAll('/', '__')))
  if (lacking.length === 0) return
  runner.provide('sqlReads', READS)
  runner.provide('sqlMutant', undefined)
  await run(runner, { files: lacking })
}

function mutantsIn(folder: string): SqlMutant[] {
  return readdirSync(join(packageRoot, 'sql', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => `${folder}/${name}`)
    .filter((path) => wanted.length === 0 || wanted.some((each) => `sql/${path}`.startsWith(each)))
    .flatMap((path) => mutationsOf(textOf(path)).map((mutation) => ({ path, ...mutation })))
}

function textOf(path: string): string {
  return readFileSync(join(packageRoot, 'sql', path), 'utf8')
}

/**
 * The first of a list that the seed shuffles. A mutant's place depends on itself alone: a larger count has the mutants of a
 * smaller one, and a change of one file changes the sample of no other file.
 */
function sample(mutants: readonly SqlMutant[]): SqlMutant[] {
  return mutants
    .map((mutant): [string, SqlMutant] => {
      const { path, kind, start, replacement } = mutant
      const text = [seed, path, kind, start, replacement].join(' ')
      return [createHash('sha256').update(text).digest('hex'), mutant]
    })
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .slice(0, count)
    .map(([, mutant]) => mutant)
}

async function outcomeOf(runner: Vitest, mutant: SqlMutant, runs: readonly TestRun[]): Promise<Outcome> {
  runner.provide('sqlReads', undefined)
  runner.provide('sqlMutant', { path: mutant.path, text: mutated(textOf(mutant.path), mutant) })
  for (const tests of runs) {
    const failure = await run(runner, tests)
    if (failure !== undefined) return /(Parser|Binder|Catalog) Error/.test(failure) ? 'invalid' : 'killed'
  }
  return 'survived'
}

/** The first failure, or undefined. */
async function run(runner: Vitest, { files, names }: TestRun): Promise<string | undefined> {
  if (names === undefined) runner.resetGlobalTestNamePattern()
  else runner.setGlobalTestNamePattern(names)
  runner.state.filesMap.clear()
  const specifications = await runner.globTestSpecifications(files.map((file) => join(packageRoot, file)))
  const { testModules, unhandledErrors } = await runner.runTestSpecifications(specifications)
  const failures = [...testModules.flatMap(failuresOf), ...unhandledErrors.map(String)]
  return failures[0]
}

function failuresOf(module: TestModule): string[] {
  const failed = [...module.children.allTests('failed')].flatMap((test) => test.result().errors ?? [])
  const errors = [...module.errors(), ...failed].map(({ message }) => message)
  return errors.length === 0 && module.state() === 'failed' ? ['failed'] : errors
}

/** The line and both texts of a mutant, as survivors are listed. */
function described({ path, kind, start, end, replacement }: SqlMutant): string {
  const text = textOf(path)
  const line = text.slice(0, start).split('\n').length
  const was = text.slice(start, end).replaceAll(/\s+/g, ' ')
  const context = text.split('\n')[line - 1]?.trim() ?? ''
  return `sql/${path}:${line} ${kind}: ${was} => ${replacement.replaceAll(/\s+/g, ' ')} in ${context}`
}
