import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NIGHTS } from '../e2e/proportion/support/world.js'
import { FOUND as found } from './found.js'
import { type Plan, planOf } from './plan.js'
import { runPlan } from './run-plan.js'
import { shrink } from './shrink.js'
import { MANY_SEEDS, SOMETIMES, situations, unreached } from './situations.js'
import { Undisturbed } from './undisturbed.js'

// make simulate FROM=1 SEEDS=50, SEED=7 TRACE=1, SEED=7,9, PLAN='{…}', SEEDS=2000 LIKE='power cut' MOST=10

const { FROM, SEEDS, SEED, TRACE, PLAN, FOUND, FIRST_FAILURE, LIKE, MOST, UNDISTURBED } = process.env
// It stands in files that a power cut shortens: its length would decide what is left. No process can have this one.
Object.defineProperty(process, 'pid', { value: 4_194_305 })
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const folder = mkdtempSync(join(tmpdir(), 'candlehouse-simulate-'))
// UNDISTURBED: a folder in which undisturbed homes are kept, for another program that compares with them.
const homes = { true: new Undisturbed(true, UNDISTURBED), false: new Undisturbed(false, UNDISTURBED) }
const all: string[] = []
let failed = 0

async function run(plan: Plan): Promise<readonly string[]> {
  const undisturbed = homes[`${plan.accounts}`]
  await undisturbed.makeUpTo(Math.min(NIGHTS, plan.before + plan.nights.length + 1))
  const root = join(folder, String(plan.seed))
  const failures = await runPlan(plan, undisturbed, root, (line) => {
    all.push(line)
    if (TRACE === '1' || (TRACE === '2' && /^night|^\$|^exit|is (gone|cut|flipped)/.test(line))) say(line)
  })
  rmSync(root, { recursive: true, force: true })
  return failures
}

/** What failed, without the figures: a smaller plan must fail in the same way. */
function kindOf(failures: readonly string[]): string {
  // The first line of several is an exit code; a plan that keeps every promise fails in no way at all.
  const shown = failures.length > 1 ? failures.slice(1, 3) : failures
  return shown
    .join(' ')
    .replace(/^.*?\]: /, '')
    .replaceAll(/[\d.:-]+/g, '#')
    .slice(0, 60)
}

const hashOf = (lines: readonly string[]): string =>
  createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)

async function report(plan: Plan, what = `seed ${plan.seed}`): Promise<void> {
  if (TRACE === '2') say(JSON.stringify(plan))
  const first = all.length
  const failures = await run(plan)
  if (TRACE === '3') say(`${what}: trace ${hashOf(all.slice(first))}`)
  if (failures.length === 0) return
  failed++
  say(`${what} fails:\n${failures.join('\n')}`)
  if (PLAN === undefined && TRACE !== '1' && FIRST_FAILURE !== '1') {
    const kind = kindOf(failures)
    const least = await shrink(plan, async (smaller) => kindOf(await run(smaller)) === kind)
    say(`the least that fails: make simulate PLAN='${JSON.stringify(least)}'\n`)
  }
}

if (UNDISTURBED) for (const each of Object.values(homes)) await each.makeUpTo(NIGHTS)
const began = process.cpuUsage()
const drawn = SEED
  ? SEED.split(',').map(Number)
  : Array.from({ length: Number(SEEDS ?? 50) }, (_, index) => Number(FROM ?? 1) + index)
const isLike = (seed: number): boolean =>
  LIKE === undefined || new RegExp(LIKE).test(JSON.stringify(planOf(seed)))
const seeds = drawn.filter(isLike).slice(0, MOST === undefined ? undefined : Number(MOST))
if (PLAN !== undefined) await report(JSON.parse(PLAN) as Plan)
else {
  for (const { plan, what, near } of found)
    if (FOUND === 'all' || (FOUND === '1' && near === undefined)) await report({ seed: 0, ...plan }, what)
  for (const seed of seeds) if (!(FIRST_FAILURE === '1' && failed > 0)) await report(planOf(seed))
}
const { user, system } = process.cpuUsage(began)
for (const [name, times] of situations()) say(`${String(times).padStart(6)} ${name}`)
const hash = hashOf(all)
say(
  `${PLAN ? 1 : seeds.length} seeds, ${failed} failed, trace ${hash}, ${Math.round((user + system) / 1e6)} CPU-s`,
)
for (const each of Object.values(homes)) each.remove()
rmSync(folder, { recursive: true, force: true })
const missing = unreached()
say(`${SOMETIMES.length - missing.length} of ${SOMETIMES.length} situations reached`)
// Few seeds reach few of them.
if (missing.length > 0 && seeds.length >= MANY_SEEDS) say(`never reached: ${missing.join('; ')}`)
process.exitCode = failed > 0 || (missing.length > 0 && seeds.length >= MANY_SEEDS) ? 1 : 0
