/**
 * What a person waits for in the browser, on a home of the full market: the console's first paint, a symbol's year of 1m
 * candles, the screener of all symbols, the first rows of a million, and the nightly report. Beside the limits that the project
 * has set itself; the pages while another program keeps one core busy.
 * Chromium does the drawing; without it only the report is measured. The home takes a minute to make; BENCH_HOME names one that
 * exists already, with a year of 1m bars of BENCH_SYMBOL (FPT) and BENCH_SYMBOL_2 (HPG).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { startWithEffects } from '../../packages/sandbox/src/start.js'
import { startConsole } from '../../src/console/server.js'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'
import { median, record } from './results.js'

const CHROMIUM = '/usr/bin/chromium'
const DAY = '2025-11-20'
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const [SYMBOL = 'FPT', OTHER = 'HPG'] = [process.env.BENCH_SYMBOL, process.env.BENCH_SYMBOL_2]

const scratch = mkdtempSync(join(tmpdir(), 'candlehouse-bench-'))
try {
  const home = process.env.BENCH_HOME ?? (await fullMarket(scratch))
  await measureReport(home)
  if (existsSync(CHROMIUM)) await measurePages(home)
  else process.stderr.write(`${CHROMIUM} is not installed: the pages are not measured\n`)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/** A night of the full market, then a year of minutes of two symbols. */
async function fullMarket(folder: string): Promise<string> {
  const sandbox = await startWithEffects({ date: DAY, universe: 'full' }, systemEffects)
  const env = {
    ...process.env,
    BROKER_BASE_URL: sandbox.url,
    BROKER_API_KEY: sandbox.apiKey,
    BROKER_API_SECRET: sandbox.apiSecret,
    BROKER_MAX_RPS: '1000',
  }
  const symbols = `${SYMBOL},${OTHER}`
  await program(['nightly', '--date', DAY, '--sessions', '1'], { cwd: folder, env })
  await program(['backfill', 'ohlc', '--date', DAY, '--symbols', symbols], { cwd: folder, env })
  await sandbox.close()
  return join(folder, 'data')
}

async function program(args: string[], options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<void> {
  const words = [join(packageRoot, 'dist/src/main.js'), ...args, '--quiet']
  const child = spawn(process.execPath, words, { ...options, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number]
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
}

async function measureReport(home: string): Promise<void> {
  const out = join(scratch, 'report.html')
  const options = { cwd: scratch, env: { ...process.env, CANDLEHOUSE_HOME: home } }
  const times = await timed(async () => await program(['report', '--out', out], options))
  within('the report of the full market, ms', times, 5_000)
  const size = readFileSync(out).byteLength / 1000
  record({
    what: 'the report of the full market, size',
    ours: `${size.toFixed(0)} kB`,
    beside: 'limit 2000 kB',
    ratio: size / 2_000,
  })
}

async function measurePages(home: string): Promise<void> {
  const served = await startConsole({ home, port: 0 }, systemEffects)
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  const busy = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.goto(served.url)
    const paints: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) paints.push(await firstPaint(page))
    within('console: first paint, ms', paints, 500)
    await page.goto(`${new URL(served.url).origin}/#/chart/${OTHER}/1d`)
    await until(page, `performance.getEntriesByName('chart-drawn').length > 0`)
    const charts: Drawn[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      charts.push(await drawn(page, `#/chart/${SYMBOL}/1m`))
      await drawn(page, `#/chart/${OTHER}/1d`)
    }
    const times = (name: keyof Drawn): number[] => charts.map((chart) => chart[name])
    within('console: a year of 1m candles, its last part drawn, ms', times('seen'), 500)
    within('console: a year of 1m candles, all of it drawn, ms', times('complete'), 500)
    const rows: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) rows.push(await firstRows(page, round))
    within('console: first rows of a million, ms', rows, 500)
    const screens: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) screens.push(await screenDrawn(page))
    within('console: the screener of all symbols, ms', screens, 500)
  } finally {
    busy.kill('SIGKILL')
    await browser.close()
    await served.close()
  }
}

/** Waits in the page; what Playwright has for this needs eval, which the console's policy forbids. */
async function until(page: Page, condition: string): Promise<void> {
  await page.evaluate(`(async () => {
    while (!(${condition})) await new Promise((resolve) => requestAnimationFrame(resolve))
  })()`)
}

/** From the start of the navigation until the browser painted content, ms. */
async function firstPaint(page: Page): Promise<number> {
  await page.reload()
  const entry = `performance.getEntriesByName('first-contentful-paint')[0]`
  await until(page, entry)
  return await page.evaluate(`${entry}.startTime`)
}

/** From the change of the address, ms. */
interface Drawn {
  /** Until the latest bars, which the screen shows, have been painted. */
  seen: number
  /** Until the chart has all bars, and has been painted. */
  complete: number
}

async function drawn(page: Page, address: string): Promise<Drawn> {
  return await page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    performance.clearMarks()
    const start = performance.now()
    location.hash = ${JSON.stringify(address)}
    while (performance.getEntriesByName('chart-drawn').length === 0) await frame()
    await frame()
    const seen = performance.now() - start
    while (performance.getEntriesByName('chart-complete').length === 0) await frame()
    await frame()
    return { seen, complete: performance.now() - start }
  })()`)
}

/** From Run until rows of the result are on the screen, ms. @param round makes it a statement whose result is not kept yet */
async function firstRows(page: Page, round: number): Promise<number> {
  const sql = `select range as n, range * 2 as twice from range(${1_000_000 + round})`
  await page.evaluate(`location.hash = '#/tonight'`)
  await page.locator('#conclusion').waitFor()
  await page.evaluate(`location.hash = ${JSON.stringify(`#/sql/${encodeURIComponent(sql)}`)}`)
  await page.getByRole('button', { name: 'Run' }).waitFor()
  return await page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const cell = () => document.querySelector('[role=gridcell]')?.textContent ?? '…'
    const start = performance.now()
    document.querySelector('button.main').click()
    while (cell() === '…') await frame()
    await frame()
    return performance.now() - start
  })()`)
}

/** From the change of the address until rows of the screener are on the screen, ms. */
async function screenDrawn(page: Page): Promise<number> {
  await page.evaluate(`location.hash = '#/tonight'`)
  await page.locator('#conclusion').waitFor()
  return await page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const start = performance.now()
    location.hash = '#/screener/kind:stock'
    while (document.querySelectorAll('.screen tbody tr').length < 2) await frame()
    await frame()
    return performance.now() - start
  })()`)
}

async function timed(work: () => Promise<void>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return times
}

/** The median, and the best where other programs were at work. */
function within(what: string, times: readonly number[], limit: number): void {
  const ours = median(times)
  const best = Math.min(...times)
  record({
    what,
    ours: `${ours.toFixed(0)} (best ${best.toFixed(0)})`,
    beside: `limit ${limit}`,
    ratio: ours / limit,
  })
}
