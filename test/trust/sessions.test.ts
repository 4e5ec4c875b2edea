import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadCalendar } from '../../src/market/calendar.js'
import { recipes } from '../docs/cookbook.js'
import { compareReturns } from './returns.js'
import {
  judgeAgain,
  queryHome,
  remove,
  runNight,
  runSnapshot,
  type Story,
  startStory,
  temporary,
} from './story.js'

const FIRST = '2025-02-17'
const LAST = '2025-03-14'
const SNAPSHOTS_FROM = 17

/** Questions of the cookbook that a calm market of twenty sessions gives no row for. */
const WITHOUT = [5, 6, 7, 10, 12, 16, 33]

/** The year of it is `make soak`. */
describe('twenty sessions with trading and corporate actions', () => {
  const home = temporary()
  const exits: number[] = []
  let story: Story | undefined

  beforeAll(async () => {
    const days = loadCalendar().sessionsBetween(FIRST, LAST)
    expect(days).toHaveLength(20)
    story = await startStory(days[SNAPSHOTS_FROM] ?? FIRST)
    // Snapshots of the last sessions, each matched with the one before it; the soak takes one every night of a year.
    for (const day of days.slice(SNAPSHOTS_FROM)) {
      await story.evening(day)
      exits.push((await runSnapshot(story.url, home, day)).exitCode)
    }
    exits.push((await runNight(story.url, home, LAST, 20)).exitCode)
    await judgeAgain(home, days.slice(SNAPSHOTS_FROM))
  })

  afterAll(async () => {
    await story?.close()
    remove(home)
  })

  test('break no rule', async () => {
    expect(exits.filter((code) => code !== 0)).toEqual([])
    expect(
      await queryHome(
        home,
        "SELECT rule, subject, trading_date, expected, actual FROM recon.finding WHERE state = 'break'",
      ),
    ).toEqual([])
    const [counted] = await queryHome<{ events: string; fills: string; judged: string }>(
      home,
      `SELECT (SELECT count(*) FROM mart.adjustment_event) AS events,
         (SELECT count(DISTINCT order_id) FROM account.order_book WHERE filled_qty > 0) AS fills,
         (SELECT count(*) FROM recon.finding WHERE state = 'pass') AS judged`,
    )
    expect(Number(counted?.events)).toBeGreaterThan(5)
    expect(Number(counted?.fills)).toBeGreaterThan(10)
    expect(Number(counted?.judged)).toBeGreaterThan(300)
  })

  test('have the returns of their reference prices, from adjusted prices', async () => {
    const { compared, unequal } = await compareReturns(home)
    expect(unequal).toEqual([])
    expect(compared).toBeGreaterThan(1000)
  })

  test.each(recipes())('answer "$question"', async ({ question, sql }) => {
    const rows = await queryHome(home, sql)
    if (!WITHOUT.includes(Number.parseInt(question, 10))) expect(rows).not.toEqual([])
  })
})
