import { join } from 'node:path'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { describe, expect, test } from 'vitest'
import { nightly } from '../../jobs/nightly.js'
import { openDatabase } from '../../src/duckdb/open.js'
import { nightlyGoal } from '../../src/run/jobs/goals.js'
import type { RunIo } from '../../src/run/lifecycle/run-io.js'
import { runJob } from '../../src/run/verbs/job.js'
import { resolveSettings } from '../../src/settings/index.js'
import { onEnd } from '../support/cleanup.js'
import { fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'
import { asked, toy } from './toy.js'

const NIGHT = '2025-06-30'

describe('a source that is not the brokerage', () => {
  test('has a night: planned, fetched, landed, loaded, checked, published', async () => {
    const home = temporaryFolder()
    const { settings } = resolveSettings({
      flags: { CANDLEHOUSE_HOME: home, BROKER_BASE_URL: 'http://toy.invalid' },
      environment: {},
      folder: home,
    })
    const io: RunIo = {
      effects: fakeEffects(Date.parse('2025-06-30T12:00:00Z')),
      signal: new AbortController().signal,
      progress: { phase() {}, advance() {}, done() {} },
      source: toy,
    }
    const goal = nightlyGoal(nightly, { tradingDate: NIGHT, sessions: 3, symbols: undefined }, loadCalendar())
    const spec = { name: 'nightly', tradingDate: NIGHT, goals: [goal], accounts: 'none' } as const
    const summary = await runJob(settings, spec, io)
    expect(summary).toMatchObject({ outcome: 'complete', exitCode: 0, checks: { break: 0 } })
    expect(asked).toEqual([
      ...['HOSE', 'HNX', 'UPCOM'].map((board) => `securities ${board} ${NIGHT} ${NIGHT}`),
      `indexes * ${NIGHT} ${NIGHT}`,
      `securitiesSummary * 2025-06-26 ${NIGHT}`,
      ...['2025-06-26', '2025-06-27', NIGHT].map((day) => `indexSummary TOY ${day} ${day}`),
    ])
    const catalog = await openDatabase(join(home, 'catalog.duckdb'), { readOnly: true })
    onEnd(() => catalog.close())
    const rows = await catalog.rows(
      `SELECT symbol, close::VARCHAR AS close, d.total_match::VARCHAR AS quantity, i.index_value::VARCHAR AS level
       FROM market.daily_summary d JOIN market.index_summary i USING (trading_date)
       WHERE trading_date = DATE '2025-06-27' ORDER BY symbol`,
    )
    expect(rows).toEqual([
      { symbol: 'AAA', close: '10200.000000', quantity: '1100', level: '61100.000000' },
      { symbol: 'BBB', close: '20400.000000', quantity: '400', level: '61100.000000' },
      { symbol: 'CCC', close: '30500.000000', quantity: '0', level: '61100.000000' },
    ])
  })
})
