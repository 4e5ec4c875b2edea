import type { Page } from 'playwright-core'

/** Until the page shows what its address names. */
export async function shown(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor()
  await page.locator('main:not([aria-busy="true"])').filter({ hasNotText: 'Loading…' }).waitFor()
}

/**
 * Leads an opened console to `address`, the words behind `#/`, encoded as an address is.
 *
 * `page.goto` returns before the page has heard of a new hash: what is then read may be the page before.
 */
export async function showAddress(page: Page, address: string): Promise<void> {
  await page.evaluate(`new Promise((heard) => {
    const before = location.hash
    addEventListener('hashchange', () => setTimeout(heard), { once: true })
    location.hash = ${JSON.stringify(`#/${address}`)}
    if (location.hash === before) heard()
  })`)
  await shown(page)
}
