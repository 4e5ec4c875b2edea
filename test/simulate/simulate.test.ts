import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { LONG } from '../support/long.js'
import { MANY_SEEDS, SOMETIMES } from './situations.js'

const node = promisify(execFile)

const COUNT = Number(process.env.SIMULATE_SEEDS ?? MANY_SEEDS)
/** Each part is a test of its own: what a time limit cuts off is one part. */
const PART = Math.min(COUNT, 100)

async function simulate(settings: Record<string, string>): Promise<string> {
  const { PATH, HOME, TMPDIR, MALLOC_TOP_PAD_, MALLOC_TRIM_THRESHOLD_, MALLOC_MMAP_THRESHOLD_ } = process.env
  const malloc = { MALLOC_TOP_PAD_, MALLOC_TRIM_THRESHOLD_, MALLOC_MMAP_THRESHOLD_ }
  const env = { PATH, HOME, TMPDIR, ...malloc, SLURM_CPUS_ON_NODE: '1', ...settings }
  const program = join(packageRoot, 'test/simulate/.program/main.js')
  const { stdout } = await node(process.execPath, ['--enable-source-maps', program], { env }).catch(
    (error: { stdout: string; stderr: string }) => ({ stdout: error.stdout + error.stderr }),
  )
  return stdout
}

const bundled = node(process.execPath, [join(packageRoot, 'test/simulate/bundle.mjs')])

/** In short: what a power cut leaves, a bucket that fails and a value that cannot be true. In `make soak` the seed runs twice, and what seeds have found runs too. */
test(`a seed keeps every promise${LONG ? ', as does what seeds have found before; the same seed gives the same trace' : ''}`, async () => {
  await bundled
  const all = await simulate({ FOUND: LONG ? 'all' : '', SEED: LONG ? '3494,3494' : '3494', TRACE: '3' })
  expect(all).toMatch(/, 0 failed, /)
  if (LONG) expect(sameTrace(all)).toBe(true)
})

/** Whether seed 3494 was run twice, and had one trace. */
function sameTrace(said: string): boolean {
  const [first, second] = said.match(/^seed 3494: trace [0-9a-f]{16}$/gm) ?? []
  return first !== undefined && first === second
}

test.runIf(LONG)('the same seed gives the same trace in another process', async () => {
  await bundled
  const once = await simulate({ SEED: '3,3494', TRACE: '3' })
  expect(sameTrace(once + (await simulate({ SEED: '3494', TRACE: '3' })))).toBe(true)
})

const reached = new Set<string>()

for (let from = 1; LONG && from <= COUNT; from += PART) {
  test(`${PART} seeds from ${from} keep every promise`, async () => {
    await bundled
    const all = await simulate({ FROM: String(from), SEEDS: String(PART) })
    for (const [, name = ''] of all.matchAll(/^ *\d+ (.*)$/gm)) reached.add(name)
    expect(all).toMatch(/, 0 failed, /)
  })
}

test.runIf(LONG && COUNT >= MANY_SEEDS)('every situation was reached', () => {
  expect(SOMETIMES.filter((name) => !reached.has(name))).toEqual([])
})
