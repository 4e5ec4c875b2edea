import type { RunSummary } from '../../src/night/summary.js'
import { tableHashes } from '../../src/read/index.js'
import { seeded } from '../e2e/support/seeded.js'
import type { Mutation, Target } from './kinds/mutation.js'
import { type LyingProxy, startProxy } from './proxy.js'
import { copyOf, queryHome, remove, runNight, type Story, startStory, temporary } from './story.js'

/** The session that is lied about, after eight that are true. */
export const DAY = '2025-03-14'
const BEFORE = '2025-03-13'
const FIRST = '2025-03-12'

/** What a night ended in, as far as trust goes. */
export interface Outcome {
  readonly summary: RunSummary
  /** Rule, subject and trading date to state and number of offenders. */
  readonly findings: ReadonlyMap<string, { state: string; offenders: number; actual: string | null }>
  readonly rejected: number
  readonly gaps: number
  /** Hash of every table of the market and of the accounts. */
  readonly tables: string
}

export interface Stage {
  readonly target: Target
  readonly proxy: LyingProxy
  /** Tells one lie for one night. @returns how it was caught; undefined where it was not */
  runLie(mutation: Mutation, seed: number): Promise<LieOutcome>
  close(): Promise<void>
}

export interface LieOutcome {
  /** Whether anything was changed at all. */
  readonly lied: boolean
  /** What gave it away, in words; empty where nothing did. */
  readonly signs: readonly string[]
}

/**
 * Nights before the one that is lied about, and that night as it should be.
 *
 * @param sessions that the first of them makes complete
 */
export async function setStage(sessions = 8): Promise<Stage> {
  const story: Story = await startStory(FIRST)
  const proxy = await startProxy(story.url)
  const base = temporary()
  await runNight(proxy.url, base, FIRST, sessions)
  await story.evening(BEFORE)
  await runNight(proxy.url, base, BEFORE, 1)
  await story.evening(DAY)
  const trueHome = copyOf(base)
  const truth = await outcomeOf(trueHome, await runNight(proxy.url, trueHome, DAY, 1))
  const target = await targetOf(trueHome)
  remove(trueHome)
  return {
    ...stageOn(proxy, base, truth, target),
    async close() {
      remove(base)
      await proxy.close()
      await story.close()
    },
  }
}

/**
 * A stage on a service that stands at the evening of `DAY`.
 *
 * @param base a home as it stood before that night
 * @param truth of the night that nobody lied in
 */
export function stageOn(
  proxy: LyingProxy,
  base: string,
  truth: Outcome,
  target: Target,
): Omit<Stage, 'close'> {
  const runLie = async (mutation: Mutation, seed: number, draws = 5): Promise<LieOutcome> => {
    const home = copyOf(base)
    try {
      proxy.hits = 0
      proxy.mutate = mutation.make(target, seeded(seed))
      const outcome = await outcomeOf(home, await runNight(proxy.url, home, DAY, 1))
      // What was drawn may hold nothing to lie about, a change of zero for one: another is drawn.
      if (proxy.hits === 0 && draws > 1) return await runLie(mutation, seed + 7_919, draws - 1)
      return { lied: proxy.hits > 0, signs: signsOf(outcome, truth) }
    } finally {
      proxy.mutate = undefined
      remove(home)
    }
  }
  return { target, proxy, runLie }
}

/** What a night made of a home. */
export async function outcomeOf(home: string, summary: RunSummary): Promise<Outcome> {
  const findings = await queryHome<{
    key: string
    state: string
    offenders: string
    actual: string | null
  }>(
    home,
    "SELECT concat_ws(' ', rule, subject, trading_date) AS key, state, offenders, actual FROM recon.finding",
  )
  const [counts] = await queryHome<{ rejected: string; gaps: string }>(
    home,
    `SELECT (SELECT count(*) FROM ops.quarantine) AS rejected,
       (SELECT count(*) FROM ops.coverage WHERE state = 'incomplete') AS gaps`,
  )
  return {
    summary,
    findings: new Map(findings.map((row) => [row.key, { ...row, offenders: Number(row.offenders) }])),
    rejected: Number(counts?.rejected),
    gaps: Number(counts?.gaps),
    tables: JSON.stringify(
      Object.entries(await tableHashes(home)).filter(([name]) => /^(market|account)\./.test(name)),
    ),
  }
}

const RANK = ['not_evaluable', 'pass', 'soft', 'break']

function signsOf(outcome: Outcome, truth: Outcome): string[] {
  const signs: string[] = []
  for (const [key, { state, offenders, actual }] of outcome.findings) {
    const before = truth.findings.get(key)
    const worse = RANK.indexOf(state) > Math.max(1, RANK.indexOf(before?.state ?? 'pass'))
    const more = offenders > (before?.offenders ?? 0) && state !== 'pass'
    const unable = state === 'not_evaluable' && before !== undefined && before.state !== 'not_evaluable'
    if (worse || more || unable) signs.push(`rule ${key}: ${state} ${actual ?? ''}`.trim())
  }
  if (outcome.rejected > truth.rejected) signs.push(`${outcome.rejected - truth.rejected} records rejected`)
  if (outcome.gaps > truth.gaps) signs.push(`${outcome.gaps - truth.gaps} windows incomplete`)
  if (outcome.summary.exitCode !== truth.summary.exitCode) signs.push(`exit ${outcome.summary.exitCode}`)
  // What changes no table has misled nobody: the loader took a record that came twice for what it is.
  if (outcome.tables === truth.tables) signs.push('absorbed: the tables are those of the truth')
  return signs
}

/** What there is to lie about in the true night. */
export async function targetOf(home: string): Promise<Target> {
  const stocks = await queryHome<{ symbol: string }>(
    home,
    `SELECT symbol FROM market.daily_summary WHERE trading_date = DATE '${DAY}' AND total_match > 10000
       AND mart.instrument_kind(symbol, NULL) = 'stock' ORDER BY symbol`,
  )
  const [future] = await queryHome<{ symbol: string }>(
    home,
    `SELECT symbol FROM market.daily_summary WHERE trading_date = DATE '${DAY}'
       AND mart.instrument_kind(symbol, NULL) = 'future' ORDER BY total_match DESC`,
  )
  const indexes = await queryHome<{ index_code: string }>(
    home,
    'SELECT index_code FROM market.market_index ORDER BY 1',
  )
  const accounts = await queryHome<{ account_no: string }>(
    home,
    'SELECT account_no FROM account.account ORDER BY 1',
  )
  const [cash = '', margin = '', derivative = ''] = accounts.map((row) => row.account_no)
  return {
    day: DAY.replaceAll('-', '/'),
    dayBefore: BEFORE.replaceAll('-', '/'),
    stocks: stocks.map((row) => row.symbol),
    future: future?.symbol ?? '',
    indexes: indexes.map((row) => row.index_code),
    accounts: [cash, margin, derivative],
  }
}
