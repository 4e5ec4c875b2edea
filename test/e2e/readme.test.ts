import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'
import { buildMarket, defaultSymbols, startStandIn } from '../standin/index.js'
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { type At, cli, type Ran } from '../support/program.js'
import { ask } from '../support/published.js'
import { start, towards } from './support/cli.js'
import { words } from './support/words.js'

/** Verbs that read what is published, or print: the same in this process as in one of their own. */
const READING = new Set([
  'sql',
  'export',
  'status',
  'trace',
  'check',
  'lake',
  'attach',
  'ddl',
  'config',
  'plan',
  'schedule',
  'sandbox',
  'console',
  'completion',
])

/** Commands that ask for a year, or rebuild what a year was asked for: which tests of `make test` run them on little. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'candlehouse backfill ohlc --symbols FPT': 'test/e2e/program.test.ts; its plan is among these commands',
  'candlehouse backfill masterdata --symbols FPT': 'test/e2e/backfill.test.ts, with all datasets',
  'candlehouse replay': 'test/e2e/raw.test.ts',
  'candlehouse replay --without-missing': 'test/e2e/lost-pages.test.ts',
}

type Runs = (args: string[]) => Promise<Ran>

const readme = readFileSync(join(packageRoot, 'README.md'), 'utf8')

const page = (path: string): string => readFileSync(join(packageRoot, path), 'utf8')

const operating = page('docs/operating.md')

const docs = [
  operating,
  page('docs/files.md'),
  page('packages/sandbox/README.md'),
  ...['scale-out', 'monitoring', 'clients'].map((name) => page(`docs/${name}.md`)),
]

const commands = [...[readme, ...docs].join('\n').matchAll(/```sh\n([\s\S]*?)```/g)]
  .flatMap(([, block = '']) => block.trim().split('\n'))
  .filter(Boolean)
  // What two pages show alike is run once.
  .filter((command, at, all) => all.indexOf(command) === at || /publish|nightly/.test(command))

test('what is run elsewhere is a command of a page', () => {
  expect(commands).toEqual(expect.arrayContaining(Object.keys(ELSEWHERE)))
})

test('every command of the README and of docs that tell some runs, in its order, on a fresh machine', async () => {
  const makefile = readFileSync(join(packageRoot, 'Makefile'), 'utf8')
  const run = LONG ? embedded() : await towardsSmallMarket()
  // Analysts come after the first nightly, whatever the order of the tours.
  for (const command of commands) {
    const [program, ...args] = words(command)
    if (!LONG && command in ELSEWHERE) continue
    if (program === 'make') {
      expect(makefile, command).toMatch(new RegExp(`^${args[0]}:.*##`, 'm'))
      continue
    }
    expect(program, command).toBe('candlehouse')
    const ran = await run(args)
    if (args[0] === 'sandbox') expect(ran.json()).toHaveProperty('apiKey')
    else expect(ran.code, `${command}\n${ran.stderr}`).toBe(0)
  }
})

/** The built program and its embedded service, whose market takes a minute of computing. A first night on it: `test/packages`. */
function embedded(): Runs {
  const cwd = temporaryFolder()
  return async (args) =>
    READING.has(args[0] ?? '') ? await inProcess(args, { cwd }) : await start(args, { cwd }).ended
}

/** Symbols that the README names, and those that the accounts hold. */
const SYMBOLS = ['FPT', 'HPG', 'PVS', '41I1F4000']

/** The same commands on a small market of three sessions; one of them is old enough for `raw pack` of the README. */
async function towardsSmallMarket(): Promise<Runs> {
  const now = (): number => Date.parse('2025-03-14T12:00:00Z')
  const sessions = ['2025-02-28', '2025-03-13', '2025-03-14']
  const symbols = defaultSymbols().filter(({ symbol }) => SYMBOLS.includes(symbol))
  const standIn = await startStandIn({ market: buildMarket({ sessions, symbols }), now })
  onEnd(() => standIn.close())
  // The Date of its answers is the machine's, which is not the time of the market.
  const machine = { serverDate: async () => new Date(now()).toUTCString(), freeBytes: () => 100e9 }
  const at = { cwd: temporaryFolder(), env: towards(standIn, { BROKER_OTP: standIn.otp }), machine }
  return async (args) => {
    const [verb, statement, ...more] = args
    if (verb === 'sql' && statement && !statement.startsWith('--') && more.length === 0)
      return await asked(statement, at.cwd)
    return await inProcess(args, { ...at, effects: { ...systemEffects, now } })
  }
}

/** A statement without a flag, asked of the catalog that is open already: each opening takes longer than all statements. */
async function asked(statement: string, cwd: string): Promise<Ran> {
  await ask(join(cwd, 'data'), statement)
  return { code: 0, signal: null, stdout: '', stderr: '', json: () => JSON.parse('') }
}

/** What serves until Ctrl-C is stopped as soon as it listens, on any free port. */
async function inProcess(args: string[], at: At): Promise<Ran> {
  if (!['sandbox', 'console'].includes(args[0] ?? '')) return await cli(args, at)
  const anyPort = args.map((each, index) => (args[index - 1] === '--port' ? '0' : each))
  return await cli(anyPort, { ...at, signal: AbortSignal.abort() })
}

test('the README or the page for operators names every verb', async () => {
  const help = await cli(['--help'], { cwd: temporaryFolder() })
  const verbs = [...help.stdout.matchAll(/^ {2}(\w+) (\[|<| )/gm)]
    .map(([, verb]) => verb)
    .filter((verb) => verb !== 'help')
  expect(verbs.length).toBeGreaterThan(8)
  for (const verb of verbs) expect(readme + operating).toMatch(new RegExp(`candlehouse ${verb}\\b`))
})
