import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SandboxOptions } from '../../packages/sandbox/src/options.js'
import { startWithEffects } from '../../packages/sandbox/src/start.js'
import { systemEffects } from '../../src/effects.js'
import { readProgress } from '../../src/night/progress.js'
import { type Report, reportModel } from '../../src/report/model/report.js'
import { type Served, serve } from '../console/support/served.js'
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { type At, cli, type Ran } from '../support/program.js'
import { ask } from '../support/published.js'
import {
  hasBrowser,
  NO_BROWSER,
  type OpenedPage,
  openBrowser,
  openPage,
  violationsInBoth,
  violationsOf,
} from './support/browser.js'
import { showAddress } from './support/shown.js'

/**
 * Between these nights of the sandbox's market VPB goes ex-dividend (7 October) and MKC moves from HNX to HOSE, and into other
 * indexes (10 October). The second night also restates a value, and reports shares that nobody bought. A snapshot of
 * the day before lets cash be compared. On the second day many stocks close at a limit.
 */
const FIRST = '2025-10-06'
const DAY_BEFORE = '2025-10-09'
const SECOND = '2025-10-10'
const ACCOUNT = '0881234561'

const cwd = temporaryFolder()
const home = join(cwd, 'data')
let report: Report
let console: Served
let browser: Browser
/** What Tonight showed while the second night ran, and after it. */
let seen: { headings: string[]; phases: string[] }

async function runOf(
  date: string,
  words: readonly string[],
  options: SandboxOptions = {},
  more: Pick<At, 'writesReport'> = {},
  until = Promise.resolve(),
): Promise<Ran> {
  const effects = { ...systemEffects, sleep: () => until }
  const sandbox = await startWithEffects({ date, ongoing: true, ...options }, effects)
  onEnd(() => sandbox.close())
  const env = {
    BROKER_BASE_URL: sandbox.url,
    BROKER_API_KEY: sandbox.apiKey,
    BROKER_API_SECRET: sandbox.apiSecret,
    BROKER_OTP: sandbox.otp,
    BROKER_MAX_RPS: '1000',
  }
  return await cli([...words, '--date', date, '--quiet'], { cwd, env, ...more })
}

/** Keeps, in the page, every heading of the conclusion and every phase that Tonight shows. */
const WATCH = `
  window.seen = { headings: new Set(), phases: new Set() }
  const look = () => {
    const heading = document.querySelector('#conclusion')?.textContent
    if (heading) seen.headings.add(heading)
    for (const name of document.querySelectorAll('.phases .name')) seen.phases.add(name.textContent)
  }
  look()
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
`

/** The page of the console, from the second night on: tests go to its addresses. */
let entered: OpenedPage

/** @param goOn lets the night go on, whose first candles wait for it: a busy machine may show the page late */
async function watched(second: Promise<Ran>, goOn: () => void): Promise<typeof seen> {
  entered = await openPage(browser, console.url)
  const { page, errors, foreign } = entered
  while (!readProgress(home)) await new Promise((resolve) => setImmediate(resolve))
  await page.reload()
  await page.evaluate(WATCH)
  await page.getByRole('heading', { name: `A nightly is running for ${SECOND}` }).waitFor()
  goOn()
  await second
  await page.getByRole('heading', { name: `The nightly for ${SECOND}` }).waitFor()
  expect([errors, foreign]).toEqual([[], []])
  return (await page.evaluate('({ headings: [...seen.headings], phases: [...seen.phases] })')) as typeof seen
}

beforeAll(async () => {
  const first = await runOf(FIRST, ['nightly', '--sessions', '1', '--skip-accounts'])
  expect(first.code, first.stderr).toBe(0)
  expect((await runOf(DAY_BEFORE, ['snapshot'])).code).toBe(0)
  console = await serve(home, { effects: systemEffects })
  const disturbed: SandboxOptions = {
    limitDays: [SECOND],
    restate: [{ symbol: 'FPT', tradingDate: FIRST, field: 'average', value: '13123' }],
    faults: [
      { route: 'ohlc', nth: 1, fault: { kind: 'delay', ms: 600_000 } },
      {
        route: 'position',
        nth: 'every',
        query: { accountNo: ACCOUNT },
        fault: { kind: 'mutate', symbol: 'VNM', field: 'quantity', value: '9900' },
      },
    ],
  }
  if (hasBrowser) browser = await openBrowser()
  let goOn: () => void = () => undefined
  const isSeen = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const second = runOf(SECOND, ['nightly', '--sessions', '5'], disturbed, { writesReport: true }, isSeen)
  if (hasBrowser) seen = await watched(second, goOn)
  else goOn()
  const { code, stderr } = await second
  expect(code, stderr).toBe(0)
  report = await reportModel(home, {}, systemEffects)
})

describe('the report of a night on which much changed', () => {
  test('has what the sandbox changed', () => {
    const { changes } = report
    const atLimit = report.market?.symbols.filter(({ at_ceiling, at_floor }) => at_ceiling || at_floor) ?? []
    expect(atLimit.map(({ at_ceiling }) => at_ceiling)).toEqual(expect.arrayContaining([true, false]))
    expect(changes?.before).toBe(FIRST)
    expect(changes?.revisions).toMatchObject([
      { relation: 'market.daily_summary', column: 'average', changes: 1, new_value: '13123.000000' },
    ])
    expect(changes?.listings).toMatchObject([
      { event: 'moved', symbol: 'MKC', board_before: 'HNX', board: 'HOSE', trading_date: SECOND },
    ])
    expect(changes?.adjustments.map(({ symbol, ex_date }) => [symbol, ex_date])).toEqual([
      ['VPB', '2025-10-07'],
    ])
    const joined = (has: boolean) =>
      changes?.memberships.filter(({ has_joined }) => has_joined === has).map((each) => each.index_code)
    expect(joined(true)).toContain('VNINDEX')
    expect(joined(false)).toContain('HNXINDEX')
    expect(report.accounts.find(({ account }) => account === ACCOUNT)?.residual.state).toBe('unexplained')
  })

  test('has the figures that plain sums of the stored rows give', async () => {
    const { market } = report
    const only = async (sql: string): Promise<number> => Number((await ask(home, sql))[0]?.figure)
    const stocks = `FROM market.daily_summary WHERE trading_date = '${SECOND}' AND length(symbol) = 3`
    const deals = market?.symbols.filter((each) => each.deal_value).map(({ symbol }) => symbol)
    const dealt = await ask(home, `SELECT symbol ${stocks} AND total_deal_value > 0 ORDER BY symbol`)
    expect(deals?.filter((symbol) => symbol.length === 3).sort()).toEqual(dealt.map(({ symbol }) => symbol))
    expect(deals?.length).toBeGreaterThan(0)
    // Stocks have three letters, ETFs and funds eight: all other codes are warrants and futures.
    const listed = `FROM market.daily_summary WHERE trading_date = '${SECOND}' AND length(symbol) IN (3, 8)
      AND symbol NOT LIKE 'C%' AND NOT regexp_matches(symbol, '^(41|VN30F)')`
    const bought = await only(
      `SELECT CAST(sum(total_foreign_buy_value) - sum(total_foreign_sell_value) AS DOUBLE) AS figure ${listed}
       OR trading_date = '${SECOND}' AND symbol LIKE 'C__'`,
    )
    expect(market?.flows.at(-1)?.foreign_net).toBeCloseTo(bought, 0)
    const desks =
      await only(`SELECT CAST(sum(total_prop_buy_value - total_prop_sell_value) AS DOUBLE) AS figure
      FROM market.index_summary WHERE trading_date = '${SECOND}' AND index_code IN ('VNINDEX', 'HNXINDEX', 'UPCOMINDEX')`)
    expect(market?.flows.at(-1)?.proprietary_net).toBeCloseTo(desks, 0)
    const closing =
      await only(`SELECT CAST(sum(volume) FILTER (WHERE CAST(local_time AS TIME) >= TIME '14:30') AS DOUBLE)
        / CAST(sum(volume) AS DOUBLE) AS figure
      FROM market.candle JOIN market.price_limit USING (symbol, trading_date)
      WHERE timeframe = '1m' AND trading_date = '${SECOND}' AND exchange = 'HOSE' AND length(symbol) IN (3, 8)`)
    expect(market?.auctions.find(({ board }) => board === 'HOSE')?.closing_part).toBeCloseTo(closing, 3)
  })
})

describe.skipIf(!hasBrowser)(`the report in a browser${NO_BROWSER}`, () => {
  const address = pathToFileURL(join(home, 'reports', 'latest.html')).href
  let opened: OpenedPage
  beforeAll(async () => {
    opened = await openPage(browser, address, { colorScheme: 'dark' })
  })

  test('has a table behind every chart, and one sentence before it', async () => {
    const { page } = opened
    const figures = await page.locator('figure').count()
    expect(figures).toBeGreaterThan(5)
    expect(await page.locator('figure > details table').count()).toBe(figures)
    expect(await page.locator('figure > figcaption > p').count()).toBe(figures)
  })

  test('has no violations in dark and in light, no errors, and asks for nothing', async () => {
    const { page, errors, foreign } = opened
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    expect(await violationsInBoth(page, 'dark')).toEqual([])
    expect(errors).toEqual([])
    expect(foreign).toEqual([])
  })

  test('fits a phone, and shows the drawings that were made for it', async () => {
    const { page } = opened
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = false")
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(await page.locator('.drawing.narrow').first().isVisible()).toBe(true)
    expect(await page.locator('.drawing.wide').first().isVisible()).toBe(false)
    const caption = await page.locator('caption span').last().boundingBox()
    expect((caption?.x ?? 0) + (caption?.width ?? 390)).toBeLessThanOrEqual(390)
  })
})

describe.skipIf(!hasBrowser)(`the console of these nights in a browser${NO_BROWSER}`, () => {
  test('Tonight showed the phases of the night while it ran, then how it ended', () => {
    expect(seen.headings).toEqual([
      `A nightly is running for ${SECOND}`,
      `The nightly for ${SECOND}: complete`,
    ])
    expect(seen.phases).toEqual(expect.arrayContaining(['lists', 'daily', 'candles']))
  })

  /** Pages that have more to show with accounts, findings and a year's events. In short: accounts.test.ts has the others of accounts. */
  const PAGES = [
    'chart/VPB/1d',
    `accounts/${ACCOUNT}/reconciliation`,
    'findings/14',
    ...(LONG ? ['accounts', `accounts/${ACCOUNT}/orders`, 'tonight', 'coverage/FPT'] : []),
  ]

  test('pages with the data of whole nights have no violation, no error and no foreign request', async () => {
    const { page, errors, foreign } = entered
    await page.emulateMedia({ colorScheme: 'dark' })
    for (const address of PAGES) {
      await showAddress(page, address)
      expect([address, await violationsOf(page)]).toEqual([address, []])
    }
    expect([errors, foreign]).toEqual([[], []])
  })

  test('a symbol or an account that is not stored is answered in words, above those that are', async () => {
    const { page, errors } = entered
    for (const [address, words] of [
      ['coverage/ZZZ', 'There is no symbol ZZZ. Below: all symbols.'],
      ['accounts/1', 'There is no account 1. Below: all accounts.'],
    ]) {
      await showAddress(page, address ?? '')
      expect(await page.getByRole('alert').allTextContents()).toEqual([words])
    }
    expect(errors).toEqual([])
  })

  test('an account shows its cash as a waterfall, shares that nothing explains, and the event at which they differ', async () => {
    const { page } = entered
    await showAddress(page, `accounts/${ACCOUNT}/reconciliation`)
    await page.getByRole('img', { name: 'Waterfall of cash' }).waitFor()
    const shares = page.getByRole('region', { name: 'Shares between two snapshots' })
    const [expected = '', reported = '', residual = ''] = (
      await shares.getByRole('row').filter({ hasText: 'VNM' }).getByRole('cell').allTextContents()
    ).slice(-3)
    expect(reported).toBe('9,900')
    expect(residual).toBe((9_900 - Number(expected.replaceAll(',', ''))).toLocaleString('en-US'))
    const events = page.getByRole('region', { name: 'Events at which they differ' })
    const event = events.getByRole('row').filter({ hasText: 'VNM' }).first()
    await event.waitFor()
    const cells = await event.getByRole('cell').allTextContents()
    expect(cells.slice(1, 3)).toEqual(['position', 'VNM'])
    expect(cells[6]).toBe(`${residual} shares`)
  })
})
