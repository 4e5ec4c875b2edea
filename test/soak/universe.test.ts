import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startWithEffects } from '../../packages/sandbox/src/start.js'
import { systemEffects } from '../../src/effects.js'
import { temporaryFolder } from '../support/folder.js'
import { cli, type Ran } from '../support/program.js'
import { compareReturns } from '../trust/returns.js'

/** Requests that five sessions of the full market may cost: lists, members, daily windows, two walks a symbol. */
const BUDGET = 5_000

/** A folder to work in, against the full market on the evening of a session. */
async function fullMarket(date: string): Promise<{
  cwd: string
  requests(): number
  run(...args: string[]): Promise<Ran>
}> {
  const sandbox = await startWithEffects({ date, universe: 'full' }, systemEffects)
  onTestFinished(() => sandbox.close())
  const cwd = temporaryFolder()
  const env = {
    BROKER_BASE_URL: sandbox.url,
    BROKER_API_KEY: sandbox.apiKey,
    BROKER_API_SECRET: sandbox.apiSecret,
    BROKER_MAX_RPS: '1000',
  }
  return { cwd, requests: () => sandbox.requests(), run: async (...args) => await cli(args, { cwd, env }) }
}

test('five sessions of the full market: within the stated requests; again: nothing changes', async () => {
  const { requests, run } = await fullMarket('2025-03-14')
  const first = await run('nightly', '--date', '2025-03-14', '--json')
  expect(first.code, first.stderr).toBe(0)
  expect(requests()).toBeLessThan(BUDGET)
  const again = await run('nightly', '--date', '2025-03-14', '--json')
  const { datasets } = again.json<{ datasets: { dataset: string; changed: number }[] }>()
  expect(datasets.filter((each) => each.changed > 0)).toEqual([])
})

test('returns from adjusted prices are those against reference prices, on every session of every symbol', async () => {
  const { cwd, run } = await fullMarket('2025-06-30')
  for (const dataset of ['securitiesSummary', 'masterdata']) {
    const dates = ['--from', '2024-07-01', '--to', '2025-06-30', '--date', '2025-06-30']
    const filled = await run('backfill', dataset, ...dates)
    expect(filled.code, filled.stderr).toBe(0)
  }
  const { compared, unequal } = await compareReturns(join(cwd, 'data'))
  process.stderr.write(`${compared} returns compared\n`)
  expect(unequal).toEqual([])
  expect(compared).toBeGreaterThan(300_000)
})
