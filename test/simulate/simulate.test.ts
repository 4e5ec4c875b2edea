import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { LONG } from '../support/long.js'

const node = promisify(execFile)

/** In short: what kills and power cuts leave; the last seed runs twice. */
const SEEDS = LONG ? { FROM: '1', SEEDS: '10000' } : { SEED: '163,4,4', TRACE: '3' }

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

const TRACE_OF_4 = /^seed 4: trace [0-9a-f]{16}$/gm

test('seeds keep every promise, as does what seeds have found before; the same seed gives the same trace', async () => {
  await node(process.execPath, [join(packageRoot, 'test/simulate/bundle.mjs')])
  const all = await simulate({ FOUND: '1', ...SEEDS })
  expect(all).toMatch(/, 0 failed, /)
  if (!LONG) expect(sameTrace(all)).toBe(true)
})

test.runIf(LONG)('the same seed gives the same trace in another process', async () => {
  const once = await simulate({ SEED: '3,4', TRACE: '3' })
  expect(sameTrace(once + (await simulate({ SEED: '4', TRACE: '3' })))).toBe(true)
})

/** Whether seed 4 was run twice, and had one trace. */
function sameTrace(said: string): boolean {
  const [first, second] = said.match(TRACE_OF_4) ?? []
  return first !== undefined && first === second
}
