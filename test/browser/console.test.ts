import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { palettes } from '../../src/settings/index.js'
import { type Served, serve } from '../console/support/served.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { LONG } from '../support/long.js'
import { candleWalk, indexWalk, limitWalk, publishTest, summaryWalk } from '../support/published.js'
import {
  hasBrowser,
  NO_BROWSER,
  openBrowser,
  openPage,
  violationsInBoth,
  violationsOf,
} from './support/browser.js'
import { showAddress, shown } from './support/shown.js'

const DAY = '2025-03-14'
const HOSTILE = '<img src=x onerror=alert(1)>'
const HOSTILE_NAMES = [HOSTILE, `O'X"`, '../../x']

let browser: Browser
let console: Served
const home = temporaryFolder()
let warehouse: Database

beforeAll(async () => {
  if (!hasBrowser) return
  warehouse = await openTestWarehouse(home)
  const bars = ['09:15:00', '09:16:00', '11:29:00', '13:00:00', '14:45:00']
  await loadWalks(warehouse, home, [
    limitWalk(DAY, 'FPT', 'E1VFVN30', ...HOSTILE_NAMES),
    summaryWalk(DAY, 'FPT'),
    indexWalk(DAY, 'VN30'),
    candleWalk('FPT', DAY, bars),
    ...HOSTILE_NAMES.map((symbol) => candleWalk(symbol, DAY, bars)),
  ])
  await publishTest(warehouse, home)
  write(home, 'sql/pages/my_page.md', OWN_PAGE)
  write(home, 'sql/pages/broken.md', BROKEN_PAGE)
  const folder = temporaryFolder()
  const environment = { XDG_STATE_HOME: folder, XDG_DATA_HOME: folder }
  console = await serve(home, { keeping: { environment, clean: (text) => text } })
  browser = await openBrowser()
})

const PAGES = [
  'tonight',
  'chart/FPT/1m',
  'watchlist/FPT,VN30',
  'screener/kind:stock,return_1:-1..',
  'coverage',
  'findings/7',
  'accounts',
  'sql',
  'page/my_page',
  'dictionary/mart.daily_adjusted',
  'trace/market.price_limit/{"symbol":"FPT","trading_date":"2025-03-14"}',
]

/**
 * In short the pages with marks of their own: all others have the colours of these. Accounts and SQL are looked at in both by tests
 * of theirs.
 */
const isSeenInDark = (address: string): boolean =>
  LONG || /^(tonight|chart|coverage|findings|page)/.test(address)

/** Text and values that try to be more than text and values, and blocks that cannot be shown as they are written. */
const OWN_PAGE = `# My <b>page</b>

Text with *stress*, <script>alert(1)</script>, [a link](https://example.com), [a trap](javascript:alert(1)) and
![a picture](https://example.com/x.png).

\`\`\`sql
-- Names
SELECT symbol, count(*) AS bars, '<img src=x onerror=alert(2)>' AS note, 'javascript:alert(3)' AS link
FROM market.candle WHERE timeframe = '1m' GROUP BY symbol ORDER BY symbol
\`\`\`

\`\`\`sql chart split=symbol value=volume
-- Volume by bar
SELECT opened_at, symbol, volume FROM market.candle WHERE timeframe = '1m' ORDER BY ALL
\`\`\`

\`\`\`sql chart over=nothing
SELECT opened_at, volume FROM market.candle
\`\`\`

\`\`\`sql pie
SELECT 1
\`\`\`
`

const BROKEN_PAGE = `# Broken

\`\`\`sql
SELECT nothing FROM market.candle
\`\`\`

\`\`\`sql
SELECT 'still here' AS words
\`\`\`
`

function write(folder: string, name: string, text: string): void {
  const file = join(folder, name)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const go = (page: Page, address: string): Promise<void> =>
  showAddress(page, address.split('/').map(encodeURIComponent).join('/'))

async function entered(colorScheme: 'light' | 'dark' = 'light') {
  const opened = await openPage(browser, console.url, { colorScheme, reducedMotion: 'reduce' })
  await shown(opened.page)
  return opened
}

let shared: ReturnType<typeof entered> | undefined

/** An opened console, at the address where the last test left it: for tests that only follow addresses. */
const reentered = (): ReturnType<typeof entered> => {
  shared ??= entered()
  return shared
}

/**
 * Walks with Tab from the top of the page, as many steps as there is to reach: what is a trap lets something be unreached. What
 * can be focused and was not reached, what has no name, and what shows no outline.
 */
async function faultsOfWalk(page: Page): Promise<string[]> {
  const wanted = (await page.evaluate(FOCUSABLE)) as string[]
  await page.evaluate(WATCH_FOCUS)
  await page.evaluate('walked.length = 0')
  await page.locator('.skip').focus()
  // A field of a date has three stops of its own, and beyond the last element is one of the browser's.
  for (let n = 0; n < wanted.length + 4; n += 1) await page.keyboard.press('Tab')
  const stops = (await page.evaluate('walked.splice(0)')) as { id: string; name: string; isSeen: boolean }[]
  const reached = new Set(stops.map(({ id }) => id))
  return [
    ...stops.filter(({ name }) => name === '').map(({ id }) => `no name: ${id}`),
    ...stops.filter(({ isSeen }) => !isSeen).map(({ id, name }) => `no outline: ${id} ${name}`),
    ...wanted.filter((id) => !reached.has(id)).map((id) => `not reached: ${id}`),
  ]
}

/** Elements are numbered in the page; of radio buttons, Tab reaches the chosen one. */
const NUMBER = `(element) => element.dataset.stop ??= (window.stops = (window.stops ?? 0) + 1) + element.outerHTML.slice(0, 60)`

const FOCUSED = `(() => {
  const element = document.activeElement
  if (!element || element === document.body) return null
  const style = getComputedStyle(element)
  const isSeen = style.outlineStyle !== 'none' || element.type === 'radio' || element.shadowRoot !== null
  const name = element.getAttribute('aria-label') || element.labels?.[0]?.textContent || element.textContent || element.title || (element.shadowRoot ? 'editor' : '')
  return { id: (${NUMBER})(element), name: name.trim(), isSeen }
})()`

/** The page itself writes down where the focus goes: asking it after every step took most of the time of a walk. */
const WATCH_FOCUS = `if (!window.walked) {
  window.walked = []
  addEventListener('focusin', () => { const stop = ${FOCUSED}; if (stop) walked.push(stop) })
}`

const FOCUSABLE = `[...document.querySelectorAll('a[href], button:not(:disabled), input, select, summary, [tabindex="0"]')]
  .filter((element) => element.checkVisibility() && (element.type !== 'radio' || element.checked))
  .map(${NUMBER})`

/** Between the end of a chart's elements and that of its effects, where a change of the system's colours seldom falls. */
const CHANGE_COLOURS_WHEN_LEFT = `{
  const schemes = []
  const ask = matchMedia
  window.matchMedia = (query) => {
    const asked = ask(query)
    schemes.push(asked)
    return asked
  }
  window.colourChanges = 0
  let chart = null
  new MutationObserver(() => {
    if (chart && !chart.isConnected) {
      colourChanges += 1
      for (const scheme of schemes) scheme.dispatchEvent(new Event('change'))
    }
    chart = document.querySelector('.chart')
  }).observe(document.body, { childList: true, subtree: true })
}`

/** The last relation of the list stands for all: a new view is no change of the page. */
function withoutRelations(snapshot: string): string {
  const items = /( +- listitem:\n +- link "(?:market|account|mart|ops|recon)\.\w+":\n +- \/url: [^\n]+\n)+/g
  return snapshot.replace(items, (_, last: string) => last)
}

describe.skipIf(!hasBrowser)(`the console in a browser${NO_BROWSER}`, () => {
  test('every page has no violation in light and in dark, no error, no foreign request, asks for nothing twice, is walked by keyboard alone, reads as it did, and has a table behind each canvas', async () => {
    const { page, errors, foreign } = await entered('dark')
    const asked: string[] = []
    page.on('request', (request) =>
      asked.push([request.method(), request.url(), request.postData()].join(' ')),
    )
    expect(new URL(page.url()).search).toBe('')
    const up = "getComputedStyle(document.documentElement).getPropertyValue('--up')"
    expect(await page.evaluate(up)).toBe(palettes.vietnam.dark.up)
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await page.evaluate(up)).toBe(palettes.vietnam.light.up)
    for (const address of PAGES) {
      const [name = ''] = address.split('/')
      if (name !== 'trace' && name !== 'page') {
        const link = page.getByRole('navigation', { name: 'Pages' }).locator(`a[href="#/${name}"]`)
        await link.focus()
        await page.keyboard.press('Enter')
        // Drawn with the page itself: until then the page before stands there, and would be taken for this one.
        await link.and(page.locator('[aria-current="page"]')).waitFor()
      }
      asked.length = 0
      await go(page, address)
      const violations = isSeenInDark(address)
        ? await violationsInBoth(page, 'light')
        : await violationsOf(page)
      expect([address, violations]).toEqual([address, []])
      expect([address, asked.filter((request, at) => asked.indexOf(request) < at)]).toEqual([address, []])
      expect([address, await faultsOfWalk(page)]).toEqual([address, []])
      const read = withoutRelations(await page.locator('main').ariaSnapshot())
      await expect(read).toMatchFileSnapshot(`aria/${name}.txt`)
      for (const folded of await page.locator('main summary').all()) await folded.click()
      const [canvases, tables] = [await page.locator('canvas').count(), await page.getByRole('table').count()]
      expect([address, canvases === 0 || tables > 0]).toEqual([address, true])
    }
    expect([errors, foreign]).toEqual([[], []])
  })

  test('a page whose data do not come has its heading, and says so', async () => {
    const { page } = await entered()
    await page.route('**/api/**', (route) => route.abort())
    for (const address of PAGES) {
      await go(page, address)
      // The editor asks for nothing until a statement is run.
      if (address !== 'sql') await page.getByRole('alert').first().waitFor()
      expect([address, await page.locator('main h1').count()]).toEqual([address, 1])
    }
  })

  test('colours that change as a chart is left end it once', async () => {
    const { page, errors } = await entered()
    await page.evaluate(CHANGE_COLOURS_WHEN_LEFT)
    await go(page, 'chart/FPT/1m')
    await page.locator('.chart canvas').first().waitFor()
    await go(page, 'coverage')
    expect(await page.evaluate('colourChanges')).toBe(1)
    expect(errors).toEqual([])
  })

  test('a symbol is found by its exact name, and a chart is read bar by bar with the arrows', async () => {
    const { page } = await reentered()
    await go(page, 'chart/FPT/1m/raw')
    await page.getByRole('combobox', { name: 'Symbol' }).fill('vn30')
    await page.getByRole('option', { name: 'E1VFVN30' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /^VN30 VN30 Index/ }).waitFor()
    expect(new URL(page.url()).hash).toBe('#/chart/VN30/1m/raw')
    await go(page, 'chart/FPT/1m/raw')
    await page.getByRole('region', { name: 'Chart of FPT' }).focus()
    await page.keyboard.press('Home')
    await expect.poll(() => page.locator('.legend').textContent()).toContain(`${DAY} 09:15 · O 27,000`)
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => page.locator('.legend').textContent()).toContain(`${DAY} 09:16`)
    await page.getByText('Bars as a table').press('Enter')
    const table = page.getByRole('region', { name: /bars of FPT/ })
    await table.waitFor()
    expect(await table.getByRole('row').count()).toBe(6)
  })

  test('indicators are chosen in a menu, drawn over the bars that there are, and stand in the address', async () => {
    const { page, errors } = await reentered()
    await go(page, 'chart/FPT/1m/raw')
    await page.locator('summary', { hasText: 'Indicators' }).press('Enter')
    await page.getByRole('spinbutton', { name: 'Bars of SMA' }).fill('2')
    await page.getByRole('checkbox', { name: 'VWAP' }).check()
    await page.getByRole('checkbox', { name: 'RSI' }).check()
    await expect
      .poll(() => decodeURIComponent(new URL(page.url()).hash))
      .toBe('#/chart/FPT/1m/raw///sma2,vwap,rsi')
    // Five bars at 27,050: RSI has not enough of them.
    await expect
      .poll(() => page.locator('.legend').textContent())
      .toMatch(/SMA 2 27,050 · VWAP [\d,.]+ · RSI 14 –/)
    await page.reload()
    await page.getByText('Indicators (3)').waitFor()
    await page.getByText('Bars as a table').press('Enter')
    await page.getByRole('columnheader', { name: 'RSI 14' }).waitFor()
    await go(page, 'chart/FPT/1m/adjusted//VN30/sma')
    await page.locator('summary', { hasText: 'Indicators' }).press('Enter')
    await page.getByText('A comparison has no indicators.').waitFor()
    expect(await page.getByRole('checkbox', { name: 'SMA' }).isDisabled()).toBe(true)
    expect(errors).toEqual([])
  })

  test('sessions become weeks and months', async () => {
    const { page, errors } = await reentered()
    await go(page, 'chart/FPT/1w')
    await page.getByText('Weeks begin on Monday').waitFor()
    await expect.poll(() => page.locator('.legend').textContent()).toContain('2025-03-10 · O ')
    await page.getByRole('radio', { name: '1M', exact: true }).check({ force: true })
    await expect.poll(() => new URL(page.url()).hash).toBe('#/chart/FPT/1M')
    await expect.poll(() => page.locator('.legend').textContent()).toContain('2025-03-01 · O ')
    expect(errors).toEqual([])
  })

  test('a statement is typed, run and read without a mouse', async () => {
    const { page, errors, foreign } = await reentered()
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
    await page.getByRole('gridcell', { name: '999,999', exact: true }).waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(100)
    // The title is above the first row; sorted down, the last of a million is the first.
    for (const key of ['Control+Home', 'ArrowUp', 'Enter', 'Enter', 'ArrowDown'])
      await page.keyboard.press(key)
    await page.getByText('All 1,000,000 stored rows sorted by n, descending.').waitFor()
    await page.locator('#cell-0-0').getByText('999,999').waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    for (const key of ['Shift+ArrowDown', 'Control+c']) await page.keyboard.press(key)
    await page.getByText('Copied 2 × 1 values').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('999999\n999998')
    expect(await violationsInBoth(page, 'light')).toEqual([])
    // A statement in the address, as a bookmark or the back button leads to, takes the place of the typed one.
    await page.goto(`${console.origin}/#/sql?q=${encodeURIComponent("select 42 as n, '?/+ &' as x")}`)
    await page
      .getByRole('textbox', { name: 'SQL statement' })
      .getByText("select 42 as n, '?/+ &' as x")
      .waitFor()
    expect(await grid.count()).toBe(0)
    await page.getByRole('button', { name: 'Run' }).press('Enter')
    await page.getByRole('gridcell', { name: '?/+ &' }).waitFor()
    const room =
      "[...document.querySelectorAll('.grid-body .quiet')].map((row) => row.clientWidth - row.scrollWidth)"
    expect(await page.evaluate(room), 'the row number is not cut').toEqual([0])
    expect([errors, foreign]).toEqual([[], []])
  })

  test('a result is drawn, saved under a name, found again and downloaded, and no request is sent twice', async () => {
    const { page, errors } = await reentered()
    const asked: string[] = []
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
    const sql = `select opened_at, symbol, volume from market.candle where symbol <> 'FPT' order by 1`
    await page.goto(`${console.origin}/#/sql?q=${encodeURIComponent(sql)}`)
    await page.getByRole('button', { name: 'Run' }).press('Enter')
    await page.getByRole('button', { name: 'Chart' }).press('Enter')
    const plot = page.getByRole('img', { name: /over opened_at/ })
    await plot.waitFor()
    expect(await page.getByLabel('Split by').inputValue()).toBe('1')
    await page.getByRole('combobox', { name: 'Over' }).selectOption({ label: 'symbol' })
    await page.getByRole('img', { name: /volume over symbol/ }).waitFor()
    expect(await violationsInBoth(page, 'light')).toEqual([])
    await page.getByRole('button', { name: 'Saved' }).press('Enter')
    await page.getByLabel('Name').fill('Others')
    await page.getByLabel('Name').press('Enter')
    await page.getByRole('button', { name: 'Others', exact: true }).waitFor()
    await page.getByRole('button', { name: 'History' }).press('Enter')
    await page.getByRole('searchbox').fill('no such words')
    await page.getByText('None of the statements has these words.').waitFor()
    await page.getByRole('searchbox').fill('FPT')
    expect(await violationsInBoth(page, 'light')).toEqual([])
    await page.getByRole('button', { name: sql }).press('Enter')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Excel' }).press('Enter')
    expect((await download).suggestedFilename()).toBe('result.xlsx')
    const results = asked.filter((request) => /results|names|symbols/.test(request))
    expect(results).toEqual([...new Set(results)])
    expect(errors).toEqual([])
  })

  test.each(HOSTILE_NAMES)('a symbol named %j is a name on every page', async (symbol) => {
    const { page, errors, foreign } = await reentered()
    const names = LONG ? ['findings', 'accounts', 'dictionary', 'sql'] : []
    for (const name of ['coverage', ...names, 'chart']) {
      await showAddress(page, `${name}/${encodeURIComponent(symbol)}`)
    }
    expect(await page.locator('h1').textContent()).toContain(symbol)
    expect([errors, foreign]).toEqual([[], []])
  })

  test('the lineage of a relation that reads no other begins at the edge, where a phone shows it', async () => {
    const { page } = await reentered()
    await go(page, 'dictionary/market.candle')
    expect(await page.locator('.lineage .chosen').getAttribute('x')).toBe('1')
  })

  test.each([
    ['findings/999', 'There is no rule 999. Below: the findings of all rules.'],
    ['dictionary/market.candel', 'There is no relation market.candel. Below: all relations.'],
    ['chrt/FPT', 'There is no page chrt. Below: tonight.'],
  ])('an address that names nothing is answered in words: %s', async (address, words) => {
    const { page, errors } = await reentered()
    await go(page, address)
    expect(await page.getByRole('alert').allTextContents()).toEqual([words])
    await go(page, 'dictionary/market.candle')
    expect([await page.getByRole('alert').count(), errors]).toEqual([0, []])
  })

  test('while another address is loaded, the page that still shows the last one says that it is busy', async () => {
    const { page } = await reentered()
    await go(page, 'watchlist')
    let goOn = (): void => undefined
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route('**/api/views/watchlist**', async (route) => {
      await held
      await route.fallback()
    })
    const next = go(page, 'watchlist/VN30')
    await page.locator('main[aria-busy="true"]').getByText('You watch nothing yet').waitFor()
    goOn()
    await next
    expect(await page.getByText('You watch nothing yet').count()).toBe(0)
    await page.unroute('**/api/views/watchlist**')
  })

  test('what findings, coverage and dictionary show is in their address, and found again by it', async () => {
    const { page, errors } = await reentered()
    const hash = () => decodeURIComponent(decodeURIComponent(new URL(page.url()).hash))
    await go(page, 'findings')
    await page.getByLabel('state').selectOption('pass')
    await page.getByRole('searchbox').fill('no such words')
    await expect.poll(hash).toBe('#/findings/all/state:pass,find:no such words')
    await page.reload()
    await shown(page)
    expect(await page.getByRole('searchbox').inputValue()).toBe('no such words')
    await go(page, 'coverage')
    await page.getByRole('searchbox').fill('FPT')
    await page.getByText('1 symbol of').waitFor()
    await page.getByRole('region', { name: /^Map of 1 symbols/ }).press('End')
    await expect.poll(hash).toBe('#/coverage/FPT/find:FPT')
    await page.getByRole('heading', { name: 'FPT' }).waitFor()
    await go(page, 'dictionary/market.candle')
    await page.getByRole('searchbox').fill('put-through value')
    await page.getByRole('link', { name: 'market.daily_summary', exact: true }).first().click()
    await expect.poll(hash).toBe('#/dictionary/market.daily_summary/put-through value')
    expect(await violationsInBoth(page, 'light')).toEqual([])
    expect(errors).toEqual([])
  })

  test('a page of the user’s own shows tables and charts, and a block that fails says why in its place', async () => {
    const { page, errors, foreign } = await reentered()
    await page.getByRole('link', { name: 'My <b>page</b>' }).press('Enter')
    await page.getByRole('heading', { name: 'My <b>page</b>', level: 1 }).waitFor()
    expect(new URL(page.url()).hash).toBe('#/page/my_page')
    await page.getByRole('region', { name: 'Names' }).getByText(HOSTILE, { exact: true }).waitFor()
    expect(await page.locator('main img, main script, main iframe').count()).toBe(0)
    const links = await page
      .locator('main .written a, main td a')
      .evaluateAll((all) => all.map((a) => a.getAttribute('href')))
    expect(links).toEqual(['https://example.com'])
    await page.getByRole('img', { name: /over opened_at/ }).waitFor()
    const alerts = page.getByRole('alert')
    await expect.poll(() => alerts.count()).toBe(2)
    expect((await alerts.allTextContents()).join('\n')).toMatch(
      /over=nothing: the result has no such column[\s\S]*my_page.md:\d+: a block is shown as table or chart, not as pie/,
    )
    await page.getByRole('link', { name: 'Ask it with SQL' }).first().press('Enter')
    await page.getByRole('textbox', { name: 'SQL statement' }).getByText('-- Names').waitFor()
    expect([errors, foreign]).toEqual([[], []])
    await go(page, 'page/broken')
    await page.getByText('still here').waitFor()
    await page.getByText('sql/pages/broken.md:4').waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('Referenced column "nothing" not found')
    await go(page, 'page/nothing')
    await page.getByText('There is no own page nothing. Below: all of them.').waitFor()
    expect(await page.locator('main').getByRole('link', { name: 'Broken' }).count()).toBe(1)
    // The browser's own words about the block that fails. Other tests share the page.
    expect(errors.splice(0)).toEqual([expect.stringContaining('status of 400')])
  })

  test('hostile statements are refused in words', async () => {
    const { page, errors } = await reentered()
    for (const sql of ['select 1; select 2', "from read_text('/etc/passwd')", "attach '/tmp/x.duckdb'"]) {
      await go(page, 'tonight')
      await page.goto(`${console.origin}/#/sql/${encodeURIComponent(sql)}`)
      await page.getByRole('button', { name: 'Run' }).press('Enter')
      expect([sql, await page.getByRole('alert').textContent()]).not.toEqual([sql, ''])
      expect(await page.getByRole('grid').count()).toBe(0)
    }
    expect(errors).toEqual([])
  })

  test('a page of another origin reads nothing, though the browser has the cookie', async () => {
    const other = await serve(home)
    const { page } = await entered()
    await page.context().unroute('**/*')
    await page.goto(other.url)
    const asked = await page.evaluate(
      `fetch('${console.origin}/api/tonight', { credentials: 'include' }).then(() => 'read', () => 'refused')`,
    )
    expect(asked).toBe('refused')
  })

  test('an open page follows the catalog through its swaps: chart and SQL go on answering', async () => {
    const { page, errors } = await reentered()
    const sql = 'select max(publication_id)::integer as publication from ops.publication'
    for (let n = 1; n <= (LONG ? 50 : 3); n += 1) {
      await warehouse.run(
        `INSERT INTO ops.run BY NAME SELECT 'S${n}' AS run_id, 'nightly' AS job, 0 AS exit_code`,
      )
      const { id } = await publishTest(warehouse, home)
      await page.goto(`${console.origin}/#/sql/${encodeURIComponent(sql)}`)
      await page.getByRole('button', { name: 'Run' }).press('Enter')
      await page.getByRole('gridcell', { name: String(id), exact: true }).waitFor()
      await page.goto(`${console.origin}/#/chart/FPT/${n % 2 === 0 ? '1m' : '5m'}`)
      await page.locator('.legend').filter({ hasText: DAY }).waitFor()
    }
    expect(errors).toEqual([])
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('a console that was stopped is named, with the command that starts it', async () => {
    const stopped = await serve(temporaryFolder())
    const { page } = await openPage(browser, stopped.url)
    await page.getByText('Nothing was requested yet.').waitFor()
    await stopped.close()
    await page.goto(`${stopped.origin}/#/findings`)
    await page.getByRole('alert').getByText('the console does not answer: it has ended').waitFor()
  })

  test('without the token there is nothing but how to get it', async () => {
    const { page } = await openPage(browser, console.origin)
    expect((await page.reload())?.status()).toBe(401)
    expect(await page.locator('body').textContent()).toContain(
      'open the address that candlehouse console printed',
    )
  })
})
