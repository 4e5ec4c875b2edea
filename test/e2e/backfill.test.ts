import { addDays, weekday } from 'candlehouse-foundation/market/day'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildMarket, DELISTED, type StandIn, startStandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli } from '../support/program.js'
import { start, towards } from './support/cli.js'
import { hashes } from './support/hashes.js'
import { expectTruth } from './support/truth.js'

/** Four weeks of sessions across a month end, without a holiday among them. */
const SESSIONS = Array.from({ length: 26 }, (_, index) => addDays('2025-02-24', index)).filter(
  (day) => weekday(day) !== 0 && weekday(day) !== 6,
)
const LAST = SESSIONS.at(-1) ?? ''
const FILL = ['backfill', 'all', '--from', SESSIONS[0] ?? '', '--to', LAST, '--date', LAST]

let standIn: StandIn
beforeAll(async () => {
  standIn = await startStandIn({ market: buildMarket({ sessions: SESSIONS }) })
})
afterAll(async () => await standIn.close())

test('history is filled to the last digit, delisted symbols included, in few requests', async () => {
  const cwd = temporaryFolder()
  const before = standIn.requests.length
  const ran = await cli(FILL, { cwd, env: towards(standIn) })
  expect(ran.code, ran.stderr).toBe(0)
  await expectTruth(standIn, cwd, { sessions: SESSIONS })
  const asked = standIn.requests.slice(before)
  const candles = asked.filter((request) => request.path.endsWith('/ohlc'))
  expect(candles.some(({ query }) => query.symbol === DELISTED)).toBe(true)
  // 66 sessions of minute bars at the most in one walk; daily bars are those of the summaries.
  expect(candles.filter(({ query }) => query.timeFrame !== '1m')).toEqual([])
  expect(candles.length).toBeLessThanOrEqual(12 * 8)
  expect(asked.filter((request) => request.path.endsWith('/masterdata')).length).toBe(2)

  const again = await cli(['plan', ...FILL, '--json'], { cwd, env: towards(standIn) })
  const { stages } = again.json<{ stages: { requests: { dataset: string }[] }[] }>()
  const repeated = stages.flatMap(({ requests }) => requests.map(({ dataset }) => dataset))
  // Lists are of their moment.
  expect(repeated.filter((dataset) => !['securities', 'indexes', 'indexMembers'].includes(dataset))).toEqual(
    [],
  )
  filled = await hashes(cwd)
})

/** Hashes of a backfill that nothing stopped. */
let filled: Record<string, string> = {}

// In short: nights that signals stop, test/e2e/program.test.ts.
test.runIf(LONG)(
  'stopped anywhere it resumes where it stopped: closed page walks are not requested again',
  async () => {
    const cwd = temporaryFolder()
    const before = standIn.requests.length
    const running = start(FILL, { cwd, env: towards(standIn) })
    standIn.onRequest = (ordinal) => {
      if (ordinal === before + 60) running.child.kill('SIGINT')
    }
    expect((await running.ended).code).toBe(130)
    standIn.onRequest = undefined
    expect((await cli(FILL, { cwd, env: towards(standIn) })).code).toBe(0)
    const { 'ops.request': _, ...expected } = filled
    expect(await hashes(cwd)).toMatchObject(expected)
    const questions = standIn.requests
      .slice(before)
      .filter(({ path }) => /indexSummary|ohlc/.test(path))
      .map(({ path, query }) => JSON.stringify([path, query]))
    // Walks in hand when it stopped, at most one a worker.
    expect(questions.length - new Set(questions).size).toBeLessThanOrEqual(8)
  },
)
