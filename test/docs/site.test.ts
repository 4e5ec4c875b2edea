import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import MiniSearch from 'minisearch'
import { beforeAll, describe, expect, test } from 'vitest'
import { INDEX_OPTIONS } from '../../build/site/search-options.mjs'
import { serveDocs } from '../../src/console/docs-site.js'
import { packageRoot } from '../../src/package.js'
import {
  hasBrowser,
  NO_BROWSER,
  openBrowser,
  openPage,
  violationsInBoth,
} from '../browser/support/browser.js'
import { gate } from '../e2e/support/gate.js'
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'
import { cli } from '../support/program.js'

const SITE = join(packageRoot, 'dist/site')

/** Addresses of the pages of a site, and their texts. */
function pagesOf(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Map(
    names
      .filter((name) => name.endsWith('.html'))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}

describe('the documentation as a site', () => {
  const pages = pagesOf(SITE)

  test('has a page for each page of docs and each relation, and the lineage of a view leads on', () => {
    const written = readdirSync(join(packageRoot, 'docs')).filter((name) => name.endsWith('.md'))
    expect(written.filter((name) => !pages.has(name.replace(/md$/, 'html')))).toEqual([])
    const dictionary = readFileSync(join(packageRoot, 'docs/dictionary.md'), 'utf8')
    const relations = [...dictionary.matchAll(/^### ([a-z]+\.\w+)$/gm)].map(
      ([, name]) => `relations/${name}.html`,
    )
    expect(relations.length).toBeGreaterThan(90)
    expect(relations.filter((name) => !pages.has(name))).toEqual([])
    const view = pages.get('relations/mart.daily_adjusted.html') ?? ''
    expect(view).toContain('<a href="market.daily_summary.html"><rect')
    expect(view).toMatch(/<h2 id="sql">SQL<\/h2>\s*<pre tabindex="0">/)
  })

  test('every link and picture leads to something, and nothing comes from another host', () => {
    const ids = new Map(
      [...pages].map(([name, text]) => [
        name,
        new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
      ]),
    )
    const broken: string[] = []
    for (const [name, text] of pages) {
      for (const [, kind, target = ''] of text.matchAll(
        /<(?:a|img|link|script)\b[^>]*? (href|src)="([^"]*)"/g,
      )) {
        if (/^(https?:|mailto:|data:)/.test(target)) {
          if (kind === 'src') broken.push(`${name} loads ${target}`)
          continue
        }
        const [path = '', anchor] = target.replaceAll('&amp;', '&').split('#')
        const file = path === '' ? name : normalize(join(dirname(name), path))
        const isThere =
          file.startsWith('images/') || file.includes('/images/')
            ? existsSync(join(packageRoot, 'docs', file))
            : existsSync(join(SITE, file))
        if (!isThere) broken.push(`${name} → ${target}: no such file`)
        else if (anchor && !ids.get(file)?.has(decodeURIComponent(anchor)))
          broken.push(`${name} → ${target}: no such heading`)
      }
    }
    expect(broken).toEqual([])
  })

  test.each([
    ['margin call', /account_margin|first-ten|cookbook|glossary/],
    ['mart.daily_adjusted', /daily_adjusted/],
    ['gia dieu chinh', /two-hundred-questions/],
    ['own pages', /own-sql/],
  ])('the search finds %s', (words, address) => {
    const script = readFileSync(join(SITE, 'assets/search-index.js'), 'utf8')
    const [, text = ''] = /^globalThis\.searchIndex = (.*)\n$/s.exec(script) ?? []
    const found = MiniSearch.loadJSON(JSON.parse(text) as string, INDEX_OPTIONS).search(words, {
      combineWith: 'AND',
      prefix: true,
    })
    expect(
      found
        .slice(0, 10)
        .map((each) => String(each.address))
        .join(' '),
    ).toMatch(address)
  })
})

describe('candlehouse docs', () => {
  test('serves the site on loopback until it is stopped, and no file beside it', async () => {
    const served = await serveDocs(0)
    onEnd(served.close)
    const get = async (path: string, headers: Record<string, string> = {}) =>
      await fetch(served.url + path, { headers })
    expect(await (await get('')).text()).toContain('<title>candlehouse')
    expect((await get('images/report-light.png')).headers.get('content-type')).toBe('image/png')
    for (const path of [
      '..%2fpackage.json',
      '%2e%2e/package.json',
      '../../package.json',
      'nothing.html',
      'assets/',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404])
    expect((await fetch(served.url, { method: 'POST' })).status).toBe(405)
  })

  test('prints its address, and ends with Ctrl-C', async () => {
    const stop = new AbortController()
    const ran = cli(['docs', '--json'], { cwd: temporaryFolder(), signal: stop.signal })
    stop.abort()
    const { code, json } = await ran
    expect([code, json()]).toEqual([0, { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/) }])
  })

  test('writes the pages to a new folder, and to no other', async () => {
    const cwd = temporaryFolder()
    expect((await cli(['docs', '--out', 'site'], { cwd })).code).toBe(0)
    expect(existsSync(join(cwd, 'site/images/report-light.png'))).toBe(true)
    expect([...pagesOf(join(cwd, 'site')).keys()]).toEqual([...pagesOf(SITE).keys()])
    expect((await cli(['docs', '--out', 'site'], { cwd })).code).toBe(2)
  })
})

describe.skipIf(!hasBrowser)(`the site in a browser${NO_BROWSER}`, () => {
  let folder: string
  beforeAll(async () => {
    folder = join(temporaryFolder(), 'site')
    await cli(['docs', '--out', folder], { cwd: temporaryFolder() })
  })

  test('is searched, its lineage is clicked, and it has no violation in light and dark and on a phone', async () => {
    const served = await serveDocs(0)
    onEnd(served.close)
    const { page, errors, foreign } = await openPage(await openBrowser(), served.url, {
      viewport: { width: 390, height: 844 },
    })
    for (const path of ['', 'lineage.html', 'relations/mart.daily_adjusted.html']) {
      await page.goto(served.url + path)
      expect([path, await violationsInBoth(page, 'light')]).toEqual([path, []])
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
    await page.getByRole('link', { name: 'market.daily_summary' }).first().click()
    await page.getByRole('heading', { name: 'market.daily_summary', level: 1 }).waitFor()
    await page.getByRole('searchbox').fill('52-week high')
    await page
      .getByRole('link', { name: /52-week high/ })
      .first()
      .click()
    await page.waitForURL(/cookbook\.html#6-/)
    expect([errors, foreign]).toEqual([[], []])
  })

  test('searches what was typed before its script came', async () => {
    const served = await serveDocs(0)
    onEnd(served.close)
    const page = await (await openBrowser()).newPage()
    const typed = gate()
    await page.route('**/search.js', async (route) => {
      await typed.passed
      await route.continue()
    })
    await page.goto(served.url, { waitUntil: 'commit' })
    await page.getByRole('searchbox').fill('52-week high')
    typed.open()
    await page
      .getByRole('link', { name: /52-week high/ })
      .first()
      .waitFor()
  })

  test('is searched in a folder, without a server', async () => {
    const browser = await openBrowser()
    const page = await browser.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`file://${folder}/index.html`)
    await page.getByRole('searchbox').fill('khối ngoại')
    await page
      .getByRole('link', { name: /Two hundred questions/ })
      .first()
      .waitFor()
    expect(asked.filter((url) => !/^(file|data):/.test(url))).toEqual([])
  })
})
