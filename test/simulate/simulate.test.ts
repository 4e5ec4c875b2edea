import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { LONG } from '../support/long.js'

const node = promisify(execFile)

/** In short: what a kill and what a power cut leave. */
const [FROM, SEEDS] = LONG ? ['1', '10000'] : ['3', '2']

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

test(`${SEEDS} seeds keep every promise, as does what seeds have found before; the same seed gives the same trace`, async () => {
  await node(process.execPath, [join(packageRoot, 'test/simulate/bundle.mjs')])
  const all = await simulate({ FROM, SEEDS, FOUND: '1', TRACE: LONG ? '' : '3' })
  expect(all).toMatch(/, 0 failed, /)
  if (LONG) return
  const again = await simulate({ SEED: '4', TRACE: '3' })
  const trace = /^seed 4: trace [0-9a-f]{16}$/m
  expect(trace.exec(again)?.[0]).toBe(trace.exec(all)?.[0] ?? 'no trace')
})
