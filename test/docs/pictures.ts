/**
 * Writes docs/images anew, `make pictures`: the report and the console of some nights of the sandbox, as a browser shows them. Look at
 * them before committing.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { startWithEffects } from '../../packages/sandbox/src/start.js'
import { startConsole } from '../../src/console/server.js'
import { systemEffects } from '../../src/effects.js'
import { packageRoot } from '../../src/package.js'
import { cli } from '../support/program.js'

const NIGHTS = ['2025-10-08', '2025-10-09', '2025-10-10']
const DAY = '2025-10-10'

const cwd = mkdtempSync(join(tmpdir(), 'candlehouse-pictures-'))
const home = join(cwd, 'data')
try {
  for (const date of NIGHTS) await run(date, ['nightly', '--sessions', '5'])
  for (const dataset of ['securitiesSummary', 'masterdata'])
    await run(DAY, ['backfill', dataset, '--from', '2025-01-02', '--to', DAY])
  await run(DAY, ['nightly', '--sessions', '2'])
  await takePictures()
} finally {
  rmSync(cwd, { recursive: true, force: true })
}

async function run(date: string, words: readonly string[]): Promise<void> {
  const sandbox = await startWithEffects({ date, ongoing: true, limitDays: [DAY] }, systemEffects)
  const env = {
    BROKER_BASE_URL: sandbox.url,
    BROKER_API_KEY: sandbox.apiKey,
    BROKER_API_SECRET: sandbox.apiSecret,
    BROKER_OTP: sandbox.otp,
    BROKER_MAX_RPS: '1000',
  }
  const { code, stderr } = await cli([...words, '--date', date, '--quiet'], { cwd, env, writesReport: true })
  await sandbox.close()
  if (code !== 0) throw new Error(`${words.join(' ')} of ${date} ended with ${code}: ${stderr}`)
}

async function takePictures(): Promise<void> {
  const served = await startConsole({ home, port: 0 }, systemEffects)
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  const { origin } = new URL(served.url)
  const report = pathToFileURL(join(home, 'reports', 'latest.html')).href
  const wide = { width: 1100, height: 1500 }
  const screen = { width: 1280, height: 860 }

  /** A picture of the address as a browser with these options shows it, after `ready`. */
  const take = async (
    name: string,
    address: string,
    options: BrowserContextOptions,
    ready: (page: Page) => Promise<void> = async () => {},
  ): Promise<void> => {
    const page = await browser.newPage(options)
    if (address.startsWith(origin)) await page.goto(served.url)
    await page.goto(address)
    await ready(page)
    await page.screenshot({ path: join(packageRoot, 'docs', 'images', `${name}.png`) })
    await page.close()
  }
  const drawn = async (page: Page): Promise<void> => {
    await page.locator('.legend').filter({ hasText: 'volume' }).waitFor()
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    )
  }

  await take('report-light', report, { viewport: wide })
  await take('report-dark', report, { viewport: wide, colorScheme: 'dark' })
  await take('report-phone', report, { viewport: { width: 390, height: 1500 } })
  await take('report-paper', report, { viewport: { width: 760, height: 1075 } }, async (page) => {
    await page.emulateMedia({ media: 'print' })
  })
  const limits = await browser.newPage({ viewport: wide })
  await limits.goto(report)
  const heading = await limits.getByRole('heading', { name: 'Limit hits' }).boundingBox()
  const tables = await limits.locator('h3:text-is("Limit hits") ~ .pair').first().boundingBox()
  if (!heading || !tables) throw new Error('no symbol closed at a limit')
  const clip = {
    x: tables.x - 12,
    y: heading.y - 12,
    width: tables.width + 24,
    height: tables.y + tables.height - heading.y + 24,
  }
  await limits.screenshot({
    path: join(packageRoot, 'docs', 'images', 'report-limits.png'),
    clip,
    fullPage: true,
  })
  await limits.close()
  await take('console-tonight-light', `${origin}/#/tonight`, { viewport: screen }, async (page) => {
    await page.locator('#conclusion').waitFor()
  })
  await take('console-chart-1d-light', `${origin}/#/chart/VPB/1d`, { viewport: screen }, drawn)
  await take(
    'console-chart-dark',
    `${origin}/#/chart/FPT/1m`,
    { viewport: screen, colorScheme: 'dark' },
    drawn,
  )
  await take(
    'console-sql-dark',
    `${origin}/#/sql`,
    { viewport: screen, colorScheme: 'dark' },
    async (page) => {
      await page.getByRole('button', { name: 'Run' }).click()
      await page.getByRole('gridcell').first().waitFor()
      await page.getByText(/ rows in /).waitFor()
    },
  )
  const guide = readFileSync(join(packageRoot, 'docs', 'first-ten-minutes.md'), 'utf8')
  const question = /```sql\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''
  const asked = `${origin}/#/sql/${encodeURIComponent(question)}`
  await take('console-question-light', asked, { viewport: screen }, async (page) => {
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('gridcell').first().waitFor()
    await page.getByRole('button', { name: 'Chart' }).click()
    await page.getByRole('img').waitFor()
  })
  await browser.close()
  await served.close()
}
