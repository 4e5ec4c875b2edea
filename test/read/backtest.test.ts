import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/duckdb/open.js'
import { type EngineManifest, exportFor } from '../../src/read/backtest/export-for.js'
import { factorFile } from '../../src/read/backtest/lean.js'
import { type DayBar, partsOf } from '../../src/read/backtest/market-history.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse, type TestWalk } from '../support/landed.js'
import { ask, candleWalk, evening, filesBelow, publishTest } from '../support/published.js'

const DAYS = ['2025-03-11', '2025-03-12', '2025-03-14'] as const
const HOSTILE = '../../x'
/** qlib looks for the name of a device of Windows under another one; an index has the code of the stock VNX. */
const [DEVICE, AMBIGUOUS] = ['CON', 'VNX'] as const

interface Day {
  symbol: string
  /** Reference, then open, high, low and close; only a reference where no summary is sent. */
  ref: number
  prices?: readonly [number, number, number, number]
  volume?: number
}

function limits(day: string, rows: readonly Day[]): TestWalk {
  const data = rows.map(({ symbol, ref }) => ({
    symbol,
    exchange: 'HOSE',
    tradingDate: day.replaceAll('-', '/'),
    refPrice: `${ref}`,
    ceiling: `${ref * 1.07}`,
    floor: `${ref * 0.93}`,
  }))
  return {
    window: { dataset: 'masterdata', key: '*', timeframe: '', from: day, to: day },
    bodies: [{ data }],
  }
}

function summaries(day: string, rows: readonly Day[]): TestWalk {
  const data = rows.flatMap(({ symbol, prices, volume = 1_000 }) => {
    if (!prices) return []
    const [open, high, low, close] = prices.map(String)
    const average = String((prices[1] + prices[2]) / 2)
    const totalMatchValue = String(volume * prices[3])
    const tradingDate = day.replaceAll('-', '/')
    return [
      { symbol, tradingDate, open, high, low, close, average, totalMatch: String(volume), totalMatchValue },
    ]
  })
  return {
    window: { dataset: 'securitiesSummary', key: '*', timeframe: '', from: day, to: day },
    bodies: [{ data }],
  }
}

function indexSummary(day: string, value: number, index = 'VNINDEX'): TestWalk {
  const data = [{ index, tradingDate: day.replaceAll('-', '/'), indexValue: String(value), totalMatch: '7' }]
  return {
    window: { dataset: 'indexSummary', key: index, timeframe: '', from: day, to: day },
    bodies: [{ data }],
  }
}

/** FPT is split two for one on the last session, which closes at the ceiling. OLD is listed on the first session alone. */
const SESSIONS: readonly (readonly Day[])[] = [
  [
    { symbol: 'FPT', ref: 100_000, prices: [100_000, 102_000, 99_000, 101_000] },
    { symbol: 'OLD', ref: 10_000, prices: [10_000, 10_000, 10_000, 10_000] },
    { symbol: HOSTILE, ref: 10_000, prices: [10_000, 10_000, 10_000, 10_000] },
    { symbol: DEVICE, ref: 10_000, prices: [10_000, 10_000, 10_000, 10_000] },
    { symbol: AMBIGUOUS, ref: 20_000, prices: [20_000, 20_000, 20_000, 20_000], volume: 0 },
  ],
  [{ symbol: 'FPT', ref: 101_000, prices: [101_000, 101_000, 101_000, 101_000], volume: 0 }],
  [
    { symbol: 'FPT', ref: 50_500, prices: [51_000, 54_035, 50_500, 54_035], volume: 2_000 },
    { symbol: DEVICE, ref: 10_000, prices: [10_000, 10_000, 10_000, 10_000] },
    { symbol: AMBIGUOUS, ref: 20_000, prices: [20_000, 20_000, 20_000, 20_000], volume: 0 },
  ],
]

const home = temporaryFolder()

beforeAll(async () => {
  const warehouse = await openTestWarehouse(home)
  await loadWalks(warehouse, home, [
    ...DAYS.flatMap((day, n) => [
      limits(day, SESSIONS[n] ?? []),
      summaries(day, SESSIONS[n] ?? []),
      indexSummary(day, 1_300 + n),
      indexSummary(day, 900, AMBIGUOUS),
    ]),
    {
      window: { dataset: 'indexMembers', key: 'VN30', timeframe: '', from: DAYS[2], to: DAYS[2] },
      bodies: [{ data: [{ symbol: 'FPT' }] }],
    },
    candleWalk('FPT', DAYS[0], ['09:15:00', '14:45:00']),
    candleWalk('FPT', DAYS[2], ['09:16:00']),
  ])
  await publishTest(warehouse, home)
  warehouse.close()
})

const silent = { symbol: () => undefined, note: () => undefined, signal: new AbortController().signal }

async function exported(
  request: Partial<Parameters<typeof exportFor>[1]> & Pick<Parameters<typeof exportFor>[1], 'engine'>,
): Promise<{ out: string; manifest: EngineManifest }> {
  const out = join(temporaryFolder(), 'out')
  const manifest = await exportFor(
    home,
    { out, timeframe: '1d', universe: 'all', ...request },
    silent,
    evening(),
  )
  return { out, manifest }
}

/** Where in the calendar a file of qlib begins, then its values. */
function floats(file: string): number[] {
  const bytes = readFileSync(file)
  return Array.from({ length: bytes.length / 4 }, (_, n) => bytes.readFloatLE(n * 4))
}

const lines = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n')

describe('an export for qlib', () => {
  test('has a calendar with the session of which nothing is stored, and who was listed when', async () => {
    const { out, manifest } = await exported({ engine: 'qlib' })
    expect(lines(join(out, 'calendars/day.txt'))).toEqual([
      '2025-03-11',
      '2025-03-12',
      '2025-03-13',
      '2025-03-14',
    ])
    expect(lines(join(out, 'instruments/all.txt'))).toEqual([
      'CON\t2025-03-11\t2025-03-14',
      'FPT\t2025-03-11\t2025-03-14',
      'OLD\t2025-03-11\t2025-03-11',
      'VNX\t2025-03-11\t2025-03-14',
    ])
    expect(manifest).toMatchObject({
      sessions: 4,
      missing_sessions: ['2025-03-13'],
      instruments: 4,
      delisted: 1,
      skipped: [{ symbols: [HOSTILE, `index ${AMBIGUOUS}`] }],
    })
    expect(existsSync(join(out, '../../x'))).toBe(false)
  })

  test('has adjusted prices beside their factor, none where nothing matched, and whether a limit was hit', async () => {
    const { out } = await exported({ engine: 'qlib' })
    const of = (field: string) => floats(join(out, `features/fpt/${field}.day.bin`))
    expect(of('close')).toEqual([0, 50_500, NaN, NaN, 54_035])
    expect(of('factor')).toEqual([0, 0.5, 0.5, NaN, 1])
    expect(of('volume')).toEqual([0, 2_000, 0, NaN, 2_000])
    expect(of('change').at(-1)).toBeCloseTo(54_035 / 50_500 - 1, 6)
    expect(of('limit_up')).toEqual([0, 0, NaN, NaN, 1])
    expect(floats(join(out, 'features/vnindex/close.day.bin'))).toEqual([0, 1300, 1301, NaN, 1302])
    const stored = await ask(
      home,
      "SELECT close_adjusted FROM mart.daily_adjusted WHERE symbol = 'FPT' AND total_match > 0 ORDER BY trading_date",
    )
    expect(
      of('close')
        .slice(1)
        .filter((price) => !Number.isNaN(price)),
    ).toEqual(stored.map(({ close_adjusted }) => close_adjusted))
  })

  test('has a symbol where qlib looks for it, and no index in place of a stock', async () => {
    const { out } = await exported({ engine: 'qlib' })
    expect(floats(join(out, 'features/_qlib_con/close.day.bin'))).toEqual([0, 10_000, NaN, NaN, 10_000])
    expect(floats(join(out, 'features/vnx/close.day.bin'))).toEqual([0, NaN, NaN, NaN, NaN])
    expect(lines(join(out, 'instruments/all.txt'))[0]).toMatch(/^CON/)
  })

  test('of minutes has the minutes in which something was traded, adjusted by the factor of their session', async () => {
    const { out } = await exported({ engine: 'qlib', timeframe: '1m' })
    expect(lines(join(out, 'calendars/1min.txt'))).toEqual([
      '2025-03-11 09:15:00',
      '2025-03-11 14:45:00',
      '2025-03-14 09:16:00',
    ])
    expect(lines(join(out, 'instruments/all.txt'))[1]).toBe('FPT\t2025-03-11\t2025-03-14 23:59:59')
    const [first, ...prices] = floats(join(out, 'features/fpt/close.1min.bin'))
    const [begins, ...factors] = floats(join(out, 'features/fpt/factor.1min.bin'))
    expect([first, begins, factors]).toEqual([0, 0, [0.5, 0.5, 1]])
    expect(prices[2]).toBe((prices[0] ?? 0) * 2)
  })
})

test('an export of an index says since when its members are known', async () => {
  const known = async (from?: string) =>
    (await exported({ engine: 'lean', universe: 'VN30', from })).manifest.members_known_from
  expect(await known()).toBe('2025-03-14')
  expect(await known('2025-03-14')).toBeNull()
  expect((await exported({ engine: 'lean' })).manifest.members_known_from).toBeNull()
})

test('an export for zipline has a row for every session, raw prices, and what became of a share', async () => {
  const { out } = await exported({ engine: 'zipline' })
  expect(lines(join(out, 'daily/FPT.csv'))).toEqual([
    'date,open,high,low,close,volume,dividend,split',
    '2025-03-11,100000,102000,99000,101000,1000,0,1',
    '2025-03-12,0,0,0,0,0,0,1',
    '2025-03-13,0,0,0,0,0,0,1',
    '2025-03-14,51000,54035,50500,54035,2000,0,2',
  ])
  expect(lines(join(out, 'daily/OLD.csv')).slice(1)).toEqual(['2025-03-11,10000,10000,10000,10000,1000,0,1'])
  expect(lines(join(out, 'index/VNINDEX.csv')).at(-1)).toBe('2025-03-14,1302')
  expect(lines(join(out, 'sessions.csv'))).toHaveLength(5)
  // zipline executes its text, which then has no such name.
  expect(readFileSync(join(out, 'extension.py'), 'utf8').replaceAll(/#.*/g, '')).not.toContain('__file__')
})

describe('an export for nautilus', () => {
  test('has bars of sessions in which something matched, adjusted, that end at 15:00', async () => {
    const { out } = await exported({ engine: 'nautilus' })
    const type = 'FPT.HOSE-1-DAY-LAST-EXTERNAL'
    const file = await asyncBufferFromFile(
      join(out, `data/bar/${type}/2025-03-11T08-00-00-000000000Z_2025-03-14T08-00-00-000000000Z.parquet`),
    )
    const { key_value_metadata: metadata } = await parquetMetadataAsync(file)
    expect(metadata).toContainEqual({ key: 'bar_type', value: type })
    const rows = await parquetReadObjects({ file, utf8: false })
    const number = (bytes: unknown): number => {
      const value = Buffer.from(bytes as Uint8Array)
      const units = (value.readBigInt64LE(8) << 64n) + value.readBigUInt64LE(0)
      return Number(units / 10n ** 12n) / 1e4
    }
    expect(rows.map((row) => [number(row.open), number(row.close), row.ts_event])).toEqual([
      [50_000, 50_500, BigInt(Date.parse('2025-03-11T08:00:00Z')) * 1_000_000n],
      [51_000, 54_035, BigInt(Date.parse('2025-03-14T08:00:00Z')) * 1_000_000n],
    ])
  })

  test('has an instrument for each symbol that a file can be named for', async () => {
    const { out } = await exported({ engine: 'nautilus' })
    const [of] = filesBelow(join(out, 'data/equity')).filter((name) => name.startsWith('FPT'))
    const file = await asyncBufferFromFile(join(out, 'data/equity', of ?? ''))
    expect(await parquetReadObjects({ file })).toMatchObject([
      { id: 'FPT.HOSE', raw_symbol: 'FPT', currency: 'VND', price_precision: 4, price_increment: '0.0001' },
    ])
    expect(filesBelow(join(out, 'data/equity'))).toHaveLength(4)
  })
})

/** Name and lines of the one entry of a zip file. */
function entryOf(file: string): [string, ...string[]] {
  const bytes = readFileSync(file)
  const data = 30 + bytes.readUInt16LE(26) + bytes.readUInt16LE(28)
  const name = bytes.toString('utf8', 30, 30 + bytes.readUInt16LE(26))
  return [name, ...inflateRawSync(bytes.subarray(data)).toString('utf8').trimEnd().split('\n')]
}

describe('an export for LEAN', () => {
  test('has raw bars in ten-thousandths, factors up to the day before an event, and the end of a delisted name', async () => {
    const { out } = await exported({ engine: 'lean' })
    const equity = join(out, 'equity/vietnam')
    expect(entryOf(join(equity, 'daily/fpt.zip'))).toEqual([
      'fpt.csv',
      '20250311 00:00,1000000000,1020000000,990000000,1010000000,1000',
      '20250314 00:00,510000000,540350000,505000000,540350000,2000',
    ])
    expect(lines(join(equity, 'factor_files/fpt.csv'))).toEqual([
      '20250311,1,0.5,101000',
      '20250312,1,0.5,101000',
      '20501231,1,1,0',
    ])
    // Without a board: older readers of LEAN take a letter there, and drop a file that has more.
    expect(lines(join(equity, 'map_files/old.csv'))).toEqual(['20250311,old'])
    expect(lines(join(equity, 'map_files/fpt.csv'))).toEqual(['20250311,fpt', '20501231,fpt'])
    expect(filesBelow(join(equity, 'daily'))).toEqual(['con.zip', 'fpt.zip', 'old.zip'])
    expect(entryOf(join(out, 'index/vietnam/daily/vnindex.zip'))[3]).toBe(
      '20250314 00:00,1302,1302,1302,1302,7',
    )
  })

  test('of minutes has a file for each session, and bars named by milliseconds since midnight', async () => {
    const { out } = await exported({ engine: 'lean', timeframe: '1m' })
    const minute = join(out, 'equity/vietnam/minute/fpt')
    expect(filesBelow(minute)).toEqual(['20250311_trade.zip', '20250314_trade.zip'])
    const [name, ...bars] = entryOf(join(minute, '20250311_trade.zip'))
    expect([name, bars.map((bar) => Number(bar.split(',')[0]) / 60_000)]).toEqual([
      '20250311_fpt_minute_trade.csv',
      [9 * 60 + 15, 14 * 60 + 45],
    ])
    const { entries } = JSON.parse(readFileSync(join(out, 'market-hours/market-hours-database.json'), 'utf8'))
    expect(entries['Equity-vietnam-[*]']).toMatchObject({
      exchangeTimeZone: 'Asia/Ho_Chi_Minh',
      monday: [
        { start: '09:00:00', end: '11:30:00' },
        { start: '13:00:00', end: '15:00:00' },
      ],
      saturday: [],
    })
  })
})

describe('factors for LEAN', () => {
  const day = (session: string, more: Partial<DayBar>): DayBar => ({
    symbol: 'FPT',
    session,
    open: 1,
    high: 1,
    low: 1,
    close: 100,
    average: 1,
    volume: 1,
    value: 1,
    factor: 1,
    event_factor: 1,
    share_factor: 1,
    is_at_ceiling: null,
    is_at_floor: null,
    ...more,
  })

  test('are of shares and of cash where both come, and of shares alone in spite of what doubles add', () => {
    const rows = [
      day('2025-03-10', {}),
      day('2025-03-11', { event_factor: 0.1 + 0.2, share_factor: 0.3 }),
      day('2025-03-12', { event_factor: 0.45, share_factor: 0.5 }),
      day('2025-03-13', { event_factor: 0.9, share_factor: 1 }),
    ]
    expect(factorFile(rows)).toEqual([
      '20250310,0.81,0.15,100',
      '20250311,0.81,0.5,100',
      '20250312,0.9,1,100',
      '20501231,1,1,0',
    ])
  })

  test('have no exponent, which LEAN cannot read', () => {
    const factor = 1e-8
    const rows = [day('2025-03-10', {}), day('2025-03-11', { event_factor: factor, share_factor: factor })]
    expect(factorFile(rows)[0]).toBe('20250310,1,0.00000001,100')
  })
})

describe('what an export for an engine refuses', () => {
  test.each([
    [{ engine: 'zipline', timeframe: '1m' }, 'an export for zipline has no bars of 1m'],
    [{ engine: 'qlib', universe: 'VN31' }, 'no members of an index VN31 are stored; did you mean VN30?'],
    [
      { engine: 'qlib', universe: 'vn30', to: '2025-03-12' },
      'who was a member of VN30 is not known to 2025-03-12: its first list is of 2025-03-14',
    ],
    [{ engine: 'qlib', universe: '' }, '--universe names no index'],
    [{ engine: 'qlib', from: '2025-03-15' }, 'no daily summary is stored from 2025-03-15'],
    [{ engine: 'qlib', from: '2025-03-14', to: '2025-03-11' }, '--from 2025-03-14 is after --to 2025-03-11'],
  ] as const)('%j', async (request, message) => {
    await expect(exported(request)).rejects.toThrow(message)
  })

  test('a folder that no export wrote stays as it is; one of an export is replaced', async () => {
    const out = join(temporaryFolder(), 'mine')
    mkdirSync(out)
    writeFileSync(join(out, 'notes.txt'), 'mine')
    await expect(exported({ engine: 'qlib', out })).rejects.toThrow('was not created by an export')
    expect(filesBelow(out)).toEqual(['notes.txt'])
    const { out: former } = await exported({ engine: 'qlib' })
    await exported({ engine: 'zipline', out: former })
    expect(existsSync(join(former, 'features'))).toBe(false)
    expect(existsSync(join(former, 'daily/FPT.csv'))).toBe(true)
  })

  test('a folder that is empty is taken; one in which nothing can be made is refused', async () => {
    const out = join(temporaryFolder(), 'made-before')
    mkdirSync(out)
    await exported({ engine: 'qlib', out })
    expect(existsSync(join(out, 'manifest.json'))).toBe(true)
    if (process.platform === 'linux')
      await expect(exported({ engine: 'qlib', out: '/proc/qlib' })).rejects.toThrow('cannot write beside')
  })

  test('what a killed export left is removed, also of a process with the same id; that of a live one stays', async () => {
    const folder = temporaryFolder()
    const out = join(folder, 'out')
    // The largest id that no process has: Linux gives none above 2 to the 22nd.
    const left = (pid: number, name = 'out') => join(folder, `${name}.${pid}.tmp`)
    const others = [left(process.ppid), left(99_999_999, 'out.x'), join(folder, 'out.tmp')]
    for (const each of [left(99_999_999), left(process.pid), ...others]) {
      mkdirSync(join(each, 'files', 'features'), { recursive: true })
      writeFileSync(join(each, 'files', 'stale'), '')
    }
    await exported({ engine: 'qlib', out })
    expect(readdirSync(folder).sort()).toEqual(['out', ...others.map((each) => basename(each))].sort())
    expect(existsSync(join(out, 'stale'))).toBe(false)
  })

  test('one that is stopped leaves the former export, and nothing beside it', async () => {
    const { out } = await exported({ engine: 'qlib' })
    const before = filesBelow(out)
    const stopping = new AbortController()
    const symbol = (): void => {
      stopping.abort(new Error('stopped'))
      stopping.signal.throwIfAborted()
    }
    const request = { engine: 'zipline', out, timeframe: '1d', universe: 'all' } as const
    await expect(
      exportFor(home, request, { ...silent, symbol, signal: stopping.signal }, evening()),
    ).rejects.toThrow('stopped')
    expect(filesBelow(join(out, '..'))).toEqual(before.map((name) => join('out', name)))
  })
})

test.each([
  { rows: 0, parts: 1 },
  { rows: 2_000_001, parts: 2 },
  { rows: 900_000_000, parts: 5 },
])('$rows rows are sorted in parts of symbols, in which each symbol is once', async ({ rows, parts }) => {
  const conditions = partsOf(
    ['AAA', 'BBB', "C'C", 'DDD', 'EEE'].map((symbol) => ({ symbol })),
    rows,
  )
  expect(conditions).toHaveLength(parts)
  using database = await openDatabase(':memory:')
  // Symbols that are no instruments have rows too.
  const symbols = `(VALUES ('AAA'), ('BBB'), ('C''C'), ('DDD'), ('EEE'), ('A'), ('BBC'), ('ZZZ')) t(symbol)`
  const found = await Promise.all(
    conditions.map((condition) =>
      database.column<string>(`SELECT symbol FROM ${symbols} WHERE ${condition} ORDER BY symbol`),
    ),
  )
  expect(found.flat()).toEqual(['A', 'AAA', 'BBB', 'BBC', "C'C", 'DDD', 'EEE', 'ZZZ'])
})
