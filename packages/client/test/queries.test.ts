import { describe, expect, it } from 'vitest'
import { withDateForm } from '../src/date-form.js'
import { clientIdOf, queries } from '../src/reading.js'
import { parseDay, parseDecimal } from '../src/values.js'

describe('forms of dates', () => {
  const day = { from: '2025-01-02T00:00:00', to: '2025-01-03T23:59:59' }
  const instants = { from: '2025-01-02T02:30:00Z', to: '2025-01-02T14:45:10' }
  it('a whole day can be written in all of them', () => {
    expect(withDateForm(day, 'slash')).toEqual({ from: '2025/01/02', to: '2025/01/03' })
    expect(withDateForm({ from: '2025/01/02', to: '2025/01/03' }, 'iso')).toEqual(day)
  })
  it('a time of day is never lost: a form without one cannot express it', () => {
    expect(withDateForm(instants, 'slash')).toBeUndefined()
    expect(withDateForm(instants, 'dash')).toBeUndefined()
    expect(withDateForm(instants, 'iso')).toEqual(instants)
    const slashed = { from: '2025/01/02 09:30:00', to: '2025/01/02 14:45:10' }
    expect(withDateForm(instants, 'slash-time')).toEqual(slashed)
    expect(withDateForm(slashed, 'iso')).toEqual({ from: '2025-01-02T09:30:00', to: '2025-01-02T14:45:10' })
  })
})

describe('queries have exactly the fields of the specification', () => {
  it('market data', () => {
    expect(queries.securitiesByBoard({})).toEqual({})
    expect(queries.securitiesByBoard({ index: 'VN30' })).toEqual({ index: 'VN30' })
    expect(
      queries.securitiesSummary({
        symbol: 'FPT',
        from: parseDay('2025-01-02'),
        to: parseDay('2025-01-31'),
        pageIndex: 2,
        pageSize: 100,
      }),
    ).toEqual({ symbol: 'FPT', from: '2025/01/02', to: '2025/01/31', pageIndex: '2', pageSize: '100' })
    expect(queries.indexSummary({ board: 'HNX', tradingDate: parseDay('2025-01-02') })).toEqual({
      board: 'HNX',
      tradingDate: '2025/01/02',
    })
    expect(queries.indexSummary({ index: 'VNINDEX' })).toEqual({ index: 'VNINDEX' })
    expect(queries.indexList({ board: 'UPCOM' })).toEqual({ board: 'UPCOM' })
    expect(queries.masterdata({})).toEqual({})
    expect(queries.masterdata({ from: parseDay('2025-01-02'), to: parseDay('2025-01-02') })).toEqual({
      from: '2025/01/02',
      to: '2025/01/02',
    })
    expect(
      queries.ohlc({
        symbol: 'FPT',
        timeframe: '1h',
        from: parseDay('2025-01-02'),
        to: parseDay('2025-01-03'),
      }),
    ).toEqual({
      symbol: 'FPT',
      timeFrame: '1h',
      from: '2025/01/02 00:00:00',
      to: '2025/01/03 23:59:59',
    })
  })

  it('account queries have the clientId of the account number', () => {
    expect(clientIdOf('0011234561')).toBe('123456')
    expect(queries.accountBalance({ accountNo: '0011234561' })).toEqual({
      accountNo: '0011234561',
      clientId: '123456',
    })
    expect(queries.ppmmrAccount({ accountNo: 'odd' })).toEqual({ accountNo: 'odd' })
    expect(queries.position({ accountNo: '0011234568', querySummary: false })).toEqual({
      accountNo: '0011234568',
      clientId: '123456',
      querySummary: 'false',
    })
    expect(
      queries.maxBuySell({ accountNo: '0011234561', symbol: 'FPT', price: parseDecimal('150000') }),
    ).toEqual({
      accountNo: '0011234561',
      symbol: 'FPT',
      price: parseDecimal('150000'),
    })
  })

  it('orders and conditional orders', () => {
    expect(
      queries.orderBook({
        accountNo: '0011234561',
        from: parseDay('2025-01-02'),
        to: parseDay('2025-01-03'),
        pageSize: 1000,
      }),
    ).toEqual({
      accountNo: '0011234561',
      from: '2025-01-02T00:00:00',
      to: '2025-01-03T23:59:59',
      pageSize: '1000',
    })
    expect(
      queries.orderBook({
        accountNo: '0011234561',
        from: '2025-01-02T09:30:00+07:00',
        to: '2025-01-02T02:30:00.5Z',
        symbol: 'FPT',
        orderStatus: ['FF', 'FFPC'],
      }),
    ).toEqual({
      accountNo: '0011234561',
      from: '2025-01-02T09:30:00+07:00',
      to: '2025-01-02T02:30:00.5Z',
      symbol: 'FPT',
      orderStatus: 'FF,FFPC',
    })
    expect(
      queries.fcoList({
        accountNo: '0011234561',
        processStatus: ['INIT', 'WAIT'],
        from: parseDay('2025-01-02'),
        to: parseDay('2025-01-03'),
      }),
    ).toEqual({ accountNo: '0011234561', processStatus: 'INIT,WAIT', from: '2025/01/02', to: '2025/01/03' })
    expect(queries.fcoStatusHistory({ fcoId: '9' })).toEqual({ fcoId: '9' })
  })
})
