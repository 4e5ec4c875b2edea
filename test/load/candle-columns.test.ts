import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { expect, test } from 'vitest'
import type { ClosedWalk, PageRecord } from '../../src/land/journal.js'
import { batchesOf, loadBatch } from '../../src/load/batch.js'
import { LandedColumns } from '../../src/load/candles/landed-columns.js'
import { readColumns } from '../../src/load/candles/read-columns.js'
import { temporaryFolder } from '../support/folder.js'
import { landWalks, openTestWarehouse, type TestWalk } from '../support/landed.js'
import { LONG } from '../support/long.js'
import { numberTexts } from './number-texts.js'

type Bar = Readonly<Record<string, string | null>>

const bar = (minute: number, changes: Bar = {}): Bar => ({
  symbol: 'FPT',
  tradingDate: `2025/06/02 09:${15 + minute}:00`,
  open: '27050',
  high: '27100.5',
  low: '27000',
  close: '27050.25',
  volume: '1200',
  value: '32460000',
  ...changes,
})

/** Days and times of every form, with damage. */
const TIMES = [
  '2025/06/02 09:15:00',
  '2025-06-02 09:15:00',
  '2025-06-02T09:15:00',
  '2025/06/02T09:15:00',
  '2025/06-02 09:15:00',
  '02/06/2025 09:15:00',
  '2025/06/02',
  '2025-06-02',
  '2025/06/02 24:00:00',
  '2025/06/02 23:59:59',
  '2025/06/02 00:00:00',
  '2025/06/02 09:60:00',
  '2025/06/02 09:15:60',
  '2025/06/02 09:15',
  '2025/06/02 09:15:00.5',
  '2025-06-02T02:15:00Z',
  '2025-06-02T09:15:00+07:00',
  '2025/06/03 09:15:00',
  '2025/06/01 09:15:00',
  '2025/02/30 09:15:00',
  '2025/13/01 09:15:00',
  '0000/00/00',
  '1925/06/02 09:15:00',
  '2025/06/02 9:15:00',
  '2025/06/02  09:15:00',
  ' 2025/06/02 09:15:00',
  '2025/6/2',
  '',
]

/** Pages of three bars, of which the second is what is tried. */
function bodies(): string[] {
  const values = numberTexts(LONG ? 300 : 90, 37)
  const fields = ['open', 'high', 'low', 'close', 'volume', 'value']
  const changed: Bar[] = [
    ...values.map((text, index) => ({ [fields[index % fields.length] as string]: text })),
    ...TIMES.map((text) => ({ tradingDate: text })),
    ...[...fields, 'symbol', 'tradingDate'].flatMap((field) => [{ [field]: null }, { [field]: '' }]),
    { symbol: 'FPTX' },
    { symbol: 'FP' },
    { symbol: 'fpt' },
    { note: 'more' },
    { value: '9007199254740993' },
    // The bar before and after it, as it is and otherwise.
    bar(0),
    bar(0, { open: '1' }),
    bar(2),
    bar(2, { value: '1' }),
  ]
  const pages = changed.map((change) => [bar(0), bar(1, change), bar(2)])
  const forms: ((page: readonly Bar[]) => string)[] = [
    (page) => JSON.stringify({ pageSize: 3, data: page }),
    (page) =>
      JSON.stringify({ data: page.map((each) => Object.fromEntries(Object.entries(each).reverse())) }),
    (page) => JSON.stringify({ data: page.map((each) => ({ note: null, ...each, 'x"': '1' })) }, null, 1),
    (page) => JSON.stringify(page).replaceAll('"open"', '"Open"'),
    (page) => JSON.stringify({ data: page, pageCount: 1 }).replaceAll(',"volume"', ' , "volume"'),
    (page) => JSON.stringify({ data: page }).replaceAll(/,"value":"[^"]*"/g, ''),
    (page) => JSON.stringify({ data: page }).replaceAll('"27000"', '27000'),
  ]
  return [
    ...pages.map((page) => JSON.stringify({ data: page })),
    ...forms.flatMap((form) => pages.slice(-12).map(form)),
    '{"data":[]}',
    '{"data":null}',
    '[]',
    '{"data":[{}]}',
    '{"data":[[]]}',
    '{"code":1,"data":[]} ',
  ]
}

/** Pages of a walk: a symbol of its own for each. */
function walksOf(timeframe: '1m' | '1d', pages: readonly (readonly string[])[]): TestWalk[] {
  return pages.map((texts, index) => ({
    window: { dataset: 'ohlc', key: `S${index}`, timeframe, from: '2025-06-02', to: '2025-06-02' },
    bodies: texts.map((body) => body.replaceAll('"FPT', `"S${index}`)),
  }))
}

/** How pages are read: by `sql/parse`, as columns from their files, or as columns as soon as they were landed. */
type Way = 'text' | 'columns' | 'landed'

/** What loading leaves. */
async function load(walks: readonly TestWalk[], way: Way): Promise<unknown[][]> {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  const closed = await landWalks(home, walks, { run: '20250602T120000000Z-0001' })
  const landed = new LandedColumns()
  if (way === 'landed')
    walks.forEach(({ bodies: texts }, walk) => {
      texts.forEach((text, index) => {
        landed.keep(closed[walk]?.pages[index] as PageRecord, Buffer.from(String(text)))
      })
    })
  for (const batch of batchesOf(way === 'text' ? closed.map(notPlain) : closed))
    await loadBatch(warehouse, home, 'ohlc', batch, loadCalendar(), { verify: false, landed })
  return [
    await warehouse.rows('FROM market.candle ORDER BY ALL'),
    await warehouse.rows('FROM ops.quarantine ORDER BY ALL'),
    await warehouse.rows('FROM ops.coverage ORDER BY ALL'),
    await warehouse.rows('FROM ops.dirty_partition ORDER BY ALL'),
  ]
}

/** A page that is read record by record, by `sql/parse` alone. */
function notPlain(walk: ClosedWalk): ClosedWalk {
  return { ...walk, pages: walk.pages.map((page) => ({ ...page, plain: false })) }
}

test.each(['1m', '1d'] as const)(
  'what pages of %s bars leave is the same whether they are read as columns or as text, and when',
  async (timeframe) => {
    const walks = walksOf(
      timeframe,
      bodies().map((body) => [body]),
    )
    const columns = await load(walks, 'columns')
    expect(columns).toEqual(await load(walks, 'text'))
    expect(columns).toEqual(await load(walks, 'landed'))
    expect(columns.map((rows) => rows.length > 80)).toEqual([true, true, true, false])
  },
)

test('bars that come twice are one bar or none, in whatever order and on whichever page they come', async () => {
  const page = (...bars: readonly Bar[]): string => JSON.stringify({ data: bars })
  const other = { close: '27000' }
  const distinct = [
    [page(bar(0), bar(1)), page(bar(2), bar(3))],
    [page(bar(3), bar(2)), page(bar(1), bar(0))],
    [page(bar(1), bar(0), bar(2))],
    [page(bar(0), bar(3)), page(bar(1), bar(2))],
  ]
  const repeated = [
    [page(bar(0), bar(1)), page(bar(1), bar(2))],
    [page(bar(0), bar(1)), page(bar(1, other), bar(2))],
    [page(bar(1), bar(2)), page(bar(0), bar(1, other))],
    [page(bar(0), bar(0, other), bar(1))],
    [page(bar(2), bar(1), bar(2, other))],
    [page(bar(1)), page(bar(1))],
  ]
  for (const pages of [distinct, [...distinct, ...repeated]]) {
    const walks = walksOf('1m', pages)
    const columns = await load(walks, 'columns')
    expect(columns).toEqual(await load(walks, 'text'))
    expect(columns).toEqual(await load(walks, 'landed'))
  }
  const [bars, rejected] = await load(walksOf('1m', repeated), 'landed')
  expect([bars?.length, rejected?.length]).toEqual([3 + 2 + 2 + 1 + 1 + 1, 4 * 2])
})

test('pages are kept once, and no more of them than memory holds', () => {
  const page = {
    window: { dataset: 'ohlc', key: 'FPT', timeframe: '1m', from: '2025-06-02', to: '2025-06-02' },
  }
  const landed = new LandedColumns()
  const keep = (id: string, changes: Partial<PageRecord>): unknown => {
    landed.keep({ ...page, id, rows: 1, plain: true, ...changes } as PageRecord, body)
    return landed.take(id)?.rows
  }
  const body = Buffer.from(JSON.stringify({ data: [bar(0)] }))
  expect(keep('1', {})).toBe(1)
  expect(landed.take('1')).toBeUndefined()
  expect(keep('2', { plain: false })).toBeUndefined()
  expect(keep('3', { rows: 500_001 })).toBeUndefined()
  expect(
    keep('4', { window: { ...page.window, dataset: 'masterdata' } as PageRecord['window'] }),
  ).toBeUndefined()
  // A body that is not what its line says is read from its file, which loading then rejects.
  expect(keep('5', { rows: 2 })).toBeUndefined()
})

test('ordinary pages are read as columns, in every form in which the service writes them', () => {
  const question = { symbol: 'FPT', timeframe: '1m', from: '2025-06-02', to: '2025-06-02', rows: 3 }
  const read = bodies().filter((body) => readColumns(Buffer.from(body), question))
  const sparse = { ...question, rows: 4 }
  expect(read.length).toBeGreaterThan(45)
  expect(read.filter((body) => readColumns(Buffer.from(body), sparse))).toEqual([])
})

test.each([
  [
    [0, 1, 2],
    [0, 2],
  ],
  [
    [2, 1, 0],
    [0, 2],
  ],
  [[0], [0, 0]],
  [[1, 0, 2], undefined],
  [[0, 2, 1], undefined],
  [[0, 0, 2], undefined],
  [[2, 0, 0], undefined],
  [[1, 1], undefined],
])('bars of the minutes %j have the span %j: two of one time have none', (minutes, span) => {
  const body = JSON.stringify({ data: minutes.map((minute) => bar(minute)) })
  const question = { symbol: 'FPT', timeframe: '1m', from: '2025-06-02', to: '2025-06-02' }
  const read = readColumns(Buffer.from(body), { ...question, rows: minutes.length })
  const since = (second: number | undefined): number =>
    ((second ?? 0) - Date.parse('2025-06-02T09:15:00Z') / 1000) / 60
  expect(read?.rows).toBe(minutes.length)
  expect(read?.span && [since(read.span.first), since(read.span.last)]).toEqual(span)
})
