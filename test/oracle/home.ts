import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import type { FaultPlan, RunningSandbox, SandboxOptions } from 'candlehouse-sandbox'
import { startWithEffects } from '../../packages/sandbox/src/start.js'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'
import { makeStory } from './actions.js'

const run = promisify(execFile)

const LAST = '2025-06-30'
/** A stock of HOSE and a future have bars of every session; the nights fetch those of all symbols. */
const WITH_MINUTES = ['VNM', 'FPT', 'PVS', 'VN30F2507']

/** Evenings, from 0, on which accounts are not asked: what follows compares over two sessions, and over three. */
const WITHOUT_ACCOUNTS = [2, 6, 7]
/** Evenings on which the service says something wrong of the accounts, or nothing. */
const FAULTS: Readonly<Record<number, FaultPlan>> = {
  1: [
    {
      route: 'position',
      nth: 'every',
      fault: { kind: 'mutate', symbol: 'VNM', field: 'quantity', value: '9900' },
    },
  ],
  4: [{ route: 'position', nth: 'every', fault: { kind: 'status', status: 400 } }],
}

/**
 * A home made as a user makes it: daily data filled backwards, declared corporate actions, then some evenings with accounts
 * that trade. At the end the service restates the last sessions, twice.
 *
 * @param sessions how many of daily data, those of the evenings included
 * @param withBars how many before the evenings with 1m bars. @default all
 */
export async function makeHome(sessions: number, evenings: number, withBars = sessions): Promise<string> {
  const days = loadCalendar().sessionsBetween('2024-01-02', LAST).slice(-sessions)
  const nights = days.slice(-evenings)
  const [first = LAST] = days
  const before = days.slice(0, -evenings)
  const [eve = first, firstWithBars = first] = [before.at(-1), before.at(-withBars)]
  const { restated, declarations, revised } = makeStory(LAST, sessions)
  const home = mkdtempSync(join(tmpdir(), 'candlehouse-oracle-'))
  const declare = async (ask: Ask, name: string, file: string): Promise<void> => {
    writeFileSync(join(home, name), file)
    await ask('import', 'corporate_actions', join(home, name))
  }
  try {
    await withSandbox(
      home,
      { date: eve, drive: true, ongoing: true, restate: restated },
      async (ask, { url }) => {
        for (const dataset of ['securitiesSummary', 'indexSummary', 'masterdata']) {
          await ask('backfill', dataset, '--date', eve, '--from', first)
        }
        const minutes = ['--symbols', WITH_MINUTES.join(), '--allow-unknown', '--timeframe', '1m']
        await ask('backfill', 'ohlc', '--date', eve, '--from', firstWithBars, ...minutes)
        await declare(ask, 'early.csv', declarations[0])
        for (const [evening, night] of nights.entries()) {
          await post(`${url}/sandbox/clock`, { to: `${night}T18:00:00+07:00` })
          await post(`${url}/sandbox/faults`, { faults: FAULTS[evening] ?? [] })
          const accounts = WITHOUT_ACCOUNTS.includes(evening) ? ['--skip-accounts'] : []
          await ask('nightly', '--date', night, '--sessions', '1', ...accounts)
        }
        await declare(ask, 'late.csv', declarations[1])
      },
    )
    for (const restate of revised) {
      await withSandbox(home, { date: LAST, restate: [...restated, ...restate] }, async (ask) => {
        await ask('nightly', '--date', LAST, '--sessions', '5', '--skip-accounts')
      })
    }
    return home
  } catch (problem) {
    rmSync(home, { recursive: true, force: true })
    throw problem
  }
}

type Ask = (...args: string[]) => Promise<void>

/** Runs the built program against a sandbox of these options. A run that ends with 4 names what is missing: as planned. */
async function withSandbox(
  home: string,
  options: SandboxOptions,
  use: (ask: Ask, sandbox: RunningSandbox) => Promise<void>,
): Promise<void> {
  const sandbox = await startWithEffects(options, systemEffects)
  const environment = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    CANDLEHOUSE_HOME: home,
    BROKER_BASE_URL: sandbox.url,
    BROKER_API_KEY: sandbox.apiKey,
    BROKER_API_SECRET: sandbox.apiSecret,
    BROKER_OTP: sandbox.otp,
    BROKER_MAX_RPS: '1000',
  }
  try {
    await use(async (...args) => {
      try {
        await run(process.execPath, [join(packageRoot, 'dist/src/main.js'), ...args, '--quiet'], {
          cwd: home,
          env: environment,
        })
      } catch (problem) {
        if ((problem as { code?: unknown }).code !== 4) throw problem
      }
    }, sandbox)
  } finally {
    await sandbox.close()
  }
}

async function post(url: string, body: unknown): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(await answer.text())
}
