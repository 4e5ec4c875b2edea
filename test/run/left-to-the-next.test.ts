import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { expect, test } from 'vitest'
import { nightly } from '../../jobs/nightly.js'
import { tableHashes } from '../../src/read/hash.js'
import { nightlyGoal } from '../../src/run/jobs/goals.js'
import { runJob } from '../../src/run/verbs/job.js'
import { resolveSettings } from '../../src/settings/index.js'
import { eveningClock, service, sessionOf } from '../e2e/proportion/support/world.js'
import { towards } from '../e2e/support/cli.js'
import { temporaryFolder } from '../support/folder.js'
import { ask } from '../support/published.js'

const NIGHTS = [1, 2] as const

/** Home after two nights, the first of which checks and publishes, or leaves both to the second. */
async function homeOf(firstPublish: boolean): Promise<string> {
  const home = temporaryFolder()
  const standIn = await service(1)
  for (const night of NIGHTS) {
    standIn.turn(night)
    const [tradingDate, publishes] = [sessionOf(night), firstPublish || night === NIGHTS.length]
    const environment = { ...towards(standIn), CANDLEHOUSE_LAKE_MARTS: 'none' }
    const { settings } = resolveSettings({ flags: { CANDLEHOUSE_HOME: home }, environment, folder: home })
    const goals = [nightlyGoal(nightly, { tradingDate, sessions: 1, symbols: undefined }, loadCalendar())]
    const { exitCode } = await runJob(
      settings,
      { name: 'nightly', tradingDate, goals, accounts: 'none', publishes },
      {
        effects: eveningClock(tradingDate),
        signal: new AbortController().signal,
        progress: { phase() {}, advance() {}, done() {} },
      },
    )
    expect(exitCode).toBe(0)
  }
  return home
}

test('what runs left to the next one is checked and published as if they had done it themselves', async () => {
  const [each, last] = [await homeOf(true), await homeOf(false)]
  const { 'ops.publication': both, ...expected } = await tableHashes(each)
  const { 'ops.publication': one, ...tables } = await tableHashes(last)
  expect(tables).toEqual(expected)
  expect([both, one].map((hash) => hash?.split('-')[0])).toEqual(['2', '1'])
  const checked = `SELECT rule, trading_date, state FROM recon.finding ORDER BY ALL`
  expect(await ask(last, checked)).toEqual(await ask(each, checked))
})
