import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Served, serve } from '../console/support/served.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { candleWalk, limitWalk, publishTest } from '../support/published.js'
import { hasBrowser, NO_BROWSER, openBrowser, openPage, violationsOf } from './support/browser.js'

const DAY = '2025-03-14'
const HOSTILE = '<img src=x onerror=alert(1)>'

let browser: Browser
let console: Served

beforeAll(async () => {
  if (!hasBrowser) return
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const bars = ['09:15:00', '09:16:00', '11:29:00', '13:00:00', '14:45:00']
  await loadWalks(warehouse, home, [
    limitWalk(DAY, 'FPT', HOSTILE),
    candleWalk('FPT', DAY, bars),
    candleWalk(HOSTILE, DAY, bars),
  ])
  await publishTest(warehouse, home)
  console = await serve(home)
  browser = await openBrowser()
})

const PAGES = [
  'tonight',
  'chart/FPT/1m',
  'coverage',
  'findings/7',
  'accounts',
  'sql',
  'dictionary/mart.daily_adjusted',
  'trace/market.price_limit/{"symbol":"FPT","trading_date":"2025-03-14"}',
]

async function go(page: Page, address: string): Promise<void> {
  await page.goto(`${console.origin}/#/${address.split('/').map(encodeURIComponent).join('/')}`)
  await settled(page)
}

/** Until the page has what it asked for. */
async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  await page.locator('main').filter({ hasNotText: 'Loading…' }).waitFor()
}

async function entered(colorScheme: 'light' | 'dark' = 'light') {
  const opened = await openPage(browser, console.url, { colorScheme, reducedMotion: 'reduce' })
  await settled(opened.page)
  return opened
}

/** Names of what Tab reaches, in order, until it leaves the page. */
async function tabStops(page: Page): Promise<string[]> {
  const names: string[] = []
  for (let n = 0; n < 200; n += 1) {
    await page.keyboard.press('Tab')
    const name = await page.evaluate(`(() => {
      const focused = document.activeElement
      if (!focused || focused === document.body) return ''
      return focused.getAttribute('aria-label') || focused.labels?.[0]?.textContent || focused.textContent || focused.tagName
    })()`)
    if (name === '') return names
    names.push(String(name).trim())
  }
  return names
}

describe.skipIf(!hasBrowser)(`the console in a browser${NO_BROWSER}`, () => {
  test.each(['light', 'dark'] as const)(
    'has no violation, no error and no foreign request: %s',
    async (scheme) => {
      const { page, errors, foreign } = await entered(scheme)
      expect(new URL(page.url()).search).toBe('')
      for (const address of PAGES) {
        await go(page, address)
        expect([address, await violationsOf(page)]).toEqual([address, []])
      }
      expect([errors, foreign]).toEqual([[], []])
    },
  )

  test('every page is reached by keyboard, and has a table where it has a canvas', async () => {
    const { page } = await entered()
    for (const title of ['Chart', 'Coverage', 'Findings', 'Accounts', 'SQL', 'Dictionary', 'Tonight']) {
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: title }).focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => page.title()).toBe(`${title} · candlehouse`)
      await settled(page)
      const [canvases, tables] = [await page.locator('canvas').count(), await page.locator('table').count()]
      expect([title, canvases === 0 || tables > 0]).toEqual([title, true])
    }
  })

  test('a chart is read bar by bar with the arrows', async () => {
    const { page } = await entered()
    await go(page, 'chart/FPT/1m')
    await page.getByRole('region', { name: 'Chart of FPT' }).focus()
    await page.keyboard.press('Home')
    await expect.poll(() => page.locator('.legend').textContent()).toContain(`${DAY} 09:15 · O 27,000`)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.locator('.legend').textContent()).toContain(`${DAY} 09:16`)
    expect(await tabStops(page)).toContain('Bars as a table')
  })

  test('a statement is typed, run and read without a mouse', async () => {
    const { page, errors, foreign } = await entered()
    await go(page, 'sql')
    await page.getByRole('textbox', { name: 'SQL statement' }).focus()
    await page.keyboard.press('Control+a')
    // Text typed over a selection would take on its style, which the browser writes inline and the page's policy blocks.
    await page.keyboard.press('Delete')
    await page.keyboard.insertText('select range as n from range(1000000)')
    await page.keyboard.press('Control+Enter')
    const grid = page.getByRole('grid')
    await grid.waitFor()
    await page.getByText('1,000,000 rows in').waitFor()
    await grid.focus()
    await page.keyboard.press('Control+End')
    await page.getByRole('gridcell', { name: '999999', exact: true }).waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(100)
    expect([errors, foreign]).toEqual([[], []])
  })

  test('names that are markup are names', async () => {
    const { page, errors, foreign } = await entered()
    for (const address of [`chart/${HOSTILE}/1m`, 'coverage', `findings/${HOSTILE}`, `accounts/${HOSTILE}`])
      await go(page, address)
    await go(page, `chart/${HOSTILE}/1m`)
    expect(await page.locator('h1').textContent()).toContain(HOSTILE)
    expect([errors, foreign]).toEqual([[], []])
  })

  test('without the token there is nothing but how to get it', async () => {
    const { page } = await openPage(browser, console.origin)
    expect((await page.reload())?.status()).toBe(401)
    expect(await page.locator('body').textContent()).toContain(
      'open the address that candlehouse console printed',
    )
  })
})
