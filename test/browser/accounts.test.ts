import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { accountHome, CASH_ACCOUNT, MARGIN_ACCOUNT, SESSIONS } from '../console/support/account-home.js'
import { type Served, serve } from '../console/support/served.js'
import { LONG } from '../support/long.js'
import {
  hasBrowser,
  NO_BROWSER,
  openBrowser,
  openPage,
  violationsInBoth,
  violationsOf,
} from './support/browser.js'
import { showAddress } from './support/shown.js'

const [FIRST, , LAST] = SESSIONS

let browser: Browser
let console: Served

beforeAll(async () => {
  if (!hasBrowser) return
  console = await serve((await accountHome()).home)
  browser = await openBrowser()
})

const FRAME = ['/api/tonight', '/api/pages']

async function entered() {
  const opened = await openPage(browser, console.url, { reducedMotion: 'reduce', viewport: SCREEN })
  /** Requests of the page for data, without those of the frame around every page. */
  const asked: string[] = []
  opened.page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/') && !FRAME.includes(pathname)) asked.push(pathname + search)
  })
  return { ...opened, asked }
}

async function go(page: Page, address: string, heading: string): Promise<void> {
  await showAddress(page, address)
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
}

const ADDRESSES = [
  ['accounts', 'Positions'],
  [`accounts/${MARGIN_ACCOUNT}`, 'Margin'],
  ['accounts/ALL/exposure', 'Sectors'],
  [`accounts/${CASH_ACCOUNT}/orders`, 'Conditional orders'],
  [`accounts/${CASH_ACCOUNT}/sessions`, 'Sessions'],
  [`accounts/${CASH_ACCOUNT}/reconciliation`, 'Reconciliation'],
] as const

const SCREEN = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 800 }
/** A screen at 200 %: the elements of the phone, in other places. */
const LARGE_TYPE = { width: 640, height: 400 }

let shared: ReturnType<typeof entered> | undefined

/** An opened console, at the address where the last test left it: for tests that only follow addresses. */
const reentered = (): ReturnType<typeof entered> => {
  shared ??= entered()
  return shared
}

describe.skipIf(!hasBrowser)(`the Accounts page in a browser${NO_BROWSER}`, () => {
  test('a long table scrolls by itself on a phone: what is below it stays in reach', async () => {
    const { page } = await reentered()
    await page.setViewportSize(PHONE)
    await go(page, `accounts/${CASH_ACCOUNT}/orders`, 'Conditional orders')
    const orders = page.getByRole('region', { name: 'Orders, the latest first' })
    await orders.locator('tbody').evaluate((body) => {
      for (let row = 0; row < 20; row += 1) body.append(body.children[0]?.cloneNode(true) ?? '')
    })
    const [shown, whole] = await orders.evaluate((table) => [table.clientHeight, table.scrollHeight])
    expect(shown).toBeLessThan(PHONE.height)
    expect(whole).toBeGreaterThan(PHONE.height)
    await page.setViewportSize(SCREEN)
  })

  test('has no violation and nothing beyond the edge on a screen, on a phone and at 200 %', async () => {
    const { page, errors, foreign } = await reentered()
    for (const [address, heading] of ADDRESSES) {
      await go(page, address, heading)
      for (const folded of await page.locator('main summary').all()) await folded.click()
      for (const viewport of [PHONE, LARGE_TYPE, SCREEN]) {
        const where = `${address} at ${viewport.width} px`
        await page.setViewportSize(viewport)
        if (LONG || viewport !== LARGE_TYPE)
          expect([
            where,
            viewport === SCREEN ? await violationsInBoth(page, 'light') : await violationsOf(page),
          ]).toEqual([where, []])
        const beyond = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        )
        expect([where, beyond]).toEqual([where, 0])
      }
      await page.setViewportSize(SCREEN)
    }
    expect([errors, foreign]).toEqual([[], []])
  })

  test('asks once for each state, and shows what is not reconciled with its reason', async () => {
    const { page, asked, errors } = await entered()
    await go(page, 'accounts', 'Positions')
    expect(asked).toEqual(['/api/accounts?account=ALL&tab=overview&since=&benchmark='])
    await page.getByText('38,673,125 VND').waitFor()
    const reason = `${MARGIN_ACCOUNT}: unreconciled: 2000000 VND; total_equity does not confirm it`
    expect(await page.getByText(reason).count()).toBeGreaterThan(0)
    await page.getByText(`${MARGIN_ACCOUNT} a fall of all prices by 7 % leads to a margin call`).waitFor()
    await page.getByRole('link', { name: new RegExp(`^${CASH_ACCOUNT} CASH`) }).press('Enter')
    await page.getByRole('heading', { name: `Account ${CASH_ACCOUNT}` }).waitFor()
    expect(asked.slice(1)).toEqual([`/api/accounts?account=${CASH_ACCOUNT}&tab=overview&since=&benchmark=`])
    // 31,473,125 of 30,000,000; 1,020 of 1,000
    // Nothing was paid in: the money-weighted return is the same.
    await page.getByText('+4.91 %').last().waitFor()
    expect(await page.getByText('+4.91 %').count()).toBe(2)
    await page.getByText('VNINDEX +2.00 %').waitFor()
    expect(errors).toEqual([])
  })

  test('the period and the benchmark are chosen by keyboard, and are in the address', async () => {
    const { page } = await reentered()
    await go(page, `accounts/${CASH_ACCOUNT}`, 'Positions')
    const since = page.getByLabel('Since', { exact: true })
    expect(await since.inputValue()).toBe(FIRST)
    await since.fill(SESSIONS[1])
    await page.getByText(`Return since ${SESSIONS[1]}`).waitFor()
    await page.getByRole('combobox', { name: 'Beside' }).fill('vnm')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Return beside VNM' }).waitFor()
    expect(new URL(page.url()).hash).toBe(`#/accounts/${CASH_ACCOUNT}/overview/${SESSIONS[1]}/VNM`)
    await page.getByText('VNM +0.99 %').waitFor()
    await page.getByText('Values as a table').press('Enter')
    const table = page.getByRole('region', { name: `Since ${SESSIONS[1]}, the latest session first` })
    expect(await table.getByRole('row').nth(1).getByRole('cell').allTextContents()).toEqual([
      LAST,
      '31,473,125',
      '1.53 %',
      '0.99 %',
      '0.00 %',
      '',
    ])
  })

  test('sectors have their weights, and a beta that is not known says why', async () => {
    const { page } = await reentered()
    await go(page, `accounts/${CASH_ACCOUNT}/exposure`, 'Sectors')
    const cells = async (name: RegExp) =>
      await page.getByRole('region', { name }).getByRole('row').nth(1).getByRole('cell').allTextContents()
    expect(await cells(/^Values in VND/)).toEqual([
      'stocks without an industry in any list',
      '1',
      '10,750,000',
      '100.0 %',
      LAST,
    ])
    expect(await cells(/^mart.account_beta/)).toEqual([
      'VN30',
      'not known',
      'not known',
      'the position has fewer than 60 returns beside the index',
      LAST,
    ])
  })

  test('a conditional order shows its trigger, and a symbol leads to its chart with the own fill', async () => {
    const { page } = await reentered()
    await go(page, `accounts/${CASH_ACCOUNT}/orders`, 'Conditional orders')
    const waiting = page.getByRole('region', { name: /^Those that wait/ })
    const cells = await waiting.getByRole('row').nth(1).getByRole('cell').allTextContents()
    expect(cells.slice(6, 9)).toEqual(['stop ≤ 20,425', '−5.00 % from 21,500', '20,400'])
    await waiting.getByRole('link', { name: 'FPT' }).press('Enter')
    await page.getByRole('heading', { name: /^FPT/ }).waitFor()
    await page.locator('main summary').filter({ hasText: 'fills' }).click()
    await page.getByRole('cell', { name: '21,500' }).first().waitFor()
  })

  test('on a phone each position is a block with the titles of its columns', async () => {
    const { page } = await reentered()
    await page.setViewportSize(PHONE)
    await go(page, `accounts/${CASH_ACCOUNT}`, 'Positions')
    const style = (selector: string, part = 'null') =>
      page.evaluate(
        `(({ display, content }) => ({ display, content }))(getComputedStyle(document.querySelector('${selector}'), ${part}))`,
      )
    expect(await style('.screen .blocks tbody tr')).toMatchObject({ display: 'grid' })
    expect(await style('.screen .blocks td:nth-child(2)', "'::before'")).toMatchObject({
      content: expect.stringContaining('quantity'),
    })
    await page.setViewportSize(SCREEN)
  })

  test('Tonight warns of the account that is near a margin call, and leads to it', async () => {
    const { page, errors } = await reentered()
    await go(page, 'tonight', 'Margin')
    expect(await violationsInBoth(page, 'light')).toEqual([])
    await page.getByRole('link', { name: MARGIN_ACCOUNT }).press('Enter')
    await page.getByRole('heading', { name: `Account ${MARGIN_ACCOUNT}` }).waitFor()
    expect(errors).toEqual([])
  })
})
