import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunSummary } from '../../src/night/summary.js'
import { recipes } from '../docs/cookbook.js'
import { LONG } from '../support/long.js'
import { DAY, outcomeOf, type Stage, stageOn, targetOf } from './caught.js'
import { MUTATIONS } from './kinds.js'
import { startProxy } from './proxy.js'
import { compareReturns } from './returns.js'
import {
  copyOf,
  judgeAgain,
  queryHome,
  remove,
  runNight,
  type Story,
  startStory,
  temporary,
} from './story.js'

const FIRST = '2025-02-17'
const LAST = '2025-03-14'
const SNAPSHOTS_FROM = 18

/** Questions of the cookbook that a calm market of twenty sessions gives no row for. */
const WITHOUT = [
  'closed at their ceiling for days on end',
  'new 52-week high',
  'gaps of the morning',
  'Momentum',
  'the betas',
  'foreign room nearly used up',
  'What changed since',
  'moved to another board',
  'dividends are to come',
  'closed at their floor',
  'positions are at a loss',
  'could not be read',
]

/** Of the 254 lies that `make soak` tells. */
const LIES = ['summary close: wrong digit']

/** The year of it is `make soak`. */
describe('twenty sessions with trading and corporate actions', () => {
  const home = temporary()
  const exits: number[] = []
  let story: Story | undefined
  let stage: Stage | undefined

  beforeAll(async () => {
    const days = loadCalendar().sessionsBetween(FIRST, LAST)
    expect(days).toHaveLength(20)
    expect(LAST).toBe(DAY)
    const [eve = ''] = days.slice(SNAPSHOTS_FROM)
    story = await startStory(eve)
    // The last snapshot is matched with the one before it; the soak takes one every night of a year.
    exits.push((await runNight(story.url, home, eve, 19)).exitCode)
    const base = LONG ? copyOf(home) : undefined
    await story.evening(LAST)
    const summary = await runNight(story.url, home, LAST, 1)
    exits.push(summary.exitCode)
    if (base) stage = await stageFor(story, base, summary)
    await judgeAgain(home, days.slice(SNAPSHOTS_FROM))
    // The catalog that is asked here stays open for all questions.
    await queryHome(home, 'SELECT 1')
  })

  afterAll(async () => {
    await stage?.close()
    await story?.close()
    remove(home)
  })

  /** Where a night is lied to that was true. */
  async function stageFor({ url }: Story, base: string, truth: RunSummary): Promise<Stage> {
    const proxy = await startProxy(url)
    return {
      ...stageOn(proxy, base, await outcomeOf(home, truth), await targetOf(home)),
      async close() {
        remove(base)
        await proxy.close()
      },
    }
  }

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
    if (!WITHOUT.some((words) => question.includes(words))) expect(rows).not.toEqual([])
  })

  test.skipIf(!LONG).each(LIES)('a night with this lie is caught: %s', async (name) => {
    const at = MUTATIONS.findIndex((mutation) => mutation.name === name)
    const mutation = MUTATIONS[at]
    if (!mutation) throw new RangeError(`there is no lie ${name}`)
    const outcome = await stage?.runLie(mutation, at)
    expect(outcome?.lied).toBe(true)
    expect(outcome?.signs).not.toEqual([])
  })
})
