import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { expect, test } from 'vitest'
import { audit } from '../../src/audit/index.js'
import { portionsOf } from '../../src/audit/portions.js'
import { fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'
import { emptyWarehouse } from '../support/memory.js'
import { day, limit, warehouseOf } from './world.js'

const SESSIONS = loadCalendar().sessionsBetween('2024-11-01', '2025-03-14')

test('decades are checked in portions, each session once, and the run with the last of them', async () => {
  const given = {
    'market.daily_summary': SESSIONS.map((trading_date, at) =>
      day({ trading_date, ...(at % 40 === 7 ? { low: '28000' } : {}) }),
    ),
    'market.price_limit': SESSIONS.map((trading_date) => limit({ trading_date })),
    'ops.run': [{ run_id: 'r', job: 'import', trading_date: '2025-03-14', state: 'done' }],
  }
  const database = await warehouseOf(given)
  expect((await portionsOf(database, SESSIONS)).map(({ length }) => length)).toEqual([
    60,
    SESSIONS.length - 60,
  ])
  const scope = { runs: ['r'], days: SESSIONS, snapshots: [] }
  const options = { home: temporaryFolder(), calendar: loadCalendar(), runIdOf: () => 'r' }
  const results = await audit(database, scope, options, fakeEffects(Date.parse('2025-03-14T12:00:00Z')))
  const broken = SESSIONS.filter((_, at) => at % 40 === 7)
  const breaksOf = (rule: number) =>
    results.filter((result) => result.rule.number === rule && result.state === 'break')
  expect(breaksOf(1).map(({ tradingDate }) => tradingDate)).toEqual(broken)
  expect(
    await database.rows(
      `SELECT CAST(trading_date AS VARCHAR) AS day FROM recon.finding JOIN recon.offender USING (rule, subject, trading_date)
       WHERE rule = 1 ORDER BY 1`,
    ),
  ).toEqual(broken.map((each) => ({ day: each })))
  const [found] = await database.rows('SELECT count(*) AS n FROM recon.finding WHERE rule = 1')
  expect(found).toEqual({ n: BigInt(SESSIONS.length) })
  expect(await database.rows('SELECT judged_at IS NOT NULL AS judged FROM ops.run')).toEqual([
    { judged: true },
  ])
})

test('sessions of many bars are a portion each', async () => {
  const database = await emptyWarehouse()
  await database.run(`INSERT INTO market.candle (symbol, timeframe, trading_date)
    SELECT 'FPT', '1m', DATE '2025-03-10' + CAST(i // 900000 AS INTEGER) FROM range(4500000) t(i)`)
  expect(
    await portionsOf(database, ['2025-03-10', '2025-03-11', '2025-03-12', '2025-03-13', '2025-03-14']),
  ).toEqual([['2025-03-10', '2025-03-11'], ['2025-03-12', '2025-03-13'], ['2025-03-14']])
  await database.run('DELETE FROM market.candle')
})
