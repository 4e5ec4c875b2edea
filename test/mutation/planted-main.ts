import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { packageRoot } from '../../src/package.js'
import { described, drawBugs, type PlantedBug, planted } from './planted-bugs.js'
import { readPlanted, readScores, writePlanted, writeReport } from './report.js'

/**
 * `make mutate BUGS=60 SEED=27`: plants bugs, one at a time, in a copy of the tree, and runs the checks of `make test` that are
 * nearest, the quickest first; what is known of a bug is not tried again. TOGETHER=1 plants those that nothing noticed at once:
 * `make test` in `.stryker/planted` then says what the rest of the suite notices. Writes test/mutation/planted.json and
 * docs/mutation.md.
 */
const seed = Number(process.env.SEED ?? 27)
const count = Number(process.env.BUGS ?? 60)

const copy = join(packageRoot, '.stryker/planted')

/** Commands of one check: Vitest's arguments, or those of npm. */
type Check = readonly [command: 'npm' | 'vitest', ...args: string[]]

const STATEMENTS = 'test/cases/statements.test.ts'

/** Tests of a folder of `src` or `sql` that has another name, or more than one. */
const TESTS: Readonly<Record<string, readonly string[]>> = {
  'sql/account': ['test/cases', 'test/load'],
  'sql/audit': ['test/audit'],
  'sql/night': [STATEMENTS, 'test/night'],
  'sql/console': [STATEMENTS, 'test/console'],
  'sql/evidence': ['test/load', 'test/e2e/proportion/evidence.test.ts'],
  'sql/load': ['test/cases', 'test/load'],
  'sql/metrics': [STATEMENTS, 'test/metrics'],
  'sql/read': [STATEMENTS, 'test/read'],
  'sql/report': [STATEMENTS, 'test/report'],
  'sql/mart': [
    'test/mart/cases.test.ts',
    'test/mart',
    'test/recorded',
    'test/audit/rules.test.ts',
    'test/read/known.test.ts',
    'test/rulebook',
  ],
  'sql/migrations': ['test/warehouse', 'test/e2e/start.test.ts'],
  'sql/recon': ['test/audit', 'test/publish'],
  'sql/refresh': ['test/mart', 'test/publish'],
  'packages/client/src': ['packages/client/test', 'test/contract'],
  'src/cli': ['test/cli', 'test/e2e/program.test.ts', 'test/e2e/readme.test.ts'],
  'src/console': ['test/console', 'test/browser'],
  'src/report': ['test/report', 'test/e2e/report.test.ts'],
  'packages/sandbox/src': ['packages/sandbox/test', 'test/contract', 'test/e2e/trade.test.ts'],
}

/** Nights that reach most of the program. */
const NIGHTS = ['nightly', 'proportion/one-window'].map((name) => `test/e2e/${name}.test.ts`)

function checksOf({ file }: PlantedBug): Check[] {
  const folder = file.split('/').slice(0, 2).join('/')
  const all = TESTS[folder] ?? [`test/${basename(folder, '.ts')}`]
  const near = all.filter((path) => existsSync(join(packageRoot, path)))
  const rule = /^sql\/rules\/(\d+)/.exec(file)?.[1]
  const run = (...args: string[]): Check => ['vitest', 'run', '--bail=1', ...args]
  return [
    ...(file.endsWith('.ts') ? ([['npm', 'run', '--silent', 'types']] satisfies Check[]) : []),
    ...(file.endsWith('.ts') ? [run('--project=pure')] : []),
    ...(rule ? [run('test/audit/rules.test.ts', '-t', `^rule ${Number(rule)},`)] : []),
    ...near.map((path) => run('--project=duckdb', '--project=program', '--passWithNoTests', path)),
    ...NIGHTS.map((path) => run('--project=program', path)),
  ]
}

/** The copy has the files that are committed or changed, and the modules of this tree. */
function copyTree(): void {
  if (existsSync(copy)) return
  mkdirSync(copy, { recursive: true })
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: packageRoot,
    encoding: 'utf8',
  })
  for (const name of listed.split('\0').filter(Boolean)) {
    if (!existsSync(join(packageRoot, name))) continue
    mkdirSync(dirname(join(copy, name)), { recursive: true })
    cpSync(join(packageRoot, name), join(copy, name))
  }
  symlinkSync(join(packageRoot, 'node_modules'), join(copy, 'node_modules'))
  cpSync(join(packageRoot, 'dist'), join(copy, 'dist'), { recursive: true })
}

function noticedBy(bug: PlantedBug): string | null {
  for (const [command, ...args] of checksOf(bug)) {
    const { status, stdout } = spawnSync('npx', command === 'npm' ? ['npm', ...args] : [command, ...args], {
      cwd: copy,
      encoding: 'utf8',
      // A bug that hangs is noticed by its test's time limit.
      timeout: 900_000,
      maxBuffer: 2 ** 28,
      env: { ...process.env, NO_COLOR: '1', TMPDIR: '/dev/shm' },
    })
    if (status !== 0)
      return /^ *FAIL +(.*)$/m.exec(stdout)?.[1]?.replace(/^\S+ +/, '') ?? args.at(-1) ?? command
  }
  return null
}

copyTree()
const bugs = await drawBugs(seed, count)
const results = readPlanted()
for (const bug of bugs) {
  const name = described(bug)
  if (results.some((known) => known.bug === name)) continue
  writeFileSync(join(copy, bug.file), planted(bug))
  const by = noticedBy(bug)
  cpSync(join(packageRoot, bug.file), join(copy, bug.file))
  results.push({ bug: name, seed, by })
  writePlanted(results)
  writeReport(readScores())
  process.stderr.write(`${by ? 'noticed ' : 'SURVIVED'} ${name} | ${by ?? ''}\n`)
}
const unnoticed = bugs.filter((bug) => results.some(({ bug: name, by }) => name === described(bug) && !by))
process.stderr.write(`${bugs.length - unnoticed.length} of ${bugs.length} noticed\n`)
if (process.env.TOGETHER) for (const bug of unnoticed) writeFileSync(join(copy, bug.file), planted(bug))
