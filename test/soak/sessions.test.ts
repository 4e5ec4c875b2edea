import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { expect, test } from 'vitest'
import { compareReturns } from '../trust/returns.js'
import { queryHome, remove, runNight, startStory, temporary } from '../trust/story.js'

const SESSIONS = Number(process.env.SOAK_SESSIONS ?? 250)
const LAST = '2025-12-31'

/**
 * The last session before the codes of futures changed. The sandbox drops open contracts with their former codes, which no order
 * explains: that night is rightly not complete.
 */
const CODES_CHANGE = '2025-04-29'

/** Every night as a person would run it, accounts beside the market, one after the other. */
test(`${SESSIONS} sessions with trading and corporate actions break no rule`, async () => {
  const days = loadCalendar().sessionsBetween('2024-12-02', LAST).slice(0, SESSIONS)
  expect(days).toHaveLength(SESSIONS)
  const story = await startStory(days[0] ?? '')
  const home = temporary()
  const broken: unknown[] = []
  try {
    for (const day of days) {
      await story.evening(day)
      const { checks, exitCode, conclusion } = await runNight(story.url, home, day, 2)
      broken.push(...(checks?.breaks ?? []))
      if (exitCode !== 0 && day !== CODES_CHANGE) broken.push({ day, exitCode, reasons: conclusion.reasons })
      if (day === CODES_CHANGE) expect(conclusion.reasons).toMatchObject([{ kind: 'accounts_partial' }])
    }
    const states = await queryHome(
      home,
      'SELECT state, count(*) AS findings FROM recon.finding GROUP BY ALL ORDER BY ALL',
    )
    const soft = await queryHome(
      home,
      "SELECT rule, count(*) AS findings, sum(offenders) AS offenders FROM recon.finding WHERE state = 'soft' GROUP BY ALL ORDER BY ALL",
    )
    process.stderr.write(`${JSON.stringify({ states, soft })}\n`)
    expect(broken).toEqual([])
    expect((await compareReturns(home)).unequal).toEqual([])
  } finally {
    remove(home)
    await story.close()
  }
})
