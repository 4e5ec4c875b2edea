import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadSnapshot } from '../../src/load/account/load-snapshot.js'
import { loadBatch } from '../../src/load/batch.js'
import type { Window } from '../../src/plan/datasets.js'
import { temporaryFolder } from '../support/folder.js'
import { landParts, landWalks, openTestWarehouse } from '../support/landed.js'

const window: Window = {
  dataset: 'ohlc',
  key: 'FPT',
  timeframe: '1m',
  from: '2025-03-14',
  to: '2025-03-14',
}

/** A bar as text; 27.5 million fit into `value` with two decimals. */
const bar = (minute: number, close = '"27500"'): string =>
  `{"symbol":"FPT","tradingDate":"2025/03/14 09:1${minute}:00","open":"27500","high":"27500","low":"27500","close":${close},"volume":"1000","value":"27500000"}`
const page = (...bars: string[]): string => `{"itemsCount":${bars.length},"data":[${bars.join(',')}]}`

const keyOf = (at: number): string => (at === 0 ? 'FPT' : `FPT${at}`)

/**
 * What becomes of pages that an older version has landed, each in a window of its own: their lines say how many rows it
 * believed, and no more.
 */
async function loadOldPages(bodies: readonly string[], rows = 3) {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const landed = await landWalks(
    home,
    bodies.map((body, at) => ({ window: { ...window, key: keyOf(at) }, bodies: [body] })),
    { receivedAt: '2025-03-14T12:00:00.000Z' },
  )
  // Lines of older versions have `textual`, of the first record, and no `plain`.
  const walks = landed.map((walk) => ({
    ...walk,
    pages: walk.pages.map(({ plain: _, ...line }) => ({
      ...line,
      rows,
      shape: 'data' as const,
      textual: true,
    })),
  }))
  const loaded = await loadBatch(warehouse, home, 'ohlc', walks, loadCalendar(), { verify: true })
  const coverage = await warehouse.rows<{ key: string; state: string; reason: string }>(
    'SELECT key, state, reason FROM ops.coverage ORDER BY key',
  )
  const rejected = await warehouse.rows<{ reason: string; payload: string; ordinal: bigint }>(
    'SELECT reason, payload, ordinal FROM ops.quarantine',
  )
  const closes = await warehouse.rows<{ close: string }>('SELECT close FROM market.candle ORDER BY opened_at')
  return { loaded, coverage, rejected, closes: closes.map(({ close }) => close) }
}

/** The same of one page. */
async function loadOld(body: string, rows = 3) {
  const { coverage, ...loaded } = await loadOldPages([body], rows)
  const [{ state, reason } = { state: '', reason: '' }] = coverage
  return { ...loaded, coverage: { state, reason } }
}

describe('a landed page that is not JSON', () => {
  const PAGES: readonly (readonly [what: string, body: string, reason: string])[] = [
    ['a brace too many behind a middle record', page(bar(5), `${bar(6)}}`, bar(7)), "',' or ']' expected"],
    [
      'a control character in a middle record',
      page(bar(5), bar(6, '"2\u00017500"'), bar(7)),
      'a control character',
    ],
    ['an escape that JSON does not have', page(bar(5), bar(6, '"\\x32"'), bar(7)), 'an unknown escape'],
    ['its records twice', page(bar(5), bar(6)).replace(/\}$/, ',"data":[]}'), 'a second member named "data"'],
    ['an end that is missing', page(bar(5), bar(6), bar(7)).slice(0, -2), 'the text ends'],
    ['a number that is none', page(bar(5), bar(6, 'NaN'), bar(7)), 'a value expected'],
  ]
  let all: Awaited<ReturnType<typeof loadOldPages>>
  beforeAll(async () => {
    all = await loadOldPages(PAGES.map(([, body]) => body))
  })

  test.each(PAGES.map((page, at) => [...page, at] as const))(
    'with %s is quarantined as a whole, and its window is incomplete',
    (_, _body, reason, at) => {
      const [rejected, ...others] = all.rejected.filter((row) => row.reason.includes(reason))
      expect(others).toEqual([])
      expect(rejected).toMatchObject({
        reason: expect.stringContaining(`not one whole JSON document: ${reason}`),
        ordinal: 0n,
      })
      expect(rejected?.payload.length).toBeLessThanOrEqual(200)
      expect(all.coverage[at]).toMatchObject({
        key: keyOf(at),
        state: 'incomplete',
        reason: expect.stringMatching(/^page 1: the page is not/),
      })
    },
  )

  test('nothing of them is loaded', () => {
    expect(all.closes).toEqual([])
    expect(all.rejected).toHaveLength(PAGES.length)
    expect(all.loaded).toMatchObject({ rows: 0, rejected: PAGES.length, unreadable: PAGES.length })
    expect(all.loaded.missing).toHaveLength(PAGES.length)
  })
})

test.each([
  ['two fields of one name', bar(6).replace('"open"', '"Close":"1","open"'), 'two fields named "close"'],
  [
    'half a surrogate pair in its key',
    bar(6).replace('FPT', 'FPT\\ud83d'),
    'symbol: characters that no text has',
  ],
])('a record with %s is quarantined, the others are loaded', async (_, bad, reason) => {
  const { coverage, rejected, closes } = await loadOld(page(bar(5), bad, bar(7)))
  expect(closes).toEqual(['27500.000000', '27500.000000'])
  expect(rejected).toEqual([{ reason: expect.stringContaining(reason), payload: bad, ordinal: 2n }])
  expect(coverage.state).toBe('incomplete')
})

test('a JSON number in a later record keeps every digit, or is quarantined: it is never rounded', async () => {
  const { rejected, closes } = await loadOld(
    page(bar(5), bar(6, '900719925474.123457'), bar(7, '9007199254740993.25')),
  )
  expect([...closes, ...rejected.map(({ reason }) => reason)].join(' ')).not.toContain('994')
  expect(closes).toContain('900719925474.123457')
})

test('a page of which another number of records was landed leaves its window incomplete', async () => {
  const { coverage, closes } = await loadOld(page(bar(5), bar(6), bar(7)), 4)
  expect(closes).toHaveLength(3)
  expect(coverage).toEqual({ state: 'incomplete', reason: 'page 1: 4 records landed, the page has 3' })
})

test('half a surrogate pair in words for people becomes U+FFFD; in a refusal it does not end the run', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const board: Window = {
    dataset: 'securities',
    key: 'HOSE',
    timeframe: '',
    from: '2025-03-14',
    to: '2025-03-14',
  }
  const [walk] = await landWalks(home, [
    {
      window: board,
      bodies: ['[{"symbol":"FPT","board":"HOSE","symbolNameVi":"Ti\\ud83dn","icbName":null}]'],
    },
  ])
  const refused = { state: 'refused' as const, reason: '400 symbol \ud83d' }
  const [refusal] = await landWalks(home, [{ window, bodies: ['{"code":"400"}'], end: refused }])
  if (!walk || !refusal) throw new Error('not landed')
  await loadBatch(warehouse, home, 'securities', [walk], loadCalendar(), { verify: true })
  await loadBatch(warehouse, home, 'ohlc', [refusal], loadCalendar(), { verify: true })
  expect(await warehouse.rows('SELECT symbol, symbol_name_vi FROM market.security')).toEqual([
    { symbol: 'FPT', symbol_name_vi: 'Ti\ufffdn' },
  ])
  expect(await warehouse.rows("SELECT reason FROM ops.coverage WHERE dataset = 'ohlc'")).toEqual([
    { reason: '400 symbol \ufffd' },
  ])
})

test('a snapshot with damaged pages is partial, names them, and stores the rest', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const walks = await landParts(
    home,
    [
      { part: 'accountInfo', account: '', key: '*', bodies: [[{ accountNo: 'A1', accountType: 'CASH' }]] },
      { part: 'position', account: 'A1', bodies: ['{"equity":[{"symbol":"FPT"},}],"derivative":null}'] },
      {
        part: 'orderBook',
        account: 'A1',
        bodies: [
          '{"totalRecord":2,"orderList":[{"orderId":"1","symbol":"FPT","message":"no \\ud83d"},{"orderId":"2\\ud83d"}]}',
        ],
      },
    ],
    { run: '20250314T120000000Z-case', tradingDate: '2025-03-14' },
  )
  const suffixes = { broker: 'Broker', depository: 'Depository' }
  const loaded = await loadSnapshot(warehouse, home, walks, { verify: true, suffixes })
  expect(loaded.missing.join()).toContain('the page is not one whole JSON document')
  expect(loaded.unreadable).toBe(1)
  expect(await warehouse.rows('SELECT state FROM account.snapshot')).toEqual([{ state: 'partial' }])
  expect(await warehouse.rows('SELECT order_id, message FROM account.order_book')).toEqual([
    { order_id: '1', message: 'no \ufffd' },
  ])
  expect(await warehouse.rows('SELECT reason, ordinal FROM ops.quarantine ORDER BY ordinal')).toEqual([
    { reason: expect.stringContaining('not one whole JSON document'), ordinal: 0n },
    { reason: expect.stringContaining('orderId: characters that no text has'), ordinal: 2n },
  ])
})
