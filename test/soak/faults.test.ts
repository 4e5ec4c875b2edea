import { expect, test } from 'vitest'
import { towards } from '../e2e/support/cli.js'
import { hashes } from '../e2e/support/hashes.js'
import { seeded } from '../e2e/support/seeded.js'
import { buildMarket, type Fault, startStandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { cli } from '../support/program.js'

const SEED = Number(process.env.SOAK_SEED ?? 20_250_314)
const SCHEDULES = Number(process.env.SOAK_SCHEDULES ?? 100)
const SESSIONS = ['2025-03-13', '2025-03-14']
const ARGS = ['nightly', '--date', '2025-03-14', '--sessions', '2']

const PATHS = [
  '/ohlc',
  '/securitiesSummary',
  '/masterdata',
  '/indexSummary',
  '/securitiesByBoard',
  '/indexList',
]
const KINDS = [
  { kind: 'reset' },
  { kind: 'truncate' },
  { kind: 'badGzip', how: 'crc' },
  { kind: 'html502' },
  { kind: 'null' },
  { kind: 'emptyBody' },
  { kind: '429', retryAfter: 0 },
  { kind: 'short' },
] as const

/** T4: whatever a night met, the nights after it, on a service that has recovered, end in the same tables. */
test(`${SCHEDULES} random schedules of faults (seed ${SEED}): the same tables`, async () => {
  const market = () => buildMarket({ sessions: SESSIONS })
  const calm = await startStandIn({ market: market() })
  const reference = temporaryFolder()
  await cli(ARGS, { cwd: reference, env: towards(calm) })
  const expected = tables(await hashes(reference))
  await calm.close()
  const random = seeded(SEED)
  for (let schedule = 0; schedule < SCHEDULES; schedule++) {
    const faults = Array.from({ length: 1 + Math.floor(random() * 5) }, (): Fault => {
      const path = PATHS[Math.floor(random() * PATHS.length)] ?? '/ohlc'
      const kind = KINDS[Math.floor(random() * KINDS.length)] ?? KINDS[0]
      return { ...kind, match: { path, nth: 1 + Math.floor(random() * 4) } }
    })
    const said = `schedule ${schedule}: ${JSON.stringify(faults)}`
    const standIn = await startStandIn({ market: market(), faults, pageCap: 5 + Math.floor(random() * 20) })
    const cwd = temporaryFolder()
    const first = await cli(ARGS, { cwd, env: towards(standIn) })
    expect([0, 4], `${said}\n${first.stderr}`).toContain(first.code)
    standIn.setOptions({ faults: [] })
    const second = await cli(ARGS, { cwd, env: towards(standIn) })
    expect(second.code, `${said}\n${second.stderr}`).toBe(0)
    expect(tables(await hashes(cwd)), said).toEqual(expected)
    await standIn.close()
  }
})

/** How often something was asked differs; what is held does not. */
function tables({ 'ops.request': _, ...rest }: Record<string, string>): Record<string, string> {
  return rest
}
