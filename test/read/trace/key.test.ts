import { UsageError } from 'candlehouse-foundation/errors'
import { describe, expect, test } from 'vitest'
import { type KeyShape, keyCondition, readKey, traceCommand } from '../../../src/read/trace/row-key.js'
import { parseReceivedTime, parseTime, shortInstant } from '../../../src/read/trace/time.js'
import { relationOf } from '../../../src/relations.js'

const TYPES: Record<string, string> = {
  trading_date: 'DATE',
  opened_at: 'TIMESTAMP WITH TIME ZONE',
  ordinal: 'BIGINT',
}

function shape(name: string): KeyShape {
  const relation = relationOf(name)
  const columns = relation.key.map((column) => ({ name: column, type: TYPES[column] ?? 'VARCHAR' }))
  return { relation, columns, example: `candlehouse trace ${name} …` }
}

const read = (name: string, ...words: string[]) => Object.fromEntries(readKey(words, shape(name)))

describe('a key', () => {
  test.each([
    [['FPT', '2025-03-14']],
    [['FPT', '2025/03/14']],
    [['symbol=FPT', 'trading_date=2025-03-14']],
    [['trading_date=2025-03-14', 'symbol=FPT']],
    [['{"symbol":"FPT","trading_date":"2025-03-14"}']],
  ])('%j', (words) => {
    expect(read('market.daily_summary', ...words)).toEqual({ symbol: 'FPT', trading_date: '2025-03-14' })
  })

  test.each([
    ['2025-03-14T09:15', '2025-03-14T09:15:00+07:00'],
    ['2025-03-14 09:15:00+07', '2025-03-14T09:15:00+07:00'],
    ['2025-03-14T02:15:00Z', '2025-03-14T02:15:00Z'],
    ['2025-03-14', '2025-03-14T00:00:00+07:00'],
  ])('an instant %s without a zone is exchange time', (text, instant) => {
    expect(read('market.candle', 'FPT', '1m', text)).toMatchObject({ opened_at: instant })
  })

  test('of an account may omit or name its snapshot', () => {
    expect(read('account.equity_position', '0881', 'FPT')).toEqual({ account_no: '0881', symbol: 'FPT' })
    expect(read('account.equity_position', 'S1', '0881', 'FPT')).toMatchObject({ snapshot_id: 'S1' })
    expect(read('account.snapshot', '0881')).toEqual({ account_no: '0881' })
    expect(read('account.equity_position', 'account_no=0881', 'symbol=FPT', 'snapshot_id=S1')).toEqual(
      read('account.equity_position', 'S1', '0881', 'FPT'),
    )
  })

  test.each([
    [['FPT'], 'the key has 2 parts, not 1'],
    [['FPT', '2025-03-14', 'x'], 'the key has 2 parts, not 3'],
    [['FPT', '2025-02-29'], "trading_date: '2025-02-29' is not a day"],
    [['symbol=FPT', 'date=2025-03-14'], 'date is not a column of the key'],
    [['symbol=FPT'], 'trading_date is missing'],
    [['{"symbol":"FPT"'], 'the key starts with { but is not a JSON object'],
    [['{"symbol":"FPT"}'], 'trading_date is missing'],
  ])('%j: %s', (words, why) => {
    const reading = () => readKey(words, shape('market.daily_summary'))
    expect(reading).toThrow(UsageError)
    expect(reading).toThrow(`${why}: the key of market.daily_summary is symbol, trading_date`)
  })

  test('of an account that is too short: the error says that the snapshot is optional', () => {
    expect(() => read('account.order_book', '0881')).toThrow(
      'the key has 2 or 3 parts, not 1: the key of account.order_book is snapshot_id (default: the latest), account_no, order_id',
    )
    expect(() => read('account.conditional_order_event', '0881', 'F1', 'one')).toThrow("ordinal: 'one'")
  })

  test('is written as SQL literals, also for symbols with quotes', () => {
    const { columns } = shape('market.daily_summary')
    const key = readKey([`F'); DROP--`, '2025-03-14'], shape('market.daily_summary'))
    expect(keyCondition(key, columns)).toBe(
      `"symbol" = CAST('F''); DROP--' AS VARCHAR) AND "trading_date" = CAST('2025-03-14' AS DATE)`,
    )
  })

  test('in an example is quoted for a shell', () => {
    const { relation, columns } = shape('market.candle')
    const texts = ["F'T", '1m', '2025-03-14T02:15:00Z']
    expect(
      traceCommand(
        relation,
        columns.map((column, index) => [column, texts[index]]),
      ),
    ).toBe(`candlehouse trace market.candle 'F'\\''T' 1m 2025-03-14T09:15`)
  })
})

describe('a time', () => {
  test('is read in all forms that deployments write', () => {
    for (const text of [
      '2025/03/14 09:15:00',
      '14/03/2025 09:15:00',
      '2025-03-14T09:15:00.000',
      '1741918500',
    ])
      expect(parseReceivedTime(text)).toMatchObject({ day: '2025-03-14', at: 1_741_918_500_000 })
    expect(parseReceivedTime('1741918500000')?.at).toBe(1_741_918_500_000)
    expect(parseTime('2025-03-13T23:30:00Z')?.day).toBe('2025-03-14')
    for (const text of ['', '20250314', '2025-03-14 25:00', '1741918500', 'MP'])
      expect(parseTime(text)).toBeUndefined()
  })

  test('is written without parts that are zero', () => {
    expect(shortInstant('2025-03-13T17:00:00Z')).toBe('2025-03-14')
    expect(shortInstant('2025-03-14T02:15:30Z')).toBe('2025-03-14T09:15:30')
    expect(shortInstant('2025-03-14T02:15:00.25Z')).toBe('2025-03-14T09:15:00.25')
  })
})
