import { chmodSync, copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { sqlFile } from '../../src/duckdb/sqlfile.js'
import { CACHED_QUESTIONS } from '../../src/report/answer-cache.js'
import { foreignNet } from '../../src/report/model/market.js'
import { type Report, reportModel } from '../../src/report/model/report.js'
import { writeReport } from '../../src/report/write.js'
import { onEnd } from '../support/cleanup.js'
import { fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse, type TestWalk } from '../support/landed.js'
import { candleWalk, evening, limitWalk, publishTest } from '../support/published.js'

const DAY = '2025-03-14'
const HOSTILE = '<b>"&\''

/** Close and values of a symbol; every reference price of `limitWalk` is 27 000, the ceiling 28 900. */
function summaryOf(
  symbol: string,
  close: number,
  matched: number,
  figures: Record<string, string> = {},
): object {
  return {
    symbol,
    tradingDate: DAY.replaceAll('-', '/'),
    priceChange: String(close - 27000),
    priceChangePercentage: ((close / 27000 - 1) * 100).toFixed(2),
    open: '27000',
    high: String(Math.max(close, 27000)),
    low: String(Math.min(close, 27000)),
    close: String(close),
    average: String(close),
    totalMatch: String(matched / close),
    totalMatchValue: String(matched),
    totalBuy: '1',
    totalTradeBuy: '1',
    totalSell: '1',
    totalTradeSell: '1',
    totalForeignBuy: '0',
    totalForeignBuyValue: '0',
    totalForeignSell: '0',
    totalForeignSellValue: '0',
    remainForeignRoom: '25',
    totalForeignRoom: '100',
    totalDeal: '0',
    totalDealValue: '0',
    openInterest: null,
    settlementPrice: null,
    ...figures,
  }
}

const summaries: TestWalk = {
  window: { dataset: 'securitiesSummary', key: '*', timeframe: '', from: DAY, to: DAY },
  bodies: [
    {
      data: [
        summaryOf('HPG', 28350, 28350000000, {
          totalForeignBuyValue: '5000000000',
          totalForeignSellValue: '2000000000',
        }),
        summaryOf('FPT', 28900, 2890000000, { totalDeal: '1000', totalDealValue: '27000000' }),
        summaryOf(HOSTILE, 25650, 25650000000, { totalForeignSellValue: '1000000000' }),
        summaryOf('VNM', 25150, 251500000),
      ],
    },
  ],
}

let home: string
let warehouse: Database
let report: Report
beforeAll(async () => {
  home = temporaryFolder()
  warehouse = await openTestWarehouse(home)
  await loadWalks(warehouse, home, [
    limitWalk('2025-03-13', 'HPG', 'FPT', 'VNM', HOSTILE),
    limitWalk(DAY, 'HPG', 'FPT', 'VNM', HOSTILE),
    summaries,
    { ...candleWalk('FPT', DAY, []), end: { state: 'incomplete', reason: 'page 2 never came' } },
  ])
  await publishTest(warehouse, home)
  report = await reportModel(home, { day: DAY }, evening())
})

describe('the report of a small home', () => {
  test('shows the market as computed by hand', () => {
    const symbols = report.market?.symbols ?? []
    const shown = symbols.map((each) => [
      each.symbol,
      each.change_part?.toFixed(4),
      each.at_ceiling,
      each.at_floor,
      foreignNet(each),
      each.streak,
    ])
    expect(shown).toEqual([
      ['HPG', '0.0500', false, false, 3e9, 0],
      [HOSTILE, '-0.0500', false, false, -1e9, 0],
      ['FPT', '0.0704', true, false, 0, 1],
      ['VNM', '-0.0685', false, true, 0, 1],
    ])
    expect(symbols[0]?.room_used).toBe(0.75)
    expect(symbols[2]).toMatchObject({ deal_value: 27e6, deal_volume: 1000 })
    expect(report.market?.flows).toEqual([{ trading_date: DAY, foreign_net: 2e9, proprietary_net: null }])
  })

  test('shows what is covered, and what is not', () => {
    const { sessions, rows, gaps, gapCount } = report.coverage
    expect(sessions).toEqual(['2025-03-13', DAY])
    expect(
      rows.map(({ dataset, timeframe, cells }) => [dataset, timeframe, ...cells.map(({ state }) => state)]),
    ).toEqual([
      ['securitiesSummary', '', 'unasked', 'complete'],
      ['masterdata', '', 'complete', 'complete'],
      ['ohlc', '1m', 'unasked', 'incomplete'],
    ])
    expect(gapCount).toBe(1)
    expect(gaps).toMatchObject([
      { key: 'FPT', reason: 'page 2 never came', expiresOn: '2026-03-15', expiresInDays: 258 },
    ])
  })

  test.each([
    ['2026-02-20', 'expires in 23 days', '23\u202fd'],
    ['2026-03-20', 'expired', '✕'],
    ['2025-06-30', 'Expires', null],
  ])('marks what expires soon, seen on %s', async (today, words, sign) => {
    const out = join(temporaryFolder(), 'report.html')
    const effects = fakeEffects(Date.parse(`${today}T12:00:00Z`))
    await writeReport({ home, palette: 'vietnam', readers: 'group' }, { day: DAY, out }, effects)
    const page = readFileSync(out, 'utf8')
    expect(page).toContain(words)
    expect(page).toContain('1 closed at the ceiling and 0 more touched it; 1 closed at the floor')
    expect(page.slice(page.indexOf('At the ceiling'))).toMatch(/FPT.*At the floor.*VNM/s)
    if (sign === null) expect(page).not.toContain('class="incomplete expiring"')
    else
      expect(page).toMatch(
        new RegExp(`class="incomplete expiring"[^>]*>[^<]*<span aria-hidden="true">◐ 0\u202f% ${sign}`),
      )
  })

  test('is one page that asks no other place for anything, with hostile names as text', async () => {
    const out = join(temporaryFolder(), 'report.html')
    const written = await writeReport(
      { home, palette: 'vietnam', readers: 'group' },
      { day: DAY, out },
      evening(),
    )
    const page = readFileSync(out, 'utf8')
    expect(written.bytes).toBe(Buffer.byteLength(page))
    expect(written.bytes).toBeLessThan(2_000_000)
    expect(page).not.toMatch(/https?:|<script|<link|<img|<iframe|\ssrc=|url\((?!#)|@import|\son\w+=/i)
    expect(page).toContain('&lt;b&gt;')
    expect(page).not.toContain(home)
  })

  test('reads as text and tables where a mail client removes styles, drawings and attributes', async () => {
    const out = join(temporaryFolder(), 'report.html')
    await writeReport({ home, palette: 'vietnam', readers: 'group' }, { day: DAY, out }, evening())
    const page = readFileSync(out, 'utf8')
    const drawn = page.match(/<figure\b.*?<\/figure>/gs)?.filter((figure) => figure.includes('<svg')) ?? []
    expect(drawn.length).toBeGreaterThan(2)
    expect(page.match(/<summary>The numbers: /g)?.length).toBeGreaterThanOrEqual(drawn.length)
    const left = page.replaceAll(/<(head|svg)\b.*?<\/\1>/gs, '').replaceAll(/<(\w+)\s[^>]*>/g, '<$1>')
    const text = left.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
    for (const words of [
      'No run for 14 Mar 2025 has left a conclusion',
      'page 2 never came',
      '1 closed at the ceiling and 0 more touched it; 1 closed at the floor',
      '&lt;b&gt;',
    ])
      expect(text).toContain(words)
    // A sign before the number says what its colour said.
    expect(left).toMatch(/<td>.*▲.*\+5\.0.*<\/td>/)
    // Services cut a mail off after some 100 kB.
    expect(Buffer.byteLength(left)).toBeLessThan(100_000)
  })

  test('is the same page twice', async () => {
    const [one, two] = ['a.html', 'b.html'].map((name) => join(temporaryFolder(), name))
    for (const out of [one, two])
      await writeReport({ home, palette: 'china', readers: 'group' }, { day: DAY, out }, evening())
    expect(readFileSync(one ?? '', 'utf8') === readFileSync(two ?? '', 'utf8')).toBe(true)
  })

  test('replaces latest.html by a later day only', async () => {
    const order = { home, palette: 'vietnam', readers: 'group' } as const
    const later = await writeReport(order, { day: DAY }, evening())
    expect(later.latest).toBe(join(home, 'reports', 'latest.html'))
    expect((await writeReport(order, { day: '2025-03-13' }, evening())).latest).toBeNull()
    expect(readFileSync(join(home, 'reports', 'latest.html'), 'utf8')).toContain('14 Mar 2025')
  })
})

describe('answers that are kept for the next report', () => {
  const read = (keep: boolean) => reportModel(home, { day: DAY, keep }, evening())

  test('are taken while the catalog reads the same files, and asked again where it reads others', async () => {
    const file = join(home, 'logs', 'report-answers.json')
    expect(await read(true)).toEqual(report)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await read(true)).toEqual(report)
    const kept = readFileSync(file, 'utf8')
    writeFileSync(file, kept.replaceAll('"HPG"', '"KEPT"'))
    const symbols = (await read(false)).market?.symbols.map(({ symbol }) => symbol)
    expect(symbols).toContain('KEPT')
    writeFileSync(file, kept.replaceAll('"HPG"', '"KEPT"').replace('"state":"', '"state":"0'))
    expect(await read(false)).toEqual(report)
    writeFileSync(file, kept.slice(0, 100))
    expect(await read(false)).toEqual(report)
  })

  test('are of questions that read nothing which every publication changes', async () => {
    const copy = join(temporaryFolder(), 'catalog.duckdb')
    copyFileSync(join(home, 'catalog.duckdb'), copy)
    chmodSync(copy, 0o600)
    const catalog = await openDatabase(copy)
    onEnd(() => catalog.close())
    for (const name of ['run', 'request', 'publication']) await catalog.run(`DROP VIEW ops.${name}`)
    for (const question of CACHED_QUESTIONS) {
      const sql = sqlFile(`report/${question}.sql`).replaceAll(/\$(day|session)/g, `DATE '${DAY}'`)
      await expect(catalog.rows(sql), question).resolves.toBeDefined()
    }
  })
})

describe('a report that cannot be', () => {
  test('of a home without a publication ends with 6 and what to type', async () => {
    const refused = reportModel(temporaryFolder(), {}, evening())
    await expect(refused).rejects.toMatchObject({ exitCode: 6, hint: 'run candlehouse nightly' })
  })

  test('of a day of which nothing is stored ends with 2 and names the newest', async () => {
    const refused = reportModel(home, { day: '2025-01-02' }, evening())
    await expect(refused).rejects.toMatchObject({
      exitCode: 2,
      message: 'nothing is stored about 2025-01-02; the newest day is 2025-03-14',
      hint: 'candlehouse nightly --date 2025-01-02',
    })
  })

  test('of a day without trading leads to the session before it, which a nightly of that day would work for', async () => {
    const refused = reportModel(home, { day: '2025-01-05' }, evening())
    await expect(refused).rejects.toMatchObject({
      exitCode: 2,
      hint: 'candlehouse report --date 2025-01-03    # the session before it',
    })
  })
})
