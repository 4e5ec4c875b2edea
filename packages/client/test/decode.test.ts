import { describe, expect, it } from 'vitest'
import { readPage } from '../src/page/read-page.js'
import {
  type Answer,
  type DecodedRows,
  decode,
  type Endpoint,
  rowsOf,
  type Suffixes,
  UnreadRowsError,
} from '../src/reading.js'

/** An answer as the client gives it, from the literal text of a body. */
function answer(endpoint: Endpoint, text: string): Answer {
  const body = Buffer.from(text)
  const reading = readPage(endpoint, body)
  if (!reading.page) throw new Error(reading.error.code)
  const page = reading.page
  return {
    endpoint,
    query: {},
    status: 200,
    attempts: 1,
    receivedAt: 0,
    body,
    wire: undefined,
    outcome: page.rows > 0 ? 'rows' : 'empty',
    error: undefined,
    page,
  }
}

function rowsAndNotes<E extends Endpoint>(endpoint: E, of: Answer, suffixes?: Suffixes): DecodedRows<E> {
  const decoded = decode(endpoint, of, suffixes)
  if (decoded.kind === 'refused') throw new Error(decoded.error.code)
  return decoded
}

describe('an answer is rows or a refusal', () => {
  const refused: Answer = {
    ...answer('accountInfo', '[]'),
    status: 403,
    outcome: 'refused',
    error: { code: '403', message: 'Token is not verified with an OTP' },
  }

  it('a 403 has no rows to take for none', () => {
    const decoded = decode('accountInfo', refused)
    expect(decoded).toEqual({ kind: 'refused', status: 403, error: refused.error })
    expect('rows' in decoded).toBe(false)
    // @ts-expect-error: rows are there only where it is not a refusal
    expect(decoded.rows).toBeUndefined()
  })

  it('rowsOf throws where rows are refused or cannot be read, and gives none where there are none', () => {
    expect(() => rowsOf('accountInfo', refused)).toThrow(UnreadRowsError)
    expect(() => rowsOf('accountInfo', refused)).toThrow(/^accountInfo: refused with 403 Token is not/)
    const odd = answer('indexList', '[{"index":"VN30","indexName":"VN30","board":"HOSE"},7]')
    expect(() => rowsOf('indexList', odd)).toThrow('indexList: data[1] cannot be read: not an object')
    expect(rowsOf('indexList', answer('indexList', '[]'))).toEqual([])
    expect(rowsOf('indexList', { ...answer('indexList', '[]'), body: new Uint8Array() })).toEqual([])
  })
})

describe('decoding keeps the text of values', () => {
  it('numbers as their source text, null and empty as null', () => {
    const text = `{"pageSize":10,"pageIndex":1,"pagesCount":1,"itemsCount":1,"data":[{"symbol":"FPT",
      "tradingDate":"2025/01/02","open":150000.0,"close":"2,493,089","totalMatch":12345678901234567890,
      "low":1e400,"average":"NaN","openInterest":null,"settlementPrice":"","high":"say \\"12\\" or 13"}]}`
    const { rows, drift } = rowsAndNotes('securitiesSummary', answer('securitiesSummary', text))
    expect(rows[0]).toMatchObject({
      symbol: 'FPT',
      tradingDate: '2025/01/02',
      open: '150000.0',
      close: '2,493,089',
      totalMatch: '12345678901234567890',
      low: '1e400',
      average: 'NaN',
      openInterest: null,
      settlementPrice: null,
      high: 'say "12" or 13',
      totalDeal: null,
    })
    expect(drift).toEqual([])
  })

  it('fields the specification does not have as drift, and never fails on them (docs/market-facts.md#extra-fields)', () => {
    const text = '[{"symbol":"FPT","board":"HOSE","stockType":"s","__proto__":{"x":1},"deep":{"a":[1]}}]'
    const { rows, drift, faults } = rowsAndNotes('securitiesByBoard', answer('securitiesByBoard', text))
    expect(rows).toHaveLength(1)
    expect(drift).toEqual(['__proto__', 'deep', 'stockType'])
    expect(faults).toEqual([])
  })

  it('names in any case, and board for exchange in master data', () => {
    const text =
      '{"Data":[{"Symbol":"FPT","board":"HOSE","TradingDate":"2025/01/02","ceiling":"1","Floor":"2","refprice":"3"}]}'
    expect(rowsAndNotes('masterdata', answer('masterdata', text)).rows).toEqual([
      { symbol: 'FPT', exchange: 'HOSE', tradingDate: '2025/01/02', ceiling: '1', floor: '2', refPrice: '3' },
    ])
  })

  it('an invalid record is skipped and reported', () => {
    const text = '[{"index":"VN30","indexName":"VN30","board":"HOSE"},7,{"index":{"a":1}}]'
    const { rows, faults } = rowsAndNotes('indexList', answer('indexList', text))
    expect(rows).toEqual([{ index: 'VN30', indexName: 'VN30', board: 'HOSE' }])
    expect(faults).toEqual([
      { at: 'data[1]', reason: 'not an object' },
      { at: 'data[2]', reason: 'index: not text or a number' },
    ])
  })
})

describe('a record with two fields of one name', () => {
  it.each([
    ['written alike', '"close":"1","close":"2"', 'close'],
    ['in another case', '"close":"1","Close":"2"', 'Close'],
    ['with an escape', String.raw`"close":"1","cl\u006fse":"2"`, 'close'],
    ['with equal values', '"close":"1","close" : "1"', 'close'],
    ['that the specification lacks', '"note":{"a":1,"b":[{"a":1}]},"note":2', 'note'],
  ])('is skipped and reported, %s: nobody can say which value is right', (_, members, name) => {
    const text = `{"data":[{"symbol":"FPT",${members}},{"symbol":"VNM","close":"3","name":":","x":{"symbol":1}}]}`
    const { rows, faults } = rowsAndNotes('securitiesSummary', answer('securitiesSummary', text))
    expect(rows.map(({ symbol, close }) => [symbol, close])).toEqual([['VNM', '3']])
    expect(faults).toEqual([{ at: 'data[0]', reason: `two fields named "${name}"` }])
  })
})

describe('account answers', () => {
  it('a balance has both sides, in the deployment suffixes or the specification ones', () => {
    const text =
      '{"equity":{"accountNo":"0011234561","withdrawable":"5"},"derivative":{"accountNo":"0011234568","cashABC":"7","cashXyz":"8","withdrawableBroker":"9"}}'
    const { rows, drift } = rowsAndNotes('accountBalance', answer('accountBalance', text), {
      broker: 'ABC',
      depository: 'XYZ',
    })
    expect(rows[0]?.equity).toMatchObject({ accountNo: '0011234561', withdrawable: '5', dividend: null })
    expect(rows[0]?.derivative).toMatchObject({
      cashBroker: '7',
      cashDepository: '8',
      withdrawableBroker: '9',
    })
    expect(drift).toEqual([])
  })

  it('purchasing power: suffixes match in any case, digits and capitals stay', () => {
    const text =
      '{"equity":{"doverdue_abc":"1","dABC":"2","callLMVAbc":"3","interestSPV":"4"},"derivative":null}'
    const { rows } = rowsAndNotes('ppmmrAccount', answer('ppmmrAccount', text), { broker: 'ABC' })
    expect(rows[0]).toMatchObject({
      equity: { doverdue_broker: '1', dbroker: '2', callLMVBroker: '3', interestSPV: '4' },
      derivative: null,
    })
  })

  it('positions come from every list', () => {
    const text = `{"data":{"equity":[{"accountNo":"0011234561","symbol":"FPT","quantity":"100"}],"derivative":
      {"accountNo":"0011234568","derOpenPositions":[{"symbol":"VN30F2504","long":"1"}],"derClosePositions":[]}}}`
    const got = answer('position', text)
    expect(got.page.rows).toBe(2)
    expect(rowsAndNotes('position', got).rows[0]).toMatchObject({
      equity: [{ symbol: 'FPT', quantity: '100' }],
      derivativeAccountNo: '0011234568',
      derivativeOpen: [{ symbol: 'VN30F2504', long: '1' }],
      derivativeClose: [],
    })
  })

  it('maximum quantities are numbers in the specification, text here', () => {
    const text =
      '{"data":{"accountNo":"0011234561","maxBuyQty":1200,"marginRatio":"0.5","maxSellQty":0,"purchasingPower":1000000.5}}'
    expect(rowsAndNotes('maxBuySell', answer('maxBuySell', text)).rows).toEqual([
      {
        accountNo: '0011234561',
        maxBuyQty: '1200',
        marginRatio: '0.5',
        maxSellQty: '0',
        purchasingPower: '1000000.5',
      },
    ])
  })

  it('the order book has an envelope of its own', () => {
    const text =
      '{"data":{"accountNo":"0011234561","totalRecord":"41","orderList":[{"orderId":"1","price":"MP","orderStatus":"FF"}]}}'
    const got = answer('orderBook', text)
    expect(got.page).toMatchObject({ rows: 1, itemsCount: 41 })
    expect(rowsAndNotes('orderBook', got).rows).toMatchObject([
      { orderId: '1', price: 'MP', orderStatus: 'FF', side: null },
    ])
  })

  it('conditional orders: counts as strings, casing that varies, parameters nested', () => {
    const text = `{"pageIndex":"1","pageSize":"10","itemsCount":"1","pagesCount":"1","fcoList":[{"fcoId":"9",
      "Username":"u","IsPlaceOrder":true,"quantity":100,"type":"stop","params":{"stopPrice":25.5,"operator":"1"}}]}`
    const got = answer('fcoList', text)
    expect(got.page).toMatchObject({ rows: 1, pageSize: 10, pageIndex: 1, itemsCount: 1, pageCount: 1 })
    expect(rowsAndNotes('fcoList', got)).toMatchObject({
      rows: [
        {
          fcoId: '9',
          username: 'u',
          isPlaceOrder: true,
          quantity: '100',
          params: { stopPrice: '25.5', operator: '1' },
        },
      ],
      drift: [],
    })
  })

  it('the history of a conditional order', () => {
    const text = '{"data":[{"state":"INIT","time":"02/01/2025 09:00:00","code":0,"detail":""}]}'
    expect(rowsAndNotes('fcoStatusHistory', answer('fcoStatusHistory', text)).rows).toEqual([
      { state: 'INIT', time: '02/01/2025 09:00:00', code: '0', detail: null },
    ])
  })
})

describe('booleans of account answers', () => {
  it.each([
    ['true', true],
    ['false', false],
    ['"true"', true],
    ['"false"', false],
    ['"False"', false],
    ['0', false],
    ['"1"', true],
    ['null', null],
    ['""', null],
  ])('a boolean sent as %s is %s', (text, value) => {
    const body = `{"fcoList":[{"fcoId":"9","isPlaceOrder":${text}}]}`
    expect(rowsAndNotes('fcoList', answer('fcoList', body))).toMatchObject({
      rows: [{ isPlaceOrder: value }],
      faults: [],
    })
  })

  it.each(['"no"', '"2"', '2', '[]', '"fals"'])('a boolean sent as %s is refused by its name', (text) => {
    const body = `{"fcoList":[{"fcoId":"9","isPlaceOrder":${text}}]}`
    expect(rowsAndNotes('fcoList', answer('fcoList', body))).toEqual({
      kind: 'rows',
      rows: [],
      drift: [],
      faults: [{ at: 'fcoList[0]', reason: 'isPlaceOrder: not true or false' }],
    })
  })

  it('a boolean where the specification has text is refused: as text it would be truthy', () => {
    const { rows, faults } = rowsAndNotes(
      'fcoList',
      answer('fcoList', '{"fcoList":[{"fcoId":"9","detail":false}]}'),
    )
    expect([rows, faults]).toEqual([[], [{ at: 'fcoList[0]', reason: 'detail: not text or a number' }]])
  })
})

describe('decoding an answer', () => {
  const rows = answer('indexList', '[{"index":"VN30"}]')

  it('of another endpoint is a bug', () => {
    expect(() => rowsAndNotes('ohlc', rows)).toThrow(new TypeError('an answer of indexList, not of ohlc'))
  })

  it('without a body gives no rows', () => {
    const nothing = { kind: 'rows', rows: [], drift: [], faults: [] }
    expect(decode('indexList', { ...rows, body: Buffer.alloc(0) })).toEqual(nothing)
    expect(rowsOf('indexList', rows)).toMatchObject([{ index: 'VN30' }])
  })
})
