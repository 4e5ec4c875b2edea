import { expect, test } from 'vitest'
import { systemEffects } from '../../src/effects.js'
import { startSandbox } from '../../src/sandbox/index.js'
import { cli, folder } from '../e2e/support/cli.js'

/** Requests that five sessions of the full market may cost: lists, members, daily windows, two walks a symbol. */
const BUDGET = 5_000

test('five sessions of the full market: within the stated requests; again: nothing changes', async () => {
  const sandbox = await startSandbox({ date: '2025-03-14', universe: 'full' }, systemEffects)
  const cwd = folder()
  const env = {
    BROKER_BASE_URL: sandbox.url,
    BROKER_API_KEY: sandbox.apiKey,
    BROKER_API_SECRET: sandbox.apiSecret,
    BROKER_MAX_RPS: '1000',
  }
  const first = await cli(['nightly', '--date', '2025-03-14', '--json'], { cwd, env })
  expect(first.code, first.stderr).toBe(0)
  expect(sandbox.requests()).toBeLessThan(BUDGET)
  const again = await cli(['nightly', '--date', '2025-03-14', '--json'], { cwd, env })
  const { datasets } = again.json<{ datasets: { dataset: string; changed: number }[] }>()
  expect(datasets.filter((each) => each.changed > 0)).toEqual([])
  await sandbox.close()
})
