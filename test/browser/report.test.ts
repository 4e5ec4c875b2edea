import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { cli } from '../support/program.js'
import { hasBrowser, NO_BROWSER, openBrowser, openPage, violationsOf } from './support/browser.js'

/** Three nights of the sandbox's market, with accounts. */
const NIGHTS = ['2025-03-12', '2025-03-13', '2025-03-14']

describe.skipIf(!hasBrowser)(`the report in a browser${NO_BROWSER}`, () => {
  let address: string
  beforeAll(async () => {
    const cwd = temporaryFolder()
    for (const day of NIGHTS) {
      const ran = await cli(['nightly', '--date', day, '--sessions', '2', '--quiet'], { cwd })
      expect(ran.code, ran.stderr).toBe(0)
    }
    address = pathToFileURL(join(cwd, 'data', 'reports', 'latest.html')).href
  })

  test.each(['light', 'dark'] as const)(
    'has no violations in %s, no errors, and asks for nothing',
    async (scheme) => {
      const { page, errors, foreign } = await openPage(await openBrowser(), address, { colorScheme: scheme })
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
      expect(await violationsOf(page)).toEqual([])
      expect(errors).toEqual([])
      expect(foreign).toEqual([])
    },
  )

  test('fits a phone, and shows the drawings that were made for it', async () => {
    const { page } = await openPage(await openBrowser(), address, { viewport: { width: 390, height: 844 } })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(await page.locator('.drawing.narrow').first().isVisible()).toBe(true)
    expect(await page.locator('.drawing.wide').first().isVisible()).toBe(false)
  })

  test('has a table behind every chart, and one sentence before it', async () => {
    const { page } = await openPage(await openBrowser(), address)
    const figures = await page.locator('figure').count()
    expect(figures).toBeGreaterThan(5)
    expect(await page.locator('figure > details table').count()).toBe(figures)
    expect(await page.locator('figure > figcaption > p').count()).toBe(figures)
  })
})
