import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { nightly } from '../../jobs/nightly.js'
import type { SandboxOptions } from '../../packages/sandbox/src/options.js'
import { startWithEffects } from '../../packages/sandbox/src/start.js'
import { systemEffects } from '../../src/effects.js'
import type { RunSummary } from '../../src/night/summary.js'
import { publish } from '../../src/publish/index.js'
import { runRules } from '../../src/run/checks/run-rules.js'
import { nightlyGoal } from '../../src/run/jobs/goals.js'
import { runJob } from '../../src/run/verbs/job.js'
import { resolveSettings, type Settings } from '../../src/settings/index.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { ask } from '../support/published.js'

/** A sandbox whose clock the test moves; its participants trade on every session. */
export interface Story {
  readonly url: string
  /** Moves the clock to the evening of a session. */
  evening(day: string): Promise<void>
  close(): Promise<void>
}

export async function startStory(first: string, options: SandboxOptions = {}): Promise<Story> {
  const sandbox = await startWithEffects(
    { date: first, drive: true, ongoing: true, ...options },
    systemEffects,
  )
  return {
    url: sandbox.url,
    async evening(day) {
      const answer = await fetch(`${sandbox.url}/sandbox/clock`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ to: `${day}T18:00:00+07:00` }),
      })
      if (!answer.ok) throw new Error(await answer.text())
    },
    close: () => sandbox.close(),
  }
}

function settingsFor(url: string, home: string): Settings {
  return resolveSettings({
    flags: { CANDLEHOUSE_HOME: home, BROKER_BASE_URL: url, BROKER_MAX_RPS: '1000' },
    environment: {
      BROKER_API_KEY: 'sandbox-key',
      BROKER_API_SECRET: 'sandbox-secret',
      BROKER_OTP: '246810',
      // The views are asked; their tables in the lake have tests of their own.
      CANDLEHOUSE_LAKE_MARTS: 'none',
    },
    folder: home,
  }).settings
}

const io = {
  effects: systemEffects,
  signal: new AbortController().signal,
  progress: { phase() {}, advance() {}, done() {} },
}

/** One nightly in this process, against a service at an address. */
export async function runNight(
  url: string,
  home: string,
  date: string,
  sessions: number,
): Promise<RunSummary> {
  const wish = { tradingDate: date, sessions, symbols: undefined }
  const goals = [nightlyGoal(nightly, wish, loadCalendar())]
  const spec = { name: nightly.name, tradingDate: date, goals, accounts: 'beside' } as const
  return await runJob(settingsFor(url, home), spec, io)
}

/** Judges sessions and the snapshots of those days again, with all that is held by now, and publishes. */
export async function judgeAgain(home: string, days: readonly string[]): Promise<void> {
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
  try {
    const scope = { runs: [], days, snapshots: days }
    await runRules(warehouse, { home, runId: 'again', scope }, io)
    await publish(warehouse, home, { runId: 'again', retainDays: 7 }, systemEffects)
  } finally {
    warehouse.close()
  }
}

/** A folder of its own, with what another one holds. */
export function copyOf(home: string): string {
  const copy = temporary()
  cpSync(home, copy, { recursive: true })
  return copy
}

export function temporary(): string {
  return mkdtempSync(join(tmpdir(), 'candlehouse-story-'))
}

export function remove(home: string): void {
  rmSync(home, { recursive: true, force: true })
}

/** Rows of a statement on the catalog of a home. */
export async function queryHome<Row>(home: string, sql: string): Promise<Row[]> {
  return (await ask(home, sql)) as Row[]
}
