import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { systemEffects } from '../../src/effects.js'
import { loadCalendar } from '../../src/market/calendar.js'
import { packageRoot } from '../../src/package.js'
import { startSandbox } from '../../src/sandbox/index.js'

const run = promisify(execFile)

const LAST = '2025-06-30'
/** A stock of HOSE and a future have bars of every session; the nights fetch those of all symbols. */
const WITH_MINUTES = ['VNM', 'FPT', 'PVS', 'VN30F2507']

/**
 * A home made as a user makes it: daily data filled backwards, then some evenings with accounts that trade.
 *
 * @param sessions how many of daily data, those of the evenings included
 */
export async function makeHome(sessions: number, evenings: number): Promise<string> {
  const days = loadCalendar().sessionsBetween('2024-01-02', LAST).slice(-sessions)
  const nights = days.slice(-evenings)
  const [first = LAST] = days
  const eve = days.at(-evenings - 1) ?? first
  const home = mkdtempSync(join(tmpdir(), 'candlehouse-oracle-'))
  const sandbox = await startSandbox({ date: eve, drive: true, ongoing: true }, systemEffects)
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
  const candlehouse = async (...args: string[]): Promise<void> => {
    await run(process.execPath, [join(packageRoot, 'dist/src/main.js'), ...args, '--quiet'], {
      cwd: home,
      env: environment,
    })
  }
  try {
    for (const dataset of ['securitiesSummary', 'indexSummary', 'masterdata']) {
      await candlehouse('backfill', dataset, '--date', eve, '--from', first)
    }
    const minutes = ['--symbols', WITH_MINUTES.join(), '--allow-unknown', '--timeframe', '1m']
    await candlehouse('backfill', 'ohlc', '--date', eve, '--from', first, ...minutes)
    for (const night of nights) {
      await moveClock(sandbox.url, night)
      await candlehouse('nightly', '--date', night, '--sessions', '1')
    }
    return home
  } catch (problem) {
    rmSync(home, { recursive: true, force: true })
    throw problem
  } finally {
    await sandbox.close()
  }
}

async function moveClock(url: string, day: string): Promise<void> {
  const answer = await fetch(`${url}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to: `${day}T18:00:00+07:00` }),
  })
  if (!answer.ok) throw new Error(await answer.text())
}
