import { describe, expect, test } from 'vitest'
import { cutRecord } from '../../../src/read/trace/traced-record.js'
import { relationOf } from '../../../src/relations.js'

const cut = (relation: string, text: string, row: Record<string, unknown>) =>
  cutRecord(text, relation, relationOf(relation).key, row)

describe('the record of a row', () => {
  const bar = {
    symbol: 'FPT',
    timeframe: '1m',
    opened_at: '2025-03-14T02:16:00Z',
    trading_date: '2025-03-14',
  }

  test.each([
    ['YYYY/MM/DD', '2025/03/14 09:16:00'],
    ['DD/MM/YYYY', '14/03/2025 09:16:00'],
    ['ISO', '2025-03-14T02:16:00Z'],
  ])('is found by its key, for all spellings of names and dates: %s', (_, when) => {
    const record = `{"Symbol" : "FPT", "TRADINGDATE":"${when}","close":17400.10}`
    const page = `{"data":[{"symbol":"FPT","tradingDate":"2025/03/14 09:15:00"},  ${record} ]}`
    expect(cut('market.candle', page, bar)).toEqual({ text: record, position: 2, of: 2 })
  })

  test('keeps numbers, spaces and escapes as they are written', () => {
    const record =
      '{ "symbol":"F\\"}]T", "tradingDate":"2025/03/14", "close":1.50e3,"average":12345678901234567890.10 }'
    const row = { symbol: 'F"}]T', trading_date: '2025-03-14', close: '1500.000000' }
    expect(cut('market.daily_summary', `\n [${record}]`, row)?.text).toBe(record)
  })

  test('a daily bar opens at midnight, also if another time of day is written', () => {
    const page = '[{"symbol":"FPT","tradingDate":"2025/03/14 15:00:00","close":"1"}]'
    const day = { ...bar, timeframe: '1d', opened_at: '2025-03-13T17:00:00Z' }
    expect(cut('market.candle', page, day)?.position).toBe(1)
    expect(cut('market.candle', page, bar)).toBeUndefined()
  })

  test('of two with the same key is the one with the values of the row', () => {
    const of = (filled: string) => `{"orderId":"1","symbol":"FPT","filledQty":"${filled}"}`
    const page = `{"data":{"accountNo":"0881","totalRecord":2,"orderList":[${of('100')},${of('0')}]}}`
    const row = { snapshot_id: 'S', account_no: '0881', order_id: '1', symbol: 'FPT', filled_qty: '100' }
    expect(cut('account.order_book', page, row)).toEqual({ text: of('100'), position: 1, of: 2 })
    expect(cut('account.order_book', page, { ...row, filled_qty: '0' })?.position).toBe(2)
    expect(cut('account.order_book', page, { ...row, filled_qty: '7' })?.position).toBe(2)
  })

  test('is looked up on the right side of an account, open or closed', () => {
    const detail = (side: string) => `"der${side}Positions":[{"symbol":"VN30F2503","long":"7"}]`
    const page = `{"data":{"equity":[],"derivative":{"accountNo":"0881",${detail('Open')},${detail('Close')}}}}`
    const row = { account_no: '0881', symbol: 'VN30F2503', side_of_book: 'open', long: '7' }
    const at = (side: string) => cut('account.derivative_position', page, { ...row, side_of_book: side })
    expect(at('open')?.text).toBe('{"symbol":"VN30F2503","long":"7"}')
    expect(at('none')).toBeUndefined()
    const sides = '{"equity":{"accountNo":"0881","fees":"0"},"derivative":{"accountNo":"0881","fee":"0"}}'
    expect(cut('account.equity_margin', sides, { account_no: '0881' })?.text).toBe(
      '{"accountNo":"0881","fees":"0"}',
    )
    expect(cut('account.derivative_margin', sides, { account_no: '0881' })?.text).toContain('"fee":')
  })

  test('of a conditional order includes its params; of an event, its position', () => {
    const order = '{"fcoId":"F1","accountNo":"0881","params":{"stopPrice":14950}}'
    expect(
      cut('account.conditional_order', `{"fcoList":[${order}]}`, { fco_id: 'F1', stop_price: '14950.000000' })
        ?.text,
    ).toBe(order)
    const event = '{"state":"WAIT","time":"2025/03/14 10:20:00","code":0}'
    const page = `{"data":[${event},${event},${event}]}`
    const row = { fco_id: 'F1', ordinal: '2', state: 'WAIT', occurred_at: '2025-03-14T03:20:00Z', code: '0' }
    expect(cut('account.conditional_order_event', page, row)).toEqual({ text: event, position: 2, of: 3 })
  })

  test('is undefined if the page does not contain the key', () => {
    const page = '[{"symbol":"HPG","tradingDate":"2025/03/14","close":"1"}]'
    expect(
      cut('market.daily_summary', page, { symbol: 'FPT', trading_date: '2025-03-14', close: '1.000000' }),
    ).toBeUndefined()
    expect(cut('market.daily_summary', 'null', { symbol: 'FPT' })).toBeUndefined()
  })
})
