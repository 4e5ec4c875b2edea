/**
 * Writes docs/images anew, `make pictures`: the report and the console of the demo home (docs/demo.md), as a browser shows them.
 * DEMO=folder takes a home that is made. Look at them before committing.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { LAST_NIGHT, SPLIT, TROUBLED } from '../../src/cli/demo/story.js'
import { startConsole } from '../../src/console/server.js'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'
import { cli } from '../support/program.js'

/** Pictures are taken once, maybe on a machine that does other things. */
const PATIENCE_MS = 180_000
const WIDE = { width: 1100, height: 1500 }
const SCREEN = { width: 1280, height: 860 }

const cwd = mkdtempSync(join(tmpdir(), 'candlehouse-pictures-'))
const home = process.env.DEMO ?? (await demoHome())
try {
  await takePictures()
} finally {
  rmSync(cwd, { recursive: true, force: true })
}

async function demoHome(): Promise<string> {
  const { code, stderr } = await cli(['demo', '--no-console', '--quiet'], { cwd })
  if (code !== 0) throw new Error(`the demo ended with ${code}: ${stderr}`)
  return join(cwd, 'demo')
}

async function takePictures(): Promise<void> {
  const served = await startConsole({ home, port: 0 }, systemEffects)
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox'],
    timeout: PATIENCE_MS,
  })
  const reportOf = (day: string): string => pathToFileURL(join(home, 'reports', `${day}.html`)).href
  const report = reportOf(LAST_NIGHT)
  await takeReport(browser, report)
  await take(browser, 'report-trouble', reportOf(TROUBLED.day), { viewport: WIDE })
  await takeLimits(browser, report)
  await takeConsole(browser, served.url)
  await browser.close()
  await served.close()
}

/** A picture of the address as a browser with these options shows it, after `ready`. */
async function take(
  browser: Browser,
  name: string,
  address: string,
  options: BrowserContextOptions,
  ready: (page: Page) => Promise<void> = async () => {},
): Promise<void> {
  const page = await browser.newPage(options)
  page.setDefaultTimeout(PATIENCE_MS)
  await page.goto(address)
  await ready(page)
  await page.screenshot({ path: pictureOf(name) })
  await page.close()
}

function pictureOf(name: string): string {
  return join(packageRoot, 'docs', 'images', `${name}.png`)
}

async function takeReport(browser: Browser, report: string): Promise<void> {
  await take(browser, 'report-light', report, { viewport: WIDE })
  await take(browser, 'report-dark', report, { viewport: WIDE, colorScheme: 'dark' })
  await take(browser, 'report-phone', report, { viewport: { width: 390, height: 1500 } })
  const paper = { viewport: { width: 760, height: 1075 } }
  await take(browser, 'report-paper', report, paper, (page) => page.emulateMedia({ media: 'print' }))
}

/** The part of the report with the symbols that closed at a limit. */
async function takeLimits(browser: Browser, report: string): Promise<void> {
  const page = await browser.newPage({ viewport: WIDE })
  await page.goto(report)
  const heading = await page.getByRole('heading', { name: 'Limit hits' }).boundingBox()
  const tables = await page.locator('h3:text-is("Limit hits") ~ .pair').first().boundingBox()
  if (!heading || !tables) throw new Error('no symbol closed at a limit')
  const clip = {
    x: tables.x - 12,
    y: heading.y - 12,
    width: tables.width + 24,
    height: tables.y + tables.height - heading.y + 24,
  }
  await page.screenshot({ path: pictureOf('report-limits'), clip, fullPage: true })
  await page.close()
}

/** @param address of the console, with its token: opened first, so that the browser may open its pages */
async function takeConsole(browser: Browser, address: string): Promise<void> {
  const { origin } = new URL(address)
  const screen = async (
    name: string,
    path: string,
    colorScheme: 'light' | 'dark',
    ready: (page: Page) => Promise<void>,
  ): Promise<void> =>
    await take(browser, name, address, { viewport: SCREEN, colorScheme }, async (page) => {
      await page.goto(`${origin}/#/${path}`)
      await ready(page)
    })
  await screen('console-tonight-light', 'tonight', 'light', async (page) => {
    await page.locator('#conclusion').waitFor()
  })
  await screen('console-accounts-light', 'accounts', 'light', async (page) => {
    await page.getByRole('heading', { name: 'Positions', exact: true }).waitFor()
  })
  await screen('console-chart-1d-light', `chart/${SPLIT.symbol}/1d`, 'light', chartIsDrawn)
  await screen('console-chart-dark', 'chart/FPT/1m', 'dark', chartIsDrawn)
  await screen('console-sql-dark', 'sql', 'dark', async (page) => {
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('gridcell').first().waitFor()
    await page.getByText(/ rows in /).waitFor()
  })
  const guide = readFileSync(join(packageRoot, 'docs', 'first-ten-minutes.md'), 'utf8')
  const question = /```sql\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''
  await screen('console-question-light', `sql/${encodeURIComponent(question)}`, 'light', async (page) => {
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('gridcell').first().waitFor()
    await page.getByRole('button', { name: 'Chart' }).click()
    await page.getByRole('img').waitFor()
  })
}

async function chartIsDrawn(page: Page): Promise<void> {
  await page.locator('.legend').filter({ hasText: 'volume' }).waitFor()
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
}
