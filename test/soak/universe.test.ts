import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemEffects } from '../../src/effects.js'
import { startSandbox } from '../../src/sandbox/index.js'
import { cli, folder } from '../e2e/support/cli.js'
import { compareReturns } from '../trust/returns.js'

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

test('returns from adjusted prices are those against reference prices, on every session of every symbol', async () => {
  const sandbox = await startSandbox({ date: '2025-06-30', universe: 'full' }, systemEffects)
  const cwd = folder()
  const env = {
    BROKER_BASE_URL: sandbox.url,
    BROKER_API_KEY: sandbox.apiKey,
    BROKER_API_SECRET: sandbox.apiSecret,
    BROKER_MAX_RPS: '1000',
  }
  for (const dataset of ['securitiesSummary', 'masterdata']) {
    const dates = ['--from', '2024-07-01', '--to', '2025-06-30', '--date', '2025-06-30']
    const filled = await cli(['backfill', dataset, ...dates], { cwd, env })
    expect(filled.code, filled.stderr).toBe(0)
  }
  const { compared, unequal } = await compareReturns(join(cwd, 'data'))
  process.stderr.write(`${compared} returns compared\n`)
  expect(unequal).toEqual([])
  expect(compared).toBeGreaterThan(300_000)
  await sandbox.close()
})
