import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import type { Window } from '../../src/plan/datasets.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { LONG } from '../support/long.js'

const week: Window = {
  dataset: 'securitiesSummary',
  key: '*',
  timeframe: '',
  from: '2025-03-10',
  to: '2025-03-14',
}

function summary(symbol: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    symbol,
    tradingDate: '2025/03/14',
    open: '27000',
    close: '27050',
    totalMatch: '1200',
    openInterest: null,
    ...changes,
  }
}

const page = (data: readonly unknown[]) =>
  `{"pageSize":1000,"pageIndex":1,"pagesCount":1,"itemsCount":${data.length},"data":[${data
    .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    .join(',')}]}`

/** Rows and rejected records of one page, each with its reason. */
async function loadPage(records: readonly unknown[]) {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const [loaded] = await loadWalks(warehouse, home, [{ window: week, bodies: [page(records)] }])
  const symbols = await warehouse.rows<{ symbol: string }>(
    'SELECT symbol FROM market.daily_summary ORDER BY symbol',
  )
  const rejected = await warehouse.rows<{ reason: string; payload: string }>(
    'SELECT reason, payload FROM ops.quarantine',
  )
  return { loaded, symbols: symbols.map((row) => row.symbol), rejected }
}

/** The number forms of fault P6 and the date forms of P8, as text and as JSON; and what is no object. */
const BAD: readonly (readonly [name: string, record: unknown, reason: string])[] = [
  ...(
    [
      [
        'a comma in the wrong place',
        { open: '1,23.5' },
        "open: '1,23.5' is not a plain number with at most 6 decimals",
      ],
      ['NaN', { open: 'NaN' }, "open: 'NaN' is not a plain number with at most 6 decimals"],
      ['Infinity', { close: 'Infinity' }, "close: 'Infinity' is not a plain number with at most 6 decimals"],
      ['1e400', { open: '1e400' }, "open: '1e400' is not a plain number with at most 6 decimals"],
      ['a lone minus', { open: '-' }, "open: '-' is not a plain number with at most 6 decimals"],
      ['hexadecimal', { totalMatch: '0x10' }, "totalMatch: '0x10' is not a whole number"],
      ['an underscore', { totalMatch: '1_000' }, "totalMatch: '1_000' is not a whole number"],
      ['a broken share', { totalMatch: '12.6' }, "totalMatch: '12.6' is not a whole number"],
      [
        'twenty digits',
        { totalMatch: '12345678901234567890' },
        "totalMatch: '12345678901234567890' is not a whole number",
      ],
      ['an object for a number', { open: { a: 1 } }, `open: '{"a":1}' is not a text or a number`],
      ['an object for a text', { symbol: { a: 'MMM' } }, `symbol: '{"a":"MMM"}' is not a text or a number`],
      ['a day that does not exist', { tradingDate: '2025/02/30' }, "tradingDate: '2025/02/30' is not a date"],
      [
        'a day ahead of the window',
        { tradingDate: '2025/03/15' },
        'tradingDate: 2025-03-15 is outside of the window asked, 2025-03-10 to 2025-03-14',
      ],
      ['no day', { tradingDate: '' }, 'tradingDate is missing'],
      ['no symbol', { symbol: null }, 'symbol is missing'],
    ] as const
  ).map(([name, changes, reason], at) => [name, summary(`BAD${at}`, changes), reason] as const),
  ...['"text"', '7', 'null', '["a"]'].map((text) => [text, text, 'not an object'] as const),
  [
    'text of its own',
    '{ "symbol" : "M\\u0041\\"}M", "tradingDate":"2025/03/14","open": 1e400 , "x":{"y":[1,"]"]} }',
    "open: '1e400' is not a plain number with at most 6 decimals",
  ],
]

const textOf = (record: unknown): string => (typeof record === 'string' ? record : JSON.stringify(record))

describe('bad records among good ones', () => {
  let all: Awaited<ReturnType<typeof loadPage>>
  beforeAll(async () => {
    all = await loadPage([
      summary('AAA'),
      ...BAD.flatMap(([, record], at) => [record, summary(`GOOD${String(at).padStart(2, '0')}`)]),
      summary('ZZZ'),
    ])
  })

  test.each(BAD)('%s: that record is kept whole, byte for byte, with its reason', (_, record, reason) => {
    expect(all.rejected).toContainEqual({ reason, payload: textOf(record) })
  })

  test('the others are loaded, and nothing else is rejected', () => {
    const good = BAD.map((_, at) => `GOOD${String(at).padStart(2, '0')}`)
    expect(all.symbols).toEqual(['AAA', ...good, 'ZZZ'])
    expect(all.rejected).toHaveLength(BAD.length)
    expect(all.loaded?.rejected).toBe(BAD.length)
  })

  // How a page is read depends on all of its records. The last kind is read in the slowest way.
  test.each(LONG ? BAD : BAD.slice(-1))('%s: alone too', async (_, record, reason) => {
    const { loaded, symbols, rejected } = await loadPage([summary('AAA'), record, summary('ZZZ')])
    expect(symbols).toEqual(['AAA', 'ZZZ'])
    expect(rejected).toEqual([{ reason, payload: textOf(record) }])
    expect(loaded?.rejected).toBe(1)
  })
})

describe('records that are odd but readable', () => {
  test('fields in another case, unknown fields and missing optional ones', async () => {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const rows = [{ Symbol: 'AAA', TradingDate: '14/03/2025', Open: '1,234.5', ceiling: '9', stockType: 'x' }]
    await loadWalks(warehouse, home, [{ window: week, bodies: [{ itemsCount: 1, data: rows }] }])
    expect(
      await warehouse.rows('SELECT symbol, trading_date, open, close FROM market.daily_summary'),
    ).toEqual([{ symbol: 'AAA', trading_date: '2025-03-14', open: '1234.500000', close: null }])
    expect(await warehouse.rows('SELECT drift FROM ops.request')).toEqual([{ drift: 'ceiling, stockType' }])
  })

  test('JSON numbers keep the digits they were written with; negative volume, high below low and a zero price are kept: rules judge them, not the loader; symbols that look like SQL, paths or partitions are symbols', async () => {
    const odd = [
      "a'; DROP TABLE x; --",
      '../x',
      '/etc/passwd',
      '__HIVE_DEFAULT_PARTITION__',
      '__proto__',
      '=1+1',
    ]
    const { symbols, rejected } = await loadPage([
      summary('AAA'),
      '{"symbol":"MMM","tradingDate":"2025/03/14","open":27000.50,"priceChangePercentage":0.00001,"totalMatch":1234567890123456.0}',
      summary('NNN', { totalMatch: '-5', high: '1', low: '2', close: '0' }),
      ...odd.map((symbol) => summary(symbol)),
    ])
    expect(rejected).toEqual([])
    expect([...symbols].sort()).toEqual(['AAA', 'MMM', 'NNN', ...odd].sort())
  })
})

test('the same bad record from two answers is kept once', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const walk = { window: week, bodies: [page([summary('MMM', { open: 'NaN' })])] }
  await loadWalks(warehouse, home, [walk])
  const [again] = await loadWalks(warehouse, home, [walk])
  expect(again?.rejected).toBe(1)
  expect(await warehouse.rows('SELECT count(*) AS n FROM ops.quarantine')).toEqual([{ n: 1n }])
})

test('a bad record leaves its session incomplete, the other sessions of the answer empty or complete', async () => {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  await loadWalks(warehouse, home, [
    {
      window: week,
      bodies: [
        page([
          summary('AAA', { tradingDate: '2025/03/13', totalMatch: '0' }),
          summary('MMM', { open: 'NaN' }),
        ]),
      ],
    },
  ])
  expect(
    await warehouse.rows('SELECT window_from AS day, state, reason FROM ops.coverage ORDER BY 1'),
  ).toEqual([
    { day: '2025-03-10', state: 'empty', reason: null },
    { day: '2025-03-11', state: 'empty', reason: null },
    { day: '2025-03-12', state: 'empty', reason: null },
    { day: '2025-03-13', state: 'complete', reason: null },
    { day: '2025-03-14', state: 'incomplete', reason: '1 record rejected: field open' },
  ])
})

describe('binary noise of a computed number', () => {
  const NOISE = 18.100000000000136

  /** What is loaded of the answers, its session's coverage, and quarantine: after each answer. */
  async function loadedAfterEach(...answers: readonly (readonly Record<string, unknown>[])[]) {
    const home = temporaryFolder()
    const warehouse = await openTestWarehouse(home)
    const after: Awaited<ReturnType<typeof stored>>[] = []
    for (const records of answers) {
      await loadWalks(warehouse, home, [{ window: week, bodies: [page(records)] }])
      after.push(await stored(warehouse))
    }
    return after
  }

  async function stored(warehouse: Database) {
    return {
      rows: await warehouse.rows(
        'SELECT symbol, price_change::VARCHAR AS change, average::VARCHAR AS average FROM market.daily_summary ORDER BY ALL',
      ),
      quarantine: await warehouse.rows('SELECT reason, payload FROM ops.quarantine ORDER BY ALL'),
      coverage: await warehouse.rows(
        "SELECT state, reason, reason_code AS code FROM ops.coverage WHERE window_from = DATE '2025-03-14'",
      ),
      revisions: await warehouse.rows('SELECT key, "column", old, new FROM market.revision ORDER BY ALL'),
    }
  }

  const NOISY: readonly (readonly [what: string, value: unknown, text: string])[] = [
    ['a JSON number', NOISE, '18.100000000000136'],
    ['the same as text', '18.100000000000136', '18.100000000000136'],
    ['below its value', '-0.09999999999990905', '-0.09999999999990905'],
    ['around zero', '0.000000000000014210854715202004', '0.000000000000014210854715202004'],
    ['around zero, as JavaScript writes it', '1.4210854715202004e-14', '1.4210854715202004e-14'],
  ]

  describe('in records beside one without', () => {
    const records = NOISY.map(([, value], at) =>
      summary(`FPT${at}`, { priceChange: value, average: '27010.5' }),
    )
    let loaded: Awaited<ReturnType<typeof stored>>
    beforeAll(async () => {
      const [only] = await loadedAfterEach([...records, summary('HPG', { priceChange: '50' })])
      if (only) loaded = only
    })

    test.each(NOISY.map((each, at) => [...each, at] as const))(
      '%s: the record is loaded without the field, and quarantine names both',
      (_, _value, text, at) => {
        expect(loaded.rows).toContainEqual({ symbol: `FPT${at}`, change: null, average: '27010.500000' })
        expect(loaded.quarantine).toContainEqual({
          reason: `priceChange: '${text}' has binary noise; the record is loaded without the field`,
          payload: JSON.stringify(records[at]),
        })
      },
    )

    test('nothing else is in quarantine, and the session names the field and how many records lack it', () => {
      expect(loaded.rows).toHaveLength(NOISY.length + 1)
      expect(loaded.rows).toContainEqual({ symbol: 'HPG', change: '50.000000', average: null })
      expect(loaded.quarantine).toHaveLength(NOISY.length)
      expect(loaded.coverage).toEqual([
        {
          state: 'incomplete',
          reason: 'field priceChange has binary noise in 5 of 6 records',
          code: 'field_lost',
        },
      ])
    })
  })

  describe('is not what these have', () => {
    const OTHERS: readonly (readonly [what: string, changes: Record<string, unknown>])[] = [
      ['a fifth real decimal and more', { priceChange: '18.1234567' }],
      ['further from its rounding than noise is', { priceChange: '0.0000005' }],
      ['a number of another form', { priceChange: '1.81e1' }],
      ['a few decimals with an exponent', { priceChange: '1.81e-1' }],
      ['a price of a trade', { close: NOISE }],
      ['a volume', { totalMatch: '1200.0000000000001' }],
      ['a value', { totalMatchValue: '32460000.000000004' }],
    ]
    const records = OTHERS.map(([, changes], at) => summary(`FPT${at}`, changes))
    let loaded: Awaited<ReturnType<typeof stored>>
    beforeAll(async () => {
      const [only] = await loadedAfterEach(records)
      if (only) loaded = only
    })

    test.each(OTHERS.map((each, at) => [...each, at] as const))(
      '%s is no noise of a computed number: the record is rejected',
      (_, _changes, at) => {
        const payload = JSON.stringify(records[at])
        const reasons = loaded.quarantine.filter((row) => (row as { payload: string }).payload === payload)
        expect(reasons).toMatchObject([{ reason: expect.stringContaining('is not a') }])
      },
    )

    test('none of them is loaded', () => {
      expect(loaded.rows).toEqual([])
      expect(loaded.quarantine).toHaveLength(OTHERS.length)
      expect(loaded.coverage).toMatchObject([{ state: 'incomplete', code: null }])
    })
  })

  test('a stored value stays; the next answer without noise leaves what it would have left alone', async () => {
    const whole = [summary('FPT', { priceChange: '18.1' }), summary('HPG', { priceChange: '50' })]
    const noisy = [summary('FPT', { priceChange: NOISE }), summary('HPG', { priceChange: '60' })]
    const restated = [summary('FPT', { priceChange: '18.1' }), summary('HPG', { priceChange: '60' })]
    const [, meanwhile, healed] = await loadedAfterEach(whole, noisy, restated)
    expect(meanwhile?.rows).toMatchObject([
      { symbol: 'FPT', change: '18.100000' },
      { symbol: 'HPG', change: '60.000000' },
    ])
    expect(meanwhile?.coverage).toMatchObject([{ state: 'incomplete', code: 'field_lost' }])
    const [, undisturbed] = await loadedAfterEach(whole, restated)
    expect(healed).toEqual({ ...undisturbed, quarantine: meanwhile?.quarantine })
    expect(healed?.coverage).toEqual([{ state: 'complete', reason: null, code: null }])
  })

  test('a new row gets its value from the next answer without a line in market.revision', async () => {
    const [, last] = await loadedAfterEach(
      [summary('FPT', { priceChange: NOISE, average: 27_010.500000000004 })],
      [summary('FPT', { priceChange: '18.1', average: '27010.5' })],
    )
    expect(last?.rows).toEqual([{ symbol: 'FPT', change: '18.100000', average: '27010.500000' }])
    expect(last?.revisions).toEqual([])
  })
})
