import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { LONG } from '../support/long.js'

const node = promisify(execFile)

/** Seeds of `make test`; from another first seed: FROM. */
const SEEDS = LONG ? '10000' : '6'

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

test(`${SEEDS} seeds keep every promise, and so does what seeds have found before`, async () => {
  await node(process.execPath, [join(packageRoot, 'test/simulate/bundle.mjs')])
  const first = await simulate({ FROM: process.env.FROM ?? '1', SEEDS, FOUND: '1' })
  expect(first).toMatch(/, 0 failed, /)
})

test('the same seed gives the same trace', async () => {
  await node(process.execPath, [join(packageRoot, 'test/simulate/bundle.mjs')])
  const traces = [await simulate({ SEED: '3' }), await simulate({ SEED: '3' })].map(
    (out) => /trace ([0-9a-f]{16})/.exec(out)?.[1],
  )
  expect(traces[0]).toBeDefined()
  expect(traces[1]).toBe(traces[0])
})
