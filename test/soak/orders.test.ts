import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'

/** Programs of so many commands each; the suite runs the same ones of 150. */
const COMMANDS = Number(process.env.SOAK_COMMANDS ?? 2_000)

test(`random order programs of ${COMMANDS} commands: money, shares, queue and statuses hold`, () => {
  const ran = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'packages/sandbox/test/trading/programs.test.ts'],
    {
      cwd: packageRoot,
      env: { ...process.env, CANDLEHOUSE_SOAK: String(COMMANDS) },
      encoding: 'utf8',
    },
  )
  expect([ran.status, ran.stdout.slice(-2_000)]).toEqual([0, expect.any(String)])
})
