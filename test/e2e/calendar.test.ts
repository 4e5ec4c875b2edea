import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Effects, systemEffects } from '../../src/effects.js'
import { buildMarket, defaultSymbols, type StandIn, startStandIn } from '../standin/index.js'
import { copyOfBaseline } from '../support/baseline.js'
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli, type Ran } from '../support/program.js'
import { towards } from './support/cli.js'
import { restorableHashes } from './support/hashes.js'
import { expectCode, rowsOf } from './support/nights.js'

/** The Lunar New Year of 2027, which the packaged calendar does not know. */
const CLOSED = ['2027-02-05', '2027-02-08', '2027-02-09', '2027-02-10', '2027-02-11']
/** The sessions around it; the last one is a Saturday. */
const SESSIONS = ['2027-02-03', '2027-02-04', '2027-02-12', '2027-02-13']
const CALENDAR = [
  'day,closed_for,source,is_session',
  ...CLOSED.map((day) => `${day},"Lunar New Year, 2027",exchange,`),
  '2027-02-13,,exchange,true',
].join('\r\n')

/** Seven in the evening of a day; the clock goes on from there. */
function effectsOn(day: string): Effects {
  const start = Date.parse(`${day}T19:00:00+07:00`) - systemEffects.monotonic()
  return { ...systemEffects, now: () => Math.round(start + systemEffects.monotonic()), random: () => 0.01 }
}

async function service(): Promise<StandIn> {
  const symbols = defaultSymbols().slice(0, 4)
  const standIn = await startStandIn({ market: buildMarket({ sessions: SESSIONS, symbols }) })
  onEnd(() => standIn.close())
  return standIn
}

interface Night extends Ran {
  tradingDate: string
  requests: number
  /** Notes on planned sessions and on the calendar. */
  ofCalendar: string[]
}

const isOfCalendar = (note: string): boolean => /planned|holiday|calendar/.test(note)

/** A night on the evening of a day. */
async function nightOn(day: string, standIn: StandIn, cwd: string): Promise<Night> {
  const effects = effectsOn(day)
  standIn.setOptions({ today: day, now: effects.now })
  const before = standIn.requests.length
  const ran = await cli(['nightly', '--skip-accounts', '--json'], { cwd, env: towards(standIn), effects })
  expectCode(ran, 0)
  const { tradingDate, notes } = ran.json<{ tradingDate: string; notes: string[] }>()
  const requests = standIn.requests.length - before
  return { ...ran, tradingDate, requests, ofCalendar: notes.filter(isOfCalendar) }
}

/** A copy of a home after the night on the last session before the holidays. */
async function afterTheEve(): Promise<string> {
  return await copyOfBaseline('the eve of the holidays of 2027', async (cwd) => {
    expect(await nightOn('2027-02-04', await service(), cwd)).toMatchObject({ tradingDate: '2027-02-04' })
  })
}

/** Datasets with sessions that are missing; cross-checks skip sessions on purpose. */
const missingIn = (cwd: string) =>
  rowsOf(
    cwd,
    "select dataset, sessions_missing from mart.freshness where sessions_missing > 0 and timeframe in ('', '1m', '1d') order by 1",
  )

/** Everything but raw/ deleted, the user's calendar too, then built again. */
async function rebuilt(cwd: string): Promise<Record<string, string>> {
  for (const name of readdirSync(join(cwd, 'data')))
    if (name !== 'raw') rmSync(join(cwd, 'data', name), { recursive: true })
  const effects = effectsOn('2027-02-15')
  expectCode(await cli(['replay'], { cwd, effects }), 0)
  expectCode(await cli(['publish'], { cwd, effects }), 0)
  return await restorableHashes(cwd)
}

test.skipIf(!LONG)(
  'nights across holidays that no calendar names: a few requests more, no gap, and the days are learned',
  async () => {
    const standIn = await service()
    const cwd = await afterTheEve()
    const onHoliday = await nightOn('2027-02-05', standIn, cwd)
    // Lists and members, and one question per dataset and index: no candles.
    expect(onHoliday).toMatchObject({ tradingDate: '2027-02-05' })
    expect(onHoliday.requests).toBeLessThan(40)
    expect(standIn.count('ohlc', { from: '2027/02/05 00:00:00' })).toBe(0)
    expect(await missingIn(cwd)).toEqual([])
    expect(await nightOn('2027-02-12', standIn, cwd)).toMatchObject({ tradingDate: '2027-02-12' })
    expect(await missingIn(cwd)).toEqual([])
    // Learned: the next night asks for indexes on sessions alone.
    const planned = await cli(['plan', 'nightly', '--json'], { cwd, effects: effectsOn('2027-02-15') })
    const { stages } = planned.json<{ stages: { requests: { dataset: string; from: string }[] }[] }>()
    const days = stages.flatMap(({ requests }) =>
      requests.filter(({ dataset }) => dataset === 'indexSummary').map(({ from }) => from),
    )
    expect([...new Set(days)].sort()).toEqual(['2027-02-12', '2027-02-15'])
    const before = await restorableHashes(cwd)
    expect(await rebuilt(cwd)).toEqual(before)
  },
)

test("nights with the user's calendar ask for nothing on its closed days, and open the days that it opens", async () => {
  const standIn = await service()
  const cwd = LONG ? await afterTheEve() : temporaryFolder()
  const home = join(cwd, 'data')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'calendar.csv'), CALENDAR)
  const silent = { ofCalendar: [] }
  if (LONG)
    expect(await nightOn('2027-02-05', standIn, cwd)).toMatchObject({ ...silent, tradingDate: '2027-02-04' })
  expect(await nightOn('2027-02-13', standIn, cwd)).toMatchObject({ ...silent, tradingDate: '2027-02-13' })
  for (const day of CLOSED) expect(standIn.count('indexSummary', { from: day.replaceAll('-', '/') })).toBe(0)
  // No night ran on the 12th, and lists cannot be asked for a day that is past; in short the night is the first one of its home.
  const lists = LONG ? ['indexMembers', 'indexes', 'securities'] : []
  expect(await missingIn(cwd)).toEqual(lists.map((dataset) => ({ dataset, sessions_missing: '1' })))
  const sessions = 'select distinct trading_date from market.daily_summary order by 1'
  expect(await rowsOf(cwd, sessions)).toEqual(SESSIONS.map((trading_date) => ({ trading_date })))

  // Views have its days wherever the lake is read.
  const closed =
    "select day, closed_for from mart.closed_day where day >= '2027-01-01' and certainty = 'user' order by day"
  const days = CLOSED.map((day) => ({ day, closed_for: 'Lunar New Year, 2027' }))
  expect(await rowsOf(cwd, closed)).toEqual(days)
  expectCode(
    await cli(['attach', '--lake', join(home, 'lake'), '--out', join(home, 'desk.duckdb')], { cwd }),
    0,
  )
  const before = await restorableHashes(cwd)

  // A fault in it stops runs before any request, and is a warning to readers.
  writeFileSync(join(home, 'calendar.csv'), 'day\n05/02/2027\n')
  const requests = standIn.requests.length
  const refused = await cli(['nightly'], { cwd, env: towards(standIn), effects: effectsOn('2027-02-15') })
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining("calendar.csv:2: '05/02/2027'")])
  expect(standIn.requests).toHaveLength(requests)
  const read = await cli(['status'], { cwd, effects: effectsOn('2027-02-15') })
  expect([read.code, read.stdout]).toEqual([
    0,
    expect.stringMatching(/warning: runs will refuse .*05\/02\/2027/),
  ])

  if (!LONG) return
  expect(await rebuilt(cwd)).toEqual(before)
  expect(await rowsOf(cwd, closed)).toEqual([])
})

/** Evenings on days that the packaged calendar knows in every year, and on such that it can only expect. */
const EVENINGS = ['2026-12-31', '2027-01-01', '2027-02-08', '2027-04-29', '2027-04-30']
/** Those that differ from a plan by what a night learns and says: the others are nights in `make soak`. */
const NIGHTS = LONG ? EVENINGS : EVENINGS.slice(2, 4)
const TRADED = ['2026-12-30', '2026-12-31', '2027-02-02', '2027-02-03', '2027-04-28', '2027-04-29']
const ANNOUNCED = [...CLOSED.slice(1), '2027-02-04', '2027-02-05', '2027-04-16', '2027-05-03', '2027-09-03']
const TWO_SESSIONS = ['--skip-accounts', '--sessions', '2', '--json']

/** A folder with a home whose calendar names these days. */
function folderWith(announced: readonly string[]): string {
  const cwd = temporaryFolder()
  const home = join(cwd, 'data')
  mkdirSync(home)
  if (announced.length > 0) writeFileSync(join(home, 'calendar.csv'), `day\n${announced.join('\n')}\n`)
  return cwd
}

const untilColon = (line: string): string => line.replace(/:.*/, '')

/** What a night on each evening is for, and the sessions in doubt, as a new home plans it. */
async function plansAround(announced: readonly string[]): Promise<Record<string, unknown>> {
  return await plansIn(folderWith(announced), EVENINGS)
}

/** The same of the home in a folder. */
async function plansIn(cwd: string, evenings: readonly string[]): Promise<Record<string, unknown>> {
  const plans: Record<string, unknown> = {}
  for (const day of evenings) {
    const ran = await cli(['plan', 'nightly', ...TWO_SESSIONS], { cwd, effects: effectsOn(day) })
    expectCode(ran, 0)
    const { tradingDate, inDoubt } = ran.json<{ tradingDate: string; inDoubt: string[] }>()
    plans[day] = [tradingDate, ...inDoubt.map(untilColon)]
  }
  return plans
}

/** What these nights of one home are for, and what each says of planned sessions and of the calendar. */
async function nightsAround(
  evenings: readonly string[],
  announced: readonly string[] = [],
): Promise<{ nights: Record<string, unknown>; cwd: string }> {
  const symbols = defaultSymbols().slice(0, 2)
  const standIn = await startStandIn({ market: buildMarket({ sessions: TRADED, symbols }) })
  onEnd(() => standIn.close())
  const cwd = folderWith(announced)
  const nights: Record<string, unknown> = {}
  for (const day of evenings) {
    const effects = effectsOn(day)
    standIn.setOptions({ today: day, now: effects.now })
    const ran = await cli(['nightly', ...TWO_SESSIONS], { cwd, env: towards(standIn), effects })
    expectCode(ran, 0)
    const { tradingDate, notes } = ran.json<{ tradingDate: string; notes: string[] }>()
    nights[day] = [tradingDate, ...notes.filter(isOfCalendar).map(untilColon)]
  }
  return { nights, cwd }
}

const HOLIDAY_WEEK =
  'planned 2 sessions from 2027-02-05 to 2027-02-08, although the exchanges may be closed for Lunar New Year'
const UNKNOWN_YEAR =
  'planned 2 sessions from 2027-04-28 to 2027-04-29, although the closed days of 2027 are not in the calendar'

test('plans of a year that nobody has announced: fixed holidays are known, sessions in doubt are named', async () => {
  expect(await plansAround([])).toEqual({
    '2026-12-31': ['2026-12-31'],
    '2027-01-01': ['2026-12-31'],
    '2027-02-08': ['2027-02-08', HOLIDAY_WEEK],
    '2027-04-29': ['2027-04-29', UNKNOWN_YEAR],
    '2027-04-30': ['2027-04-29', UNKNOWN_YEAR],
  })
})

test('nights of a year that nobody has announced: sessions in doubt are planned, and believed; the first night of a week says that the calendar ended', async () => {
  const said: Record<string, unknown> = {
    '2026-12-31': ['2026-12-31', 'the trading calendar ends on 2026-12-31, in 0 days'],
    '2027-01-01': ['2026-12-31'],
    '2027-02-08': [
      '2027-02-08',
      HOLIDAY_WEEK,
      'no answer has trades of 2027-02-08, and the exchanges may be closed for Lunar New Year',
      'the trading calendar ended on 2026-12-31',
    ],
    '2027-04-29': ['2027-04-29', UNKNOWN_YEAR, 'the trading calendar ended on 2026-12-31'],
    '2027-04-30': ['2027-04-29'],
  }
  const { nights, cwd } = await nightsAround(NIGHTS)
  expect(nights).toEqual(Object.fromEntries(NIGHTS.map((day) => [day, said[day]])))
  // Of the sessions that a night has seen, none is in doubt any more.
  const [, , , , last = ''] = EVENINGS
  expect(await plansIn(cwd, [last])).toEqual({ [last]: said[last] })
})

test('of a year that the user announces, sessions are planned without a doubt', async () => {
  const tradingDates = {
    '2026-12-31': ['2026-12-31'],
    '2027-01-01': ['2026-12-31'],
    '2027-02-08': ['2027-02-03'],
    '2027-04-29': ['2027-04-29'],
    '2027-04-30': ['2027-04-29'],
  }
  expect(await plansAround(ANNOUNCED)).toEqual(tradingDates)
  // That nights with a user's calendar say nothing of it, in short: above.
  if (LONG) expect((await nightsAround(EVENINGS, ANNOUNCED)).nights).toEqual(tradingDates)
})

// In short: test/e2e/proportion/unseen-session.test.ts.
test.runIf(LONG)(
  'a night on a weekday without data that no calendar doubts is not complete, in a new home too',
  async () => {
    const standIn = await service()
    const cwd = temporaryFolder()
    const effects = effectsOn('2026-11-25')
    standIn.setOptions({ today: '2026-11-25', now: effects.now })
    const options = ['nightly', '--skip-accounts', '--sessions', '1']
    const night = await cli(options, { cwd, env: towards(standIn), effects })
    expect([night.code, night.stdout]).toEqual([
      4,
      expect.stringContaining('no answer has trades of 2026-11-25'),
    ])
  },
)

test('doctor says 60 days before that the known calendar ends; status has it as data', async () => {
  const cwd = temporaryFolder()
  const statusOn = async (day: string) => {
    const ran = await cli(['status', '--json'], { cwd, effects: effectsOn(day) })
    return ran.json<{ calendar: Record<string, unknown> }>().calendar
  }
  const file = join(cwd, 'data', 'calendar.csv')
  const known = { knownUntil: '2026-12-31', file, userDays: 0, problem: null }
  expect(await statusOn('2026-11-01')).toEqual({ ...known, daysLeft: 60, isEnding: false })
  expect(await statusOn('2026-11-02')).toEqual({ ...known, daysLeft: 59, isEnding: true })
  const effects = effectsOn('2026-12-01')
  const examined = await cli(['doctor', '--json'], { cwd, effects })
  expect(examined.stdout).toContain('closed days are known until 2026-12-31')
  expect(examined.stdout).toContain('The trading calendar ends on 2026-12-31, in 30 days')
  expect(examined.stdout).toContain('write the closed days of 2027 to')
  expect((await cli(['status'], { cwd, effects })).stdout).not.toContain('calendar')
})
