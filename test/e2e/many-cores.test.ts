import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildMarket, defaultSymbols, startStandIn } from '../standin/index.js'
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'
import { start, towards } from './support/cli.js'
import { hashes } from './support/hashes.js'
import { HELD } from './support/nights.js'

const MANY_CORES = ['--import', join(import.meta.dirname, 'support/many-cores.mjs')]

/** Every thread of DuckDB has memory of its own, which counts against the limit of the writer. */
test('a night with accounts, a replay and a check run on a machine of sixteen cores', async () => {
  const day = '2025-03-14'
  const symbols = defaultSymbols().filter(({ symbol }) => HELD.includes(symbol))
  const standIn = await startStandIn({ market: buildMarket({ sessions: [day], symbols }), today: day })
  onEnd(() => standIn.close())
  const cwd = temporaryFolder()
  const run = async (...args: string[]): Promise<[number | null, string]> => {
    const env = towards(standIn, { BROKER_OTP: standIn.otp })
    const { code, stderr } = await start(args, { cwd, env, node: MANY_CORES }).ended
    return [code, stderr]
  }
  const done = [0, expect.any(String)]
  expect(await run('nightly', '--date', day, '--sessions', '1', '--quiet')).toEqual(done)
  const before = await hashes(cwd)
  for (const verb of ['replay', 'publish', 'check']) expect([verb, await run(verb)]).toEqual([verb, done])
  expect(await hashes(cwd)).toEqual(before)
})
