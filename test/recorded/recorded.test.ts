import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { recipes } from '../../src/mcp/packaged-docs.js'
import { readQuestions } from '../docs/two-hundred-questions.js'
import { LONG } from '../support/long.js'
import { disturb } from './disturb.js'
import { expectAnswers, IS_WHOLE } from './expected-answers.js'
import { answerOf, recordedWarehouse, ruleAnswers, shown } from './world.js'

/** What a view says of a clock: when files were published is none of the recorded rows. */
const OF_CLOCKS = new Set(['mart.freshness'])

/** Rows by the hundred thousand, a fifth of the time: test/mart and test/read/known.test.ts show them on few. */
const LARGE =
  /^mart\.(candle_session|candle_filled|candle_as_known_on.*|bars_of\('1m'\))$|FROM mart\.indicators/

const isViewAsked = (query: string): boolean => IS_WHOLE || !LARGE.test(query)

async function viewAnswers(database: Database): Promise<Record<string, unknown>> {
  const views = await database.rows<{ name: string }>(
    `SELECT schema_name || '.' || view_name AS name FROM duckdb_views() WHERE schema_name = 'mart'
     UNION SELECT schema_name || '.' || table_name FROM duckdb_tables() WHERE schema_name = 'mart' ORDER BY 1`,
  )
  const queries = [
    ...views.map(({ name }) => name).filter((name) => !OF_CLOCKS.has(name)),
    ...(await macroCalls(database)),
  ].filter(isViewAsked)
  const answers: Record<string, unknown> = {}
  for (const query of queries) answers[query] = await answerOf(database, query)
  return answers
}

/** Table macros, with arguments that the recorded world has something to say about. */
async function macroCalls(database: Database): Promise<string[]> {
  const evenings = await database.rows<{ day: string }>(
    'SELECT DISTINCT CAST(as_of AS VARCHAR) AS day FROM account.snapshot ORDER BY 1',
  )
  const instants = await database.rows<{ instant: string }>(
    'SELECT CAST(finished_at AS VARCHAR) AS instant FROM ops.run ORDER BY run_id',
  )
  const before = instants.at(-3)?.instant ?? ''
  const known = [
    'adjustment_event',
    'candle',
    'corporate_action',
    'daily_adjusted',
    'daily_summary',
    'index_summary',
    'price_limit',
    'security',
  ]
  const sessions = "DATE '2025-05-05', DATE '2025-06-20'"
  return [
    ...known.map((name) => `mart.${name}_as_known_on(TIMESTAMPTZ '${before}')`),
    // One in three: each recomputes the evening before it too.
    ...evenings
      .filter((_, index) => index % 3 === 0)
      .flatMap(({ day }) =>
        ['account_pair', 'cash_match', 'position_match', 'fee_rate'].map(
          (name) => `mart.${name}(DATE '${day}')`,
        ),
      ),
    ...['factor_score', 'foreign_ownership', 'idiosyncratic_volatility', 'illiquidity'].map(
      (name) => `mart.${name}_between(${sessions})`,
    ),
    "mart.account_attribution_between(DATE '2025-06-01', DATE '2025-06-30')",
    ...['1m', '1w', '1M'].map((timeframe) => `mart.bars_of('${timeframe}')`),
    "(WITH bar AS (FROM market.candle WHERE timeframe = '1m') FROM mart.indicators('bar'))",
    ...['account_growth', 'account_return'].map(
      (name) => `mart.${name}_between(DATE '2025-06-01', DATE '2025-06-30', benchmark := 'FPT')`,
    ),
    ...["('volume', 'ratio')", "('expiry', 'difference')", "('open_interest', 'ratio')"].map(
      (choice) => `mart.futures_rolled${choice}`,
    ),
    'mart.account_margin_after(0.1)',
    "mart.instrument_rule_as_of('VN30F2506', DATE '2025-06-20')",
    "mart.session_bars('45m')",
    "mart.filled_bars('15m', first_session := DATE '2025-06-26')",
    "mart.universe_as_of(DATE '2025-03-01')",
    'mart.warrant_greeks_at(0.04)',
  ]
}

/** The last sessions: those of the evenings, and some before them. */
const SESSIONS = 12

async function lastSessions(database: Database): Promise<string[]> {
  const days = await database.rows<{ day: string }>(
    `SELECT DISTINCT CAST(trading_date AS VARCHAR) AS day FROM market.daily_summary ORDER BY 1 DESC LIMIT ${SESSIONS}`,
  )
  return days.map(({ day }) => day).sort()
}

/** Questions about publications and files, and therefore about what is restated or stale: they are not recorded. */
const QUESTIONS_OF_CLOCKS = new Set([45, 65])

/** README.md says how these files are written, and what confirms them. */
describe('the recorded world is answered as before', () => {
  let database: Database
  beforeAll(async () => {
    database = await recordedWarehouse()
  })

  test('by the statements of the two hundred questions, with the columns that are needed', async () => {
    const questions = readQuestions()
    // In short one in three: all that they read is asked of the views.
    const asked = new Set(
      recipes().flatMap(({ question }, index) => (IS_WHOLE || index % 3 === 0 ? question : [])),
    )
    const answers: Record<string, unknown> = {}
    const lacking: string[] = []
    for (const [index, { question, sql }] of recipes().entries()) {
      const number = index + 1
      const columns = await database.rows<{ column_name: string }>(`DESCRIBE ${sql}`)
      const names = columns.map(({ column_name }) => column_name)
      const needed = questions.find((each) => each.number === number)?.needed ?? []
      lacking.push(...needed.filter((name) => !names.includes(name)).map((name) => `${question} ${name}`))
      if (asked.has(question) && !QUESTIONS_OF_CLOCKS.has(number))
        answers[question] = await answerOf(database, `(${sql})`)
    }
    expect(lacking).toEqual([])
    await expectAnswers(answers, 'questions.json', (question) => asked.has(question))
  })

  test('by every view and table macro, as the oracle confirmed, and by every rule', async () => {
    await expectAnswers(await viewAnswers(database), 'views.json', isViewAsked)
    const rules = await ruleAnswers(database, await lastSessions(database))
    await expect(shown(rules)).toMatchFileSnapshot('answers/rules.json')
  })

  // In short: every rule has cases with wrong values (test/audit/cases).
  test.runIf(IS_WHOLE)(
    'with values that are wrong and rows that are gone, by every rule and every view',
    async () => {
      // The last test of the file: it changes the warehouse that the others read.
      const disturbed = await recordedWarehouse(disturb)
      const rules = await ruleAnswers(disturbed, await lastSessions(disturbed))
      await expect(shown(rules)).toMatchFileSnapshot('answers/rules-disturbed.json')
      if (LONG)
        await expect(shown(await viewAnswers(disturbed))).toMatchFileSnapshot('answers/views-disturbed.json')
    },
  )
})
