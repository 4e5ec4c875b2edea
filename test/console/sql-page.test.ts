import { describe, expect, test } from 'vitest'
import { tabSeparated, widthsOf } from '../../src/console/pages/sql/cell.js'
import { boundsOf, isWithin, movedBy, sortedNext } from '../../src/console/pages/sql/cell-range.js'
import { completionPlace } from '../../src/console/pages/sql/completion-place.js'
import { columnsBehind } from '../../src/read/alias-columns.js'
import { chartModel, firstChoice, namedChoice, sessionLabels } from '../../src/read/chart-model.js'
import { exactCell, shownCell } from '../../src/read/shown-cell.js'

const column = (name: string, type: string) => ({ name, type })

describe('columns that are named for a chart', () => {
  const columns = [
    column('day', 'DATE'),
    column('symbol', 'VARCHAR'),
    column('close', 'DOUBLE'),
    column('n', 'BIGINT'),
  ]
  const rows = [
    ['2025-03-13', 'AAA', 1, 10],
    ['2025-03-13', 'BBB', 2, 20],
  ]

  test.each([
    [{}, { over: 0, split: 1, value: 2 }],
    [{ over: 'symbol' }, { over: 1, split: undefined, value: 2 }],
    [
      { over: 'symbol', value: 'n' },
      { over: 1, split: undefined, value: 3 },
    ],
    [
      { over: 'day', split: 'symbol', value: 'n' },
      { over: 0, split: 1, value: 3 },
    ],
    [{ over: 'day' }, { over: 0, split: undefined, value: undefined }],
  ])('%j are taken', (named, choice) => {
    expect(namedChoice(columns, rows, named)).toEqual(choice)
  })

  test.each([
    [{ over: 'dai' }, 'over=dai: the result has no such column for it; it has day, symbol, close, n'],
    [{ value: 'symbol' }, 'value=symbol: the result has no such column for it; it has close, n'],
    [{ split: 'close' }, 'split=close: the result has no such column for it; it has symbol'],
  ])('%j are refused in words', (named, words) => {
    expect(namedChoice(columns, rows, named)).toBe(words)
  })

  test('a result without numbers is none', () => {
    expect(namedChoice(columns.slice(0, 2), rows, {})).toMatch(/^A chart needs a column with numbers/)
  })
})

describe('cells', () => {
  test.each([
    ['27000.000000', 'DECIMAL(18,6)', '27,000'],
    ['9007199254740993', 'BIGINT', '9,007,199,254,740,993'],
    [1234.5, 'DOUBLE', '1,234.5'],
    [null, 'DOUBLE', 'NULL'],
    ['2025-03-14T02:15:00.5Z', 'TIMESTAMP WITH TIME ZONE', '2025-03-14 09:15:00.5+07'],
    ['infinity', 'TIMESTAMP WITH TIME ZONE', 'infinity'],
    ['1000', 'VARCHAR', '1000'],
    [['a', 1], 'VARCHAR[]', '["a",1]'],
  ])('%j of type %s is shown as %s', (value, type, shown) => {
    expect(shownCell(value, column('x', type))).toBe(shown)
  })

  test('years and numbers that name something are not grouped', () => {
    expect(shownCell('2025', column('year', 'BIGINT'))).toBe('2025')
    expect(shownCell('1204.00', column('publication_id', 'DECIMAL(18,2)'))).toBe('1204')
    expect(shownCell('100', column('run_id', 'BIGINT'))).toBe('100')
  })

  test('a copy has every digit, and no cell of it becomes two', () => {
    expect(
      tabSeparated([
        ['27000.000000', null],
        ['a\tb\nc', [1]],
      ]),
    ).toBe('27000.000000\t\na b c\t[1]')
    expect(exactCell('2025-03-14T02:15:00Z')).toBe('2025-03-14T02:15:00Z')
  })

  test('columns are as wide as what they show, within bounds', () => {
    const columns = [column('value', 'DECIMAL(24,4)'), column('text', 'VARCHAR'), column('x', 'BIGINT')]
    expect(widthsOf(columns, [['218884445000.0000', 'x'.repeat(99), '1']])).toEqual([16, 40, 7])
  })
})

describe('moving and choosing', () => {
  const key = (name: string, ctrlKey = false) => ({ key: name, ctrlKey, metaKey: false })

  test.each([
    [key('ArrowDown'), { row: 1, column: 0 }],
    [key('ArrowUp'), { row: -1, column: 0 }],
    [key('PageUp'), { row: 0, column: 0 }],
    [key('End', true), { row: 99, column: 2 }],
    [key('End'), { row: 0, column: 2 }],
    [key('x'), undefined],
  ])('%j leads from the first cell to %j', (pressed, cell) => {
    expect(movedBy(pressed, { row: 0, column: 0 }, 100, 3)).toEqual(cell)
  })

  test('from the titles down leads to the first row, and sideways along them', () => {
    expect(movedBy(key('ArrowDown'), { row: -1, column: 1 }, 100, 3)).toEqual({ row: 0, column: 1 })
    expect(movedBy(key('ArrowRight'), { row: -1, column: 1 }, 100, 3)).toEqual({ row: -1, column: 2 })
  })

  test('a range has its corners in any order', () => {
    const range = { anchor: { row: 4, column: 2 }, active: { row: 1, column: 3 } }
    expect(boundsOf(range)).toEqual({ top: 1, bottom: 4, left: 2, right: 3 })
    expect([isWithin({ row: 2, column: 3 }, range), isWithin({ row: 2, column: 1 }, range)]).toEqual([
      true,
      false,
    ])
  })

  test('a title sorts up, then down, then not at all', () => {
    const up = sortedNext(undefined, 2)
    const down = sortedNext(up, 2)
    expect([up, down, sortedNext(down, 2)]).toEqual([
      { column: 2, descending: false },
      { column: 2, descending: true },
      undefined,
    ])
    expect(sortedNext(down, 1)).toEqual({ column: 1, descending: false })
  })
})

describe('charts', () => {
  const minutes = [
    column('opened_at', 'TIMESTAMP WITH TIME ZONE'),
    column('symbol', 'VARCHAR'),
    column('close', 'DOUBLE'),
  ]
  const rows = [
    ['2025-03-14T07:45:00Z', 'FPT', 3],
    ['2025-03-14T07:45:00Z', 'HPG', 30],
    ['2025-03-17T02:15:00Z', 'FPT', 4],
    ['2025-03-17T02:16:00Z', 'HPG', 32],
  ]

  test('one line per symbol where a time has several, evenly spaced over a night', () => {
    const choice = firstChoice(minutes, rows)
    expect(choice).toEqual({ over: 0, split: 1, value: 2 })
    const at = (text: string) => Date.parse(text) / 1000
    expect(choice && chartModel(minutes, rows, choice)).toEqual({
      kind: 'sessions',
      // UTC writes them as exchange time.
      positions: [at('2025-03-14T14:45:00Z'), at('2025-03-17T09:15:00Z'), at('2025-03-17T09:16:00Z')],
      categories: [],
      series: [
        { name: 'FPT', values: [3, 4, null] },
        { name: 'HPG', values: [30, null, 32] },
      ],
      remarks: [],
    })
  })

  test('a line per number where each time has one row', () => {
    const columns = [column('day', 'DATE'), column('a', 'BIGINT'), column('b', 'BIGINT')]
    const days = [
      ['2025-03-17', '2', null],
      ['2025-03-14', '1', '5'],
      [null, '9', '9'],
    ]
    const choice = firstChoice(columns, days)
    expect(choice).toEqual({ over: 0, split: undefined, value: undefined })
    expect(choice && chartModel(columns, days, choice).series).toEqual([
      { name: 'a', values: [1, 2] },
      { name: 'b', values: [5, null] },
    ])
  })

  test('bars for categories, added up where they repeat, and it says so', () => {
    const columns = [column('board', 'VARCHAR'), column('kind', 'VARCHAR'), column('n', 'BIGINT')]
    const counts = [
      ['HOSE', 'stock', '3'],
      ['HNX', 'stock', '1'],
      ['HOSE', 'etf', '2'],
      [null, 'stock', null],
    ]
    const choice = firstChoice(columns, counts)
    expect(choice).toEqual({ over: 0, split: undefined, value: 2 })
    expect(choice && chartModel(columns, counts, choice)).toMatchObject({
      kind: 'categories',
      categories: ['HOSE', 'HNX', 'NULL'],
      series: [{ name: 'n', values: [5, 1, null] }],
      remarks: ['Rows of the same board are added up.'],
    })
    expect(chartModel(columns, counts, { over: 0, split: 1, value: 2 }).series).toEqual([
      { name: 'stock', values: [3, 1, null] },
      { name: 'etf', values: [2, null, null] },
    ])
  })

  test('what is left out is said', () => {
    const columns = [column('name', 'VARCHAR'), column('n', 'BIGINT')]
    const many = Array.from({ length: 50 }, (_, index) => [`s${index}`, index])
    const { categories, remarks } = chartModel(columns, many, { over: 0, split: undefined, value: 1 })
    expect([categories.length, remarks]).toEqual([40, ['The first 40 of 50 values of name.']])
  })

  test('no chart without a number, or without another column', () => {
    expect(firstChoice([column('a', 'VARCHAR')], [['x']])).toBeUndefined()
    expect(firstChoice([column('a', 'BIGINT')], [['1']])).toBeUndefined()
  })

  test('ticks name the day where it begins, and only days where they are days apart', () => {
    const at = (text: string) => Date.parse(text) / 1000
    expect(sessionLabels(['2025-03-14T14:30Z', '2025-03-14T14:45Z', '2025-03-17T09:15Z'].map(at))).toEqual([
      '14 Mar\n14:30',
      '14:45',
      '17 Mar\n09:15',
    ])
    expect(sessionLabels(['2025-03-14T14:30Z', '2025-03-17T09:15Z'].map(at))).toEqual(['14 Mar', '17 Mar'])
  })
})

describe('completion', () => {
  const names = [
    { relation: 'market.candle', columns: ['symbol', 'close'] },
    { relation: 'market.security', columns: ['symbol', 'board'] },
  ]

  test.each([
    ['select c. from market.candle c', 'c', ['symbol', 'close']],
    ['select S. from candle c join security as s using (symbol)', 'S', ['symbol', 'board']],
    ['from market.candle c, market.security x where x.', 'x', ['symbol', 'board']],
    ['from candle where candle.', 'candle', ['symbol', 'close']],
    ['from candle where w.', 'where', []],
    ["select 'from security c' from candle c", 'c', ['symbol', 'close']],
    ['-- from security c\nselect c. from candle c', 'c', ['symbol', 'close']],
    ['select z.', 'z', []],
  ])('%j: behind %s come %j', (statement, qualifier, columns) => {
    expect(columnsBehind(qualifier, statement, names)).toEqual(columns)
  })

  test.each([
    ["where symbol = 'FP", { kind: 'text', from: 16, typed: 'FP', column: 'symbol' }],
    ["where symbol in ('FPT', 'H", { kind: 'text', from: 25, typed: 'H', column: 'symbol' }],
    ["where timeframe = '1", { kind: 'text', from: 19, typed: '1', column: 'timeframe' }],
    ["from mart.bars('", { kind: 'text', from: 16, typed: '', column: undefined }],
    ["where symbol = 'FPT' and c.cl", { kind: 'member', from: 27, qualifier: 'c' }],
    ["where name = 'it''s ", { kind: 'text', from: 14, typed: "it''s ", column: 'name' }],
    ["select 'x''", { kind: 'text', from: 8, typed: "x''", column: undefined }],
    ["select 'x'", { kind: 'other' }],
    ["select 1 -- 'FP", { kind: 'comment' }],
    ['select /* c.', { kind: 'comment' }],
    ['select "a', { kind: 'other' }],
    ['select sym', { kind: 'other' }],
  ])('%j ends in %j', (before, place) => expect(completionPlace(before)).toEqual(place))
})
