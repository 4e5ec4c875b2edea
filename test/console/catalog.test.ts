import { beforeAll, describe, expect, test } from 'vitest'
import type { ChartHead } from '../../src/console/bar-columns.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { LONG } from '../support/long.js'
import { ask, candleWalk, limitWalk, publishTest } from '../support/published.js'
import { serve } from './support/served.js'

const DAY = '2025-03-14'

/** A home with two symbols, one of which tries to be more than a symbol. */
async function world() {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const bars = ['09:15:00', '09:16:00', '09:20:00']
  await loadWalks(warehouse, home, [
    limitWalk(DAY, 'FPT', "O'X"),
    candleWalk('FPT', DAY, bars),
    candleWalk("O'X", DAY, bars),
  ])
  await publishTest(warehouse, home)
  return { home, warehouse }
}

/** A home and its console. Tests only read, or publish it once more. */
async function served() {
  const { home, warehouse } = await world()
  return { home, warehouse, console: await serve(home) }
}
let shared: ReturnType<typeof served>
beforeAll(async () => {
  shared = served()
  await shared
})

/** The layout of `/api/chart` written down once more: 4 bytes of length, JSON, then 7 columns per symbol, those of the first one with its indicators. */
function chartOf(bytes: Buffer, indicators = 0) {
  const start = 4 + bytes.readUInt32LE(0)
  const head = JSON.parse(bytes.toString('utf8', 4, start)) as ChartHead<unknown[]>
  expect(start % 8).toBe(0)
  const counts = [
    ...Array(7 + indicators).fill(head.bars),
    ...Array(head.otherBars > 0 ? 7 : 0).fill(head.otherBars),
  ] as number[]
  let at = start - 8
  const next = (): number => {
    at += 8
    return bytes.readDoubleLE(at)
  }
  const columns = counts.map((count) => Array.from({ length: count }, next))
  expect(at + 8).toBe(bytes.length)
  return { head, columns }
}

const HOSTILE = [
  "O'X",
  "x'; DROP VIEW market.candle; --",
  '<img src=x onerror=alert(1)>',
  '../../etc/passwd',
  '$symbol',
  '%',
]

describe('/api/candles', () => {
  test.each([
    ['1m', 'FPT'],
    ['5m', 'FPT'],
    ['1m', "O'X"],
  ])('bars of %s are those of the catalog: %s', async (timeframe, symbol) => {
    const { home, console } = await shared
    const query = new URLSearchParams({ symbol, timeframe, from: DAY, to: DAY, adjusted: 'false' })
    const reply = (await console.ask(`/api/candles?${query}`)).json<{ bars: unknown[] }>()
    const expected = await ask(
      home,
      `SELECT opened_at, trading_date, open, high, low, close, volume, value FROM market.candle
       WHERE symbol = '${symbol.replaceAll("'", "''")}' AND timeframe = '${timeframe}' ORDER BY opened_at`,
    )
    expect(reply.bars).toEqual(expected)
    expect(expected.length).toBeGreaterThan(0)
  })

  test('adjusted bars are numbers: without later events the raw ones', async () => {
    const { console } = await shared
    const reply = await console.ask('/api/candles?symbol=FPT&timeframe=1m&adjusted=true')
    const { bars, ...head } = reply.json<{ bars: unknown[] }>()
    expect(head).toEqual({ symbol: 'FPT', timeframe: '1m', adjusted: true, chain_known_from: DAY })
    expect(bars[0]).toMatchObject({
      open: 27_000,
      close: 27_050,
      volume: 1_200,
    })
  })

  test.each(['false', 'true'])(
    'a chart has the same bars as columns of numbers: adjusted %s',
    async (adjusted) => {
      const { home, console } = await shared
      const query = new URLSearchParams({ symbol: 'FPT', timeframe: '1m', adjusted, other: "O'X" })
      const chart = chartOf((await console.ask(`/api/chart?${query}`)).bytes)
      const bars = await ask(
        home,
        `SELECT * FROM market.candle WHERE symbol = 'FPT' AND timeframe = '1m' ORDER BY opened_at`,
      )
      expect(bars.length).toBeGreaterThan(0)
      const seconds = bars.map(({ opened_at }) => Date.parse(String(opened_at)) / 1000)
      const numbers = ['open', 'high', 'low', 'close', 'volume', 'value'].map((name) =>
        bars.map((bar) => Number(bar[name])),
      )
      expect([chart.head.bars, chart.head.otherBars]).toEqual([bars.length, bars.length])
      expect(chart.columns).toEqual([seconds, ...numbers, seconds, ...numbers])
      expect(chart.head.days).toEqual([])
      // its limits of one session are stored, and nothing that they could be compared with
      const known = { chain_known_from: DAY, reason: 'not_compared' }
      expect(chart.head.chain).toEqual(['FPT', "O'X"].map((symbol) => ({ symbol, ...known })))
      expect(chart.head.phases.length).toBeGreaterThan(2)
    },
  )

  test('indicators stand behind the columns of the bars, in the order of the menu, as the macro has them', async () => {
    const { home, console } = await shared
    const query = new URLSearchParams({ symbol: 'FPT', timeframe: '1m', indicators: 'vwap,sma2,bands3' })
    const bytes = (await console.ask(`/api/chart?${query}`)).bytes
    const { head, columns } = chartOf(bytes, 5)
    expect(head).toMatchObject({ indicators: 'sma2,bands3,vwap', bars: 3, otherBars: 0 })
    const rows = await ask(
      home,
      `WITH bar AS (FROM market.candle WHERE symbol = 'FPT' AND timeframe = '1m')
       FROM mart.indicators('bar', sma_length := 2, band_length := 3) ORDER BY opened_at`,
    )
    const names = ['sma', 'band_upper', 'band_middle', 'band_lower', 'vwap']
    const expected = names.map((name) =>
      rows.map((row) => (row[name] === null ? Number.NaN : Number(row[name]))),
    )
    expect(columns.slice(7)).toEqual(expected)
    expect(expected[0]?.slice(1).every(Number.isFinite)).toBe(true)
  })

  test('a comparison has no indicators, and what is not one is refused', async () => {
    const { console } = await shared
    const compared = await console.ask(`/api/chart?symbol=FPT&timeframe=1m&other=O'X&indicators=sma`)
    expect(chartOf(compared.bytes).head.indicators).toBe('')
    for (const words of ['macd', 'sma1', 'sma501', 'vwap5', "sma'"]) {
      const reply = await console.ask(
        `/api/chart?${new URLSearchParams({ symbol: 'FPT', indicators: words })}`,
      )
      expect([words, reply.status]).toEqual([words, 400])
    }
  })

  test.each(['1w', '1M'])('bars of %s are made of sessions: without any there is none', async (timeframe) => {
    const { console } = await shared
    const reply = await console.ask(`/api/candles?symbol=FPT&timeframe=${timeframe}`)
    expect(reply.json<{ bars: unknown[] }>().bars).toEqual([])
    const chart = chartOf((await console.ask(`/api/chart?symbol=FPT&timeframe=${timeframe}`)).bytes)
    expect(chart.head).toMatchObject({ timeframe, bars: 0 })
  })

  test('a chart of a symbol without bars has none', async () => {
    const { console } = await shared
    const { head, columns } = chartOf((await console.ask('/api/chart?symbol=NO&timeframe=1m')).bytes)
    expect(head).toMatchObject({ bars: 0, otherBars: 0, days: [], events: [] })
    expect(columns.flat()).toEqual([])
  })

  test.each(HOSTILE)('a symbol named %j is a name', async (symbol) => {
    const { home, console } = await shared
    for (const path of [
      '/api/candles?timeframe=1m&',
      '/api/chart?timeframe=1m&',
      '/api/chart?timeframe=1m&adjusted=true&',
    ]) {
      const reply = await console.ask(`${path}${new URLSearchParams({ symbol })}`)
      expect([path, reply.status]).toEqual([path, 200])
    }
    expect(await ask(home, 'SELECT count(*) AS bars FROM market.candle')).not.toEqual([])
  })

  test.each([
    'symbol=FPT&timeframe=2m',
    'symbol=FPT',
    'timeframe=1d',
    'symbol=FPT&timeframe=1d&from=2025-02-30',
    'symbol=FPT&timeframe=1d&adjusted=maybe',
  ])('%s is refused with 400', async (query) => {
    const { console } = await shared
    expect((await console.ask(`/api/candles?${query}`)).status).toBe(400)
  })
})

test('views that do not exist, and parameters that are missing, are refused', async () => {
  const { console } = await shared
  for (const [path, status] of [
    ['/api/views/no', 404],
    ['/api/views/constructor', 404],
    ['/api/views/offenders', 400],
  ] as const)
    expect([path, (await console.ask(path)).status]).toEqual([path, status])
})

test('every view runs', async () => {
  const { console } = await shared
  for (const path of ['symbols', 'names', 'complete?text=sel'])
    expect((await console.ask(`/api/views/${path}`)).json<{ rows: unknown[] }>().rows).not.toEqual([])
})

test.each([
  'findings',
  'finding_symbols?rule=',
  'finding_history?rule=7&first=0',
  'offenders?rule=7&name=&first=0',
  'news',
  'dictionary',
  'relations',
  'coverage_map?timeframe=1m',
  'coverage_sessions',
])('view %s can be asked of any catalog', async (path) => {
  const { console } = await shared
  expect((await console.ask(`/api/views/${path}`)).status).toBe(200)
})

test('before the first publication pages say what to run', async () => {
  const console = await serve(temporaryFolder())
  expect((await console.ask('/api/tonight')).json()).toMatchObject({
    status: { publication: null, lastRun: null },
  })
  const reply = await console.ask('/api/views/symbols')
  expect([reply.status, reply.json()]).toMatchObject([503, { hint: 'run candlehouse nightly' }])
})

test('an open console follows the catalog from publication to publication', async () => {
  const { home, warehouse, console } = await shared
  for (let n = 1; n <= (LONG ? 50 : 3); n += 1) {
    await warehouse.run(
      `INSERT INTO ops.run BY NAME SELECT 'R${n}' AS run_id, 'nightly' AS job, 0 AS exit_code`,
    )
    await publishTest(warehouse, home)
    const [{ publication } = {}] = await ask(
      home,
      'SELECT max(publication_id)::INTEGER AS publication FROM ops.publication',
    )
    const sql = 'SELECT max(publication_id)::INTEGER FROM ops.publication'
    const asked = [console.ask('/api/sql', { body: { sql } }), console.ask('/api/tonight')] as const
    const [rows, tonight] = await Promise.all(asked)
    expect(rows.json()).toMatchObject({ rows: [[publication]] })
    expect(tonight.json()).toMatchObject({ status: { publication: { id: publication } } })
  }
})
