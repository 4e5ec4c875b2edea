import { describe, expect, test } from 'vitest'
import { mapColumns } from '../../src/import/columns.js'
import { importedOf } from '../../src/import/index.js'
import type { Imported } from '../../src/import/subject.js'
import { NO_FLAGS } from '../support/imported.js'

function mapped(dataset: Imported, header: string, flags: Partial<typeof NO_FLAGS> = {}) {
  const columns = header.split(' ').map((name) => ({ name, type: 'VARCHAR' }))
  const mapping = mapColumns(dataset, columns, { ...NO_FLAGS, ...flags }, 'f.csv')
  const shown = (origin: { column: number } | { constant: string }): string =>
    'constant' in origin ? `=${origin.constant}` : (columns[origin.column]?.name ?? '')
  return {
    subject: shown(mapping.subject),
    timeframe: shown(mapping.timeframe),
    fields: mapping.fields.map(({ field, origin }) => `${field} ${shown(origin)}`),
    unknown: mapping.unknown,
  }
}

describe('columns', () => {
  test('are named as the API or as the relation does, in any case', () => {
    expect(mapped('securitiesSummary', 'SYMBOL tradingDate Total_Match_Value totalMatch')).toEqual({
      subject: 'SYMBOL',
      timeframe: '=',
      fields: [
        'symbol SYMBOL',
        'tradingDate tradingDate',
        'totalMatch totalMatch',
        'totalMatchValue Total_Match_Value',
      ],
      unknown: [],
    })
    expect(mapped('masterdata', 'symbol BOARD trading_date refPrice').fields).toEqual([
      'symbol symbol',
      'board BOARD',
      'tradingDate trading_date',
      'refPrice refPrice',
    ])
    expect(mapped('indexSummary', 'index_code trading_date index_value').subject).toBe('index_code')
    expect(mapped('indexSummary', 'INDEX tradingDate indexValue').subject).toBe('INDEX')
  })

  test('of a bar may say its time in three ways; exchange time comes first, then the instant', () => {
    const time = (header: string) => mapped('ohlc', `symbol timeframe close ${header}`).fields[1]
    expect(time('trading_date opened_at local_time')).toBe('tradingDate local_time')
    expect(time('trading_date opened_at')).toBe('tradingDate opened_at')
    expect(time('tradingDate')).toBe('tradingDate tradingDate')
  })

  test('that say where a row of ours came from are left out silently, others are named', () => {
    const header = 'symbol timeframe opened_at trading_date close is_derived request_id loaded_at vwap'
    expect(mapped('ohlc', header).unknown).toEqual(['vwap'])
    expect(mapped('securitiesSummary', 'symbol trading_date close opened_at').unknown).toEqual(['opened_at'])
  })

  test('that are the same for all rows may be given by a flag instead', () => {
    expect(mapped('ohlc', 'tradingDate close', { symbol: 'FPT', timeframe: '1d' })).toMatchObject({
      subject: '=FPT',
      timeframe: '=1d',
      fields: ['symbol =FPT', 'tradingDate tradingDate', 'close close'],
    })
    expect(mapped('indexSummary', 'trading_date index_value', { index: 'VNINDEX' }).subject).toBe('=VNINDEX')
  })

  test.each<[string, Imported, string, Partial<typeof NO_FLAGS>, RegExp]>([
    [
      'a key is missing',
      'securitiesSummary',
      'date close',
      {},
      /no column for symbol \(or --symbol\), trading_date; its columns are: date, close/,
    ],
    [
      'a bar has no time',
      'ohlc',
      'symbol close',
      {},
      /timeframe \(or --timeframe\), opened_at, local_time or trading_date/,
    ],
    ['an index is missing', 'indexSummary', 'trading_date index_value', {}, /index_code \(or --index\)/],
    ['there are keys only', 'masterdata', 'symbol trading_date', {}, /any of exchange, board, ceiling/],
    [
      'two columns are one field',
      'masterdata',
      'symbol trading_date ref_price refPrice',
      {},
      /two columns for one field: ref_price and refPrice/,
    ],
    [
      'a flag is given for a column of the file',
      'ohlc',
      'symbol tradingDate close',
      { symbol: 'X', timeframe: '1d' },
      /--symbol is redundant/,
    ],
    [
      '--timeframe is given for no candles',
      'masterdata',
      'symbol trading_date floor',
      { timeframe: '1d' },
      /--timeframe says nothing of masterdata/,
    ],
    [
      '--index is given for symbols',
      'masterdata',
      'symbol trading_date floor',
      { index: 'X' },
      /--index says nothing of masterdata/,
    ],
    [
      '--symbol is given for indexes',
      'indexSummary',
      'trading_date index_value',
      { symbol: 'X' },
      /--symbol says nothing of indexSummary/,
    ],
  ])('are refused where %s', (_, dataset, header, flags, words) => {
    expect(() => mapped(dataset, header, flags)).toThrow(words)
  })
})

describe('what is imported', () => {
  test('is named by its dataset or by its relation, in any case', () => {
    expect(
      ['ohlc', 'market.candle', 'Market.Daily_Summary', 'INDEXSUMMARY', 'market.price_limit'].map(importedOf),
    ).toEqual(['ohlc', 'ohlc', 'securitiesSummary', 'indexSummary', 'masterdata'])
  })

  test('is no list, which is the whole truth as of a day', () => {
    expect(() => importedOf('securities')).toThrow(
      /'securities' cannot be imported: use one of securitiesSummary/,
    )
  })
})
