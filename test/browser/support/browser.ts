import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { TestContext } from 'vitest'
import { onEnd } from '../../support/cleanup.js'

/** Debian's package puts it here; playwright-core has no browser of its own, and downloads none. */
const CHROMIUM = '/usr/bin/chromium'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export const hasBrowser = existsSync(CHROMIUM)

/** Behind the name of skipped tests: why. */
export const NO_BROWSER = hasBrowser ? '' : ` (${CHROMIUM} is not installed: apt-get install chromium)`

/** Skips the test, with words, on a machine without a browser. */
export function needsBrowser({ skip }: Pick<TestContext, 'skip'>): void {
  if (!hasBrowser) skip(`${CHROMIUM} is not installed: apt-get install chromium`)
}

/** A browser that is closed with the test, or with the file of tests where none runs yet. */
export async function openBrowser(): Promise<Browser> {
  // Tests run as root in containers, where Chromium's own sandbox cannot start.
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  onEnd(() => browser.close())
  return browser
}

const OTHER = { light: 'dark', dark: 'light' } as const

/** Violations of a page that was opened in these colours, and of its contrasts in the others. */
export async function violationsInBoth(page: Page, opened: 'light' | 'dark'): Promise<string[]> {
  const violations = await violationsOf(page)
  await page.emulateMedia({ colorScheme: OTHER[opened] })
  violations.push(...(await violationsOf(page, true)))
  await page.emulateMedia({ colorScheme: opened })
  return violations
}

export interface OpenedPage {
  readonly page: Page
  /** What the page wrote to the console as an error, and the errors that it did not catch. */
  readonly errors: string[]
  /** Addresses of other places that the page asked for. None of these requests was sent. */
  readonly foreign: string[]
}

/** Opens an address. Requests to any other place are refused: of a file, to everything but that file. */
export async function openPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  // A machine four times as slow, with two other workers.
  page.setDefaultTimeout(240_000)
  const errors: string[] = []
  const foreign: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  await context.route('**/*', async (route) => {
    const asked = route.request().url()
    if (placeOf(asked) === placeOf(address)) return await route.continue()
    foreign.push(asked)
    await route.abort()
  })
  await page.goto(address)
  return { page, errors, foreign }
}

/** The origin of an address; of a file the file. */
function placeOf(address: string): string {
  const { protocol, origin, pathname } = new URL(address)
  return protocol === 'file:' ? pathname : protocol === 'data:' || protocol === 'blob:' ? protocol : origin
}

/**
 * What axe-core finds wrong on the page as it is now, one line per rule and element.
 *
 * @param isContrastOnly of a page that was checked in its other colours: nothing else differs
 */
export async function violationsOf(page: Page, isContrastOnly = false): Promise<string[]> {
  // Not again in the same document: half a megabyte to parse.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE)
  const options = {
    resultTypes: ['violations'],
    preload: false,
    ...(isContrastOnly ? { runOnly: ['color-contrast'] } : {}),
  }
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as AxeResults
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target.join(' ')} ${failureSummary ?? ''}`),
  )
}
