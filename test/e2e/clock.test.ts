import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WrongClockError } from 'candlehouse-foundation/errors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Effects, systemEffects } from '../../src/effects.js'
import { clockCheck } from '../../src/run/session/service.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { buildMarket, defaultSymbols, type StandIn, startStandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli, type Environment, type Ran } from '../support/program.js'
import { towards } from './support/cli.js'
import { hashes } from './support/hashes.js'
import { expectCode, HELD, rowsOf } from './support/nights.js'

const SESSIONS = ['2026-03-12', '2026-03-13']
const [EVE = '', LAST = ''] = SESSIONS

/** Seven in the evening of a day in Vietnam; the clock goes on from there. */
const eveningOf = (day: string): Effects => effectsAt(`${day}T19:00:00+07:00`)

function effectsAt(instant: string): Effects {
  const start = Date.parse(instant) - systemEffects.monotonic()
  return { ...systemEffects, now: () => Math.round(start + systemEffects.monotonic()), random: () => 0.01 }
}

function openService(day: string, { now } = eveningOf(day)): Promise<StandIn> {
  const symbols = defaultSymbols().filter(({ symbol }) => LONG || HELD.includes(symbol))
  const market = buildMarket({ sessions: SESSIONS, symbols })
  return startStandIn({ market, otherSide: 'absent', today: day, now })
}

/** A nightly as a scheduler starts it: nobody names a date. */
async function night(standIn: StandIn, cwd: string, day: string, env: Environment = {}): Promise<Ran> {
  return await cli(['nightly', '--sessions', '1', '--json'], {
    cwd,
    env: towards(standIn, { BROKER_OTP: standIn.otp, ...env }),
    effects: eveningOf(day),
    writesReport: true,
  })
}

const latestReport = (cwd: string): string => readFileSync(join(cwd, 'data/reports/latest.html'), 'utf8')

const WRONG = [
  ['2027-03-12', '364 days'],
  ['2021-03-12', '1827 days'],
] as const

/** One home: each test goes on where the one before it ended. */
describe('evening after evening', () => {
  const cwd = temporaryFolder()
  let standIn: StandIn
  beforeAll(async () => {
    standIn = await openService(EVE)
  })
  afterAll(async () => await standIn.close())

  test('a service without a readable Date does not block', async () => {
    standIn.setOptions({ now: () => Number.NaN })
    expectCode(await night(standIn, cwd, EVE), 0)
  })

  test.each(LONG ? WRONG : WRONG.slice(0, 1))(
    'a clock of %s: refused with both clocks, nothing is stored',
    async (wrong, apart) => {
      const before = [await hashes(cwd), latestReport(cwd)]
      standIn.setOptions({ today: LAST, now: eveningOf(LAST).now })
      standIn.requests.length = 0
      for (const args of [['nightly'], ['snapshot']]) {
        const env = towards(standIn, { BROKER_OTP: standIn.otp })
        const refused = await cli(args, { cwd, env, effects: eveningOf(wrong), writesReport: true })
        expect([refused.code, refused.stderr]).toEqual([
          3,
          expect.stringContaining(`they are ${apart} apart`),
        ])
        expect(refused.stderr).toContain(`the clock of this machine says ${wrong} 12:00 UTC`)
        expect(refused.stderr).toContain(`that of the service ${LAST} 12:00 UTC`)
        expect(refused.stderr).toContain('CANDLEHOUSE_CLOCK_HOURS=0')
      }
      expect(standIn.requests.filter(({ path }) => !path.includes('/auth/'))).toEqual([])
      expect([await hashes(cwd), latestReport(cwd)]).toEqual(before)
      expect(readdirSync(join(cwd, 'data/raw/journal'))).toHaveLength(1)
      expect(readdirSync(join(cwd, 'data/reports')).sort()).toEqual([`${EVE}.html`, 'latest.html'])
    },
  )

  // Earlier versions had such nights: none is written now.
  test.runIf(LONG)(
    'after a night of the future, as earlier versions had it: set right, the night is as any, and the last night by time of running is the latest, everywhere',
    async () => {
      standIn.setOptions({ today: EVE, now: eveningOf(EVE).now })
      const [[future]] = WRONG
      await night(standIn, cwd, future, { CANDLEHOUSE_CLOCK_HOURS: '0' })
      expect(latestReport(cwd)).toContain('12 Mar 2027')
      standIn.setOptions({ today: LAST, now: eveningOf(LAST).now })
      const right = await night(standIn, cwd, LAST)
      expect([right.code, right.json()]).toEqual([0, expect.objectContaining({ tradingDate: LAST })])
      const warehouse = await openWarehouse(join(cwd, 'data/warehouse.duckdb'), systemEffects)
      const runs = await warehouse.rows<{ day: string }>(
        'SELECT trading_date::VARCHAR AS day FROM ops.run ORDER BY run_id',
      )
      warehouse.close()
      expect(runs.map(({ day }) => day).sort()).toEqual([EVE, LAST, future])
      expect(existsSync(join(cwd, `data/reports/${future}.html`))).toBe(true)
      expect(latestReport(cwd)).toContain('13 Mar 2026')
      expect(latestReport(cwd)).not.toContain('12 Mar 2027')
      const days = await rowsOf<{ day: string }>(
        cwd,
        'SELECT DISTINCT trading_date::VARCHAR AS day FROM mart.account_equity_curve ORDER BY 1',
      )
      expect(days.map(({ day }) => day)).toEqual(SESSIONS)
      // Without its logs too.
      renameSync(join(cwd, 'data/logs'), join(cwd, 'logs'))
      writeFileSync(join(cwd, 'data/reports/latest.html'), '')
      expectCode(await cli(['report'], { cwd, effects: eveningOf(LAST) }), 0)
      expect(latestReport(cwd)).toContain('13 Mar 2026')
    },
  )

  test('accounts that are read while the next session is open are said to be, those of the day before it are not', async () => {
    const notesAt = async (instant: string): Promise<string[]> => {
      const effects = effectsAt(instant)
      standIn.setOptions({ today: LAST, now: effects.now })
      const env = towards(standIn, { BROKER_OTP: standIn.otp })
      const ran = await cli(['nightly', '--sessions', '1', '--json'], { cwd, env, effects })
      return ran.json<{ notes: string[] }>().notes.filter((note) => note.startsWith('accounts were read'))
    }
    expect(await notesAt('2026-03-14T10:00:00+07:00')).toEqual([])
    expect(await notesAt('2026-03-16T10:00:00+07:00')).toEqual([
      'accounts were read while the session of 2026-03-16 was open: what they have done in it is in the snapshot of 2026-03-13',
    ])
  })
})

test('twelve hours apart are allowed; a service of a year before this program, a date of the past and a 0 compare nothing', () => {
  const at = (text: string): number => Date.parse(text)
  const [own, day] = [at('2026-03-13T12:00:00Z'), LAST]
  const refuses = (service: number, tradingDate = day, hours = 12): boolean => {
    try {
      clockCheck(tradingDate, hours)?.(service, own)
      return false
    } catch (error) {
      expect(error).toBeInstanceOf(WrongClockError)
      return true
    }
  }
  expect([at('2026-03-13T00:00:00Z'), at('2026-03-14T00:00:00Z')].map((each) => refuses(each))).toEqual([
    false,
    false,
  ])
  expect([at('2026-03-12T23:59:59Z'), at('2026-03-14T00:00:01Z')].map((each) => refuses(each))).toEqual([
    true,
    true,
  ])
  expect(refuses(at('2025-12-31T23:59:59Z'))).toBe(false)
  expect(refuses(at('2027-03-13T12:00:00Z'), '2026-02-13')).toBe(false)
  expect(refuses(at('2027-03-13T12:00:00Z'), day, 0)).toBe(false)
})

test('a snapshot of the morning asks for no summaries of the session that is to come, and is complete', async () => {
  const [day, morning] = ['2026-03-16', effectsAt('2026-03-16T08:00:00+07:00')]
  const standIn = await openService(day, morning)
  try {
    const env = towards(standIn, { BROKER_OTP: standIn.otp })
    const ran = await cli(['snapshot', '--json'], { cwd: temporaryFolder(), env, effects: morning })
    expectCode(ran, 0)
    expect(ran.json()).toMatchObject({ tradingDate: day, conclusion: { complete: true, reasons: [] } })
    expect(standIn.count('/data/securitiesSummary')).toBeGreaterThan(0)
  } finally {
    await standIn.close()
  }
})
