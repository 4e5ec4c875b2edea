import type { Mutate, Passing, Wire } from './proxy.js'

/** One lie: what it changes, in which answers. */
export interface Mutation {
  readonly name: string
  make(target: Target, random: () => number): Mutate
}

/** What there is to lie about. */
export interface Target {
  /** The session, as the wire writes it: YYYY/MM/DD. */
  readonly day: string
  readonly dayBefore: string
  /** Stocks that traded on the session, by board. */
  readonly stocks: readonly string[]
  readonly future: string
  readonly indexes: readonly string[]
  /** Accounts: cash, margin, derivative. */
  readonly accounts: readonly [cash: string, margin: string, derivative: string]
}

/** Changes one value, given as text. */
type Change = (value: string, random: () => number) => string

/** Another digit somewhere before the decimal point. */
const wrongDigit: Change = (value, random) => {
  const [whole = '', rest] = value.split('.')
  const digits = [...whole].flatMap((letter, at) => (/\d/.test(letter) ? [at] : []))
  const at = digits[Math.floor(random() * digits.length)] ?? 0
  const digit = (Number(whole[at]) + 1 + Math.floor(random() * 9)) % 10
  const changed = whole.slice(0, at) + digit + whole.slice(at + 1)
  return rest === undefined ? changed : `${changed}.${rest}`
}
const thousand: Change = (value) => plain(Number(value) * 1000)
const thousandth: Change = (value) => plain(Number(value) / 1000)
const negative: Change = (value) => plain(-Number(value))
const offByOne: Change = (value) => plain(Number(value) + 1)
const lotLess: Change = (value) => plain(Number(value) - 100)

function plain(value: number): string {
  return String(Math.round(value * 1e6) / 1e6)
}

const text = (record: Wire, field: string): string => String(record[field] ?? '')

const isNumber = (record: Wire, field: string): boolean =>
  /^-?\d+(\.\d+)?$/.test(text(record, field)) && Number(record[field]) !== 0

const any = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)] as T

const onDay =
  (day: string) =>
  (record: Wire): boolean =>
    text(record, 'tradingDate').startsWith(day)

/** Sets a field of every record that is meant. */
function change(of: (passing: Passing) => Wire[], field: string, by: Change, random: () => number): Mutate {
  const seeds = new Map<string, string>()
  return (passing) => {
    let done = false
    for (const record of of(passing)) {
      if (!isNumber(record, field)) continue
      const before = text(record, field)
      // The same lie whenever it is asked.
      const after = seeds.get(before) ?? by(before, random)
      seeds.set(before, after)
      record[field] = after
      done ||= after !== before
    }
    return done
  }
}

/** Exchanges two fields. */
function swap(of: (passing: Passing) => Wire[], one: string, other: string): Mutate {
  return (passing) => {
    let done = false
    for (const record of of(passing)) {
      const [a, b] = [record[one], record[other]]
      record[one] = b
      record[other] = a
      done ||= a !== b
    }
    return done
  }
}

type Where = (target: Target, random: () => number) => (passing: Passing) => Wire[]

const summaryOf =
  (symbols: (target: Target) => readonly string[]): Where =>
  (target, random) => {
    const symbol = any(symbols(target), random)
    return ({ endpoint, records }) =>
      endpoint === 'securitiesSummary'
        ? records.filter((record) => record.symbol === symbol && onDay(target.day)(record))
        : []
  }
const stockSummary = summaryOf(({ stocks }) => stocks)
const futureSummary = summaryOf(({ future }) => [future])

const limitOf: Where = (target, random) => {
  const symbol = any(target.stocks, random)
  return ({ endpoint, records }) =>
    endpoint === 'masterdata'
      ? records.filter((record) => record.symbol === symbol && onDay(target.day)(record))
      : []
}

const minuteOf: Where = (target, random) => {
  const symbol = any(target.stocks, random)
  let chosen: string | undefined
  return ({ endpoint, query, records }) => {
    if (endpoint !== 'ohlc' || query.symbol !== symbol || query.timeFrame !== '1m') return []
    const mine = records.filter(onDay(target.day))
    chosen ??= text(any(mine, random) ?? {}, 'tradingDate')
    return mine.filter((record) => record.tradingDate === chosen)
  }
}

const indexOf: Where = (target, random) => {
  const index = any(target.indexes, random)
  return ({ endpoint, query, records }) =>
    endpoint === 'indexSummary' && query.index === index ? records.filter(onDay(target.day)) : []
}
const boardIndexOf: Where = (target, random) => {
  const index = any(
    target.indexes.filter((name) => /^(VNINDEX|HNXINDEX|UPCOMINDEX)$/i.test(name)),
    random,
  )
  return ({ endpoint, query, records }) =>
    endpoint === 'indexSummary' && query.index === index ? records.filter(onDay(target.day)) : []
}

function fields(
  of: string,
  where: Where,
  names: string,
  changes: Readonly<Record<string, Change>>,
): Mutation[] {
  return names.split(/\s+/).flatMap((field) =>
    Object.entries(changes).map(([how, by]) => ({
      name: `${of} ${field}: ${how}`,
      make: (target, random) => change(where(target, random), field, by, random),
    })),
  )
}

function swaps(of: string, where: Where, pairs: readonly (readonly [string, string])[]): Mutation[] {
  return pairs.map(([one, other]) => ({
    name: `${of}: ${one} and ${other} swapped`,
    make: (target, random) => swap(where(target, random), one, other),
  }))
}

const PRICES = 'open high low close'
const SUMMARY = `priceChange ${PRICES} average totalMatch totalMatchValue totalBuy totalTradeBuy totalSell totalTradeSell totalForeignBuy totalForeignBuyValue totalForeignSell totalForeignSellValue remainForeignRoom totalForeignRoom`
const INDEX = `totalTrade totalTradeValue totalMatch totalMatchValue indexValue indexChange totalAdvanceStock totalDeclineStock`

const market: Mutation[] = [
  ...fields('summary', stockSummary, SUMMARY, { 'wrong digit': wrongDigit, '×1000': thousand }),
  ...fields('summary', stockSummary, `${PRICES} totalMatch totalMatchValue average`, {
    '÷1000': thousandth,
    'sign lost': negative,
  }),
  ...fields('summary', stockSummary, 'priceChangePercentage', {
    'wrong digit': wrongDigit,
    '×1000': thousand,
  }),
  ...fields('summary of a future', futureSummary, 'openInterest settlementPrice', {
    'wrong digit': wrongDigit,
    '×1000': thousand,
  }),
  ...fields('1m bar', minuteOf, `${PRICES} volume value`, {
    'wrong digit': wrongDigit,
    '×1000': thousand,
  }),
  ...fields('bars', minuteOf, 'volume', { 'sign lost': negative }),
  ...fields('limit', limitOf, 'ceiling floor refPrice', {
    'wrong digit': wrongDigit,
    '×1000': thousand,
    'sign lost': negative,
  }),
  ...fields('board index', boardIndexOf, INDEX, { 'wrong digit': wrongDigit }),
  ...fields('index', indexOf, INDEX, { '×1000': thousand }),
  ...fields('index', indexOf, 'totalPropBuy totalPropBuyValue', { '×1000': thousand }),
  ...swaps('summary', stockSummary, [
    ['open', 'close'],
    ['high', 'low'],
    ['totalMatch', 'totalMatchValue'],
    ['totalBuy', 'totalTradeBuy'],
    ['totalForeignBuy', 'totalForeignBuyValue'],
    ['totalForeignBuy', 'totalForeignSell'],
    ['remainForeignRoom', 'totalForeignRoom'],
    ['average', 'close'],
    ['totalMatch', 'totalBuy'],
    ['totalMatch', 'totalDeal'],
  ]),
  ...swaps('1m bar', minuteOf, [
    ['volume', 'value'],
    ['high', 'low'],
  ]),
  ...swaps('limit', limitOf, [
    ['ceiling', 'floor'],
    ['ceiling', 'refPrice'],
  ]),
  ...swaps('index', boardIndexOf, [
    ['totalMatch', 'totalDeal'],
    ['totalAdvanceStock', 'totalDeclineStock'],
    ['indexValue', 'indexChange'],
  ]),
]

/** Lies about which records there are, and of which day. */
const lists: Mutation[] = ['securitiesSummary', 'masterdata', 'ohlc'].flatMap((endpoint): Mutation[] => {
  const mine = (target: Target, random: () => number): ((passing: Passing) => boolean) => {
    const symbol = any(target.stocks, random)
    return (passing) =>
      passing.endpoint === endpoint && (endpoint !== 'ohlc' || passing.query.symbol === symbol)
  }
  const counted = (passing: Passing, by: number): void => {
    const envelope = passing.body as Wire
    if (typeof envelope.itemsCount === 'number') envelope.itemsCount += by
  }
  const today = ({ records }: Passing, day: string): Wire[] => records.filter(onDay(day))
  const make =
    (what: (passing: Passing, target: Target, random: () => number) => boolean): Mutation['make'] =>
    (target, random) => {
      const meant = mine(target, random)
      return (passing) => meant(passing) && what(passing, target, random)
    }
  const drop = (passing: Passing, count: number, day: string): number => {
    const gone = new Set(today(passing, day).slice(0, count))
    const kept = passing.records.filter((record) => !gone.has(record))
    passing.records.splice(0, passing.records.length, ...kept)
    return gone.size
  }
  return [
    {
      name: `${endpoint}: a record is missing, the count says so`,
      make: make((passing, { day }) => drop(passing, 1, day) > 0),
    },
    {
      name: `${endpoint}: a record is missing, the count agrees`,
      make: make((passing, { day }) => {
        const gone = drop(passing, 1, day)
        counted(passing, -gone)
        return gone > 0
      }),
    },
    {
      name: `${endpoint}: half of the session is missing, the count agrees`,
      make: make((passing, { day }) => {
        const gone = drop(passing, Math.ceil(today(passing, day).length / 2), day)
        counted(passing, -gone)
        return gone > 0
      }),
    },
    {
      name: `${endpoint}: the session is missing, the count agrees`,
      make: make((passing, { day }) => {
        const gone = drop(passing, Number.MAX_SAFE_INTEGER, day)
        counted(passing, -gone)
        return gone > 0
      }),
    },
    {
      name: `${endpoint}: a record comes twice and is counted twice`,
      make: make((passing, { day }) => {
        const [first] = today(passing, day)
        if (!first) return false
        passing.records.push({ ...first, close: '1', ceiling: '1' })
        counted(passing, 1)
        return true
      }),
    },
    {
      name: `${endpoint}: a whole page comes twice`,
      make: make((passing) => {
        passing.records.push(...passing.records.map((record) => ({ ...record })))
        counted(passing, passing.records.length / 2)
        return passing.records.length > 0
      }),
    },
    {
      name: `${endpoint}: the count is one too many`,
      make: make((passing, { day }) => {
        counted(passing, 1)
        return today(passing, day).length > 0
      }),
    },
    {
      name: `${endpoint}: the session is that of the day before again`,
      make: make((passing, { day, dayBefore }) => {
        const before = passing.of(dayBefore)
        drop(passing, Number.MAX_SAFE_INTEGER, day)
        passing.records.push(
          ...before.map((record) => ({
            ...record,
            tradingDate: text(record, 'tradingDate').replace(dayBefore, day),
          })),
        )
        const envelope = passing.body as Wire
        if (typeof envelope.itemsCount === 'number') envelope.itemsCount = passing.records.length
        return before.length > 0
      }),
    },
    {
      name: `${endpoint}: a record has the date of a Sunday`,
      make: make((passing, { day }) => {
        const [first] = today(passing, day)
        if (!first) return false
        first.tradingDate = text(first, 'tradingDate').replace(day, '2025/03/16')
        return true
      }),
    },
    {
      name: `${endpoint}: a record has no number where one belongs`,
      make: make((passing, { day }) => {
        const [first] = today(passing, day)
        if (!first) return false
        for (const field of ['close', 'ceiling']) if (field in first) first[field] = 'NaN'
        return true
      }),
    },
  ]
})

const bars: Mutation[] = [
  ...(
    [
      ['bars are seven hours early: UTC for local time', -7 * 60],
      ['bars are an hour late', 60],
      ['bars are a minute late', 1],
    ] as const
  ).map(
    ([name, minutes]): Mutation => ({
      name: `1m: ${name}`,
      make: (target, random) => {
        const symbol = any(target.stocks, random)
        return ({ endpoint, query, records }) => {
          if (endpoint !== 'ohlc' || query.symbol !== symbol || query.timeFrame !== '1m') return false
          for (const record of records) record.tradingDate = shifted(text(record, 'tradingDate'), minutes)
          return records.length > 0
        }
      },
    }),
  ),
  ...(
    [
      ['all prices ×10', (value: string) => plain(Number(value) * 10)],
      ['all prices halved: adjusted for a split', (value: string) => plain(Number(value) / 2)],
    ] as const
  ).flatMap(([name, by]): Mutation[] => [
    {
      name: `1m: ${name}`,
      make: (target, random) => {
        const symbol = any(target.stocks, random)
        return ({ endpoint, query, records }) => {
          if (endpoint !== 'ohlc' || query.symbol !== symbol || query.timeFrame !== '1m') return false
          for (const record of records)
            for (const field of PRICES.split(' ')) record[field] = by(text(record, field))
          return records.length > 0
        }
      },
    },
  ]),
  {
    name: 'limits: all reference prices of the session are 3 % too low',
    make:
      ({ day }) =>
      ({ endpoint, records }) => {
        if (endpoint !== 'masterdata') return false
        const mine = records.filter(onDay(day))
        for (const record of mine) record.refPrice = plain(Math.round(Number(record.refPrice) * 0.97))
        return mine.length > 0
      },
  },
  {
    name: 'limits: another board for one symbol',
    make: (target, random) => {
      const of = limitOf(target, random)
      return (passing) => {
        const mine = of(passing)
        for (const record of mine) record.exchange = record.exchange === 'HOSE' ? 'HNX' : 'HOSE'
        return mine.length > 0
      }
    },
  },
]

function shifted(stamp: string, minutes: number): string {
  const at = Date.parse(`${stamp.replaceAll('/', '-').replace(' ', 'T')}Z`) + minutes * 60_000
  const iso = new Date(at).toISOString()
  return `${iso.slice(0, 10).replaceAll('-', '/')} ${iso.slice(11, 19)}`
}

type Body = Wire & { equity?: Wire; data?: Wire & { equity?: Wire[]; derivative?: Wire } }

/** The cash or the margin account: a field of one may be zero. */
const anyEquity =
  (endpoint: string): Where =>
  (target, random) =>
    side(endpoint, 'equity', random() < 0.5 ? 0 : 1)(target, random)

const side =
  (endpoint: string, name: 'equity' | 'derivative', account: 0 | 1 | 2): Where =>
  (target) =>
  (passing) => {
    if (passing.endpoint !== endpoint || passing.query.accountNo !== target.accounts[account]) return []
    const part = (passing.body as Body)[name] as Wire | undefined
    return part ? [part] : []
  }

const holding =
  (account: 0 | 1): Where =>
  (target, random) => {
    let chosen: string | undefined
    return ({ endpoint, query, records }) => {
      if (endpoint !== 'position' || query.accountNo !== target.accounts[account]) return []
      chosen ??= text(any(records, random) ?? {}, 'symbol')
      return records.filter((record) => record.symbol === chosen)
    }
  }

const contracts: Where =
  (target) =>
  ({ endpoint, query, records }) =>
    endpoint === 'position' && query.accountNo === target.accounts[2] && query.querySummary !== 'false'
      ? records.slice(0, 1)
      : []

/** The last order of the session that was filled. */
const filled =
  (account: 0 | 1 | 2): Where =>
  (target) =>
  ({ endpoint, query, records }) =>
    endpoint === 'orderBook' && query.accountNo === target.accounts[account]
      ? records
          .filter(
            (record) =>
              Number(record.filledQty) > 0 && text(record, 'inputTime').includes(target.day.slice(8)),
          )
          .slice(-1)
      : []

/** Figures that are reported twice, and orders as they were sent. */
const more: Mutation[] = [
  ...fields('PP/MMR', anyEquity('ppmmrAccount'), 'accountBalance withdrawable', {
    '×1000': thousand,
    'off by one': offByOne,
  }),
  ...fields('derivative PP/MMR', side('ppmmrAccount', 'derivative', 2), 'accountBalance withdrawable', {
    'wrong digit': wrongDigit,
    '×1000': thousand,
    'off by one': offByOne,
  }),
  ...fields('derivative balance', side('accountBalance', 'derivative', 2), 'accountBalance withdrawable', {
    '×1000': thousand,
    'off by one': offByOne,
  }),
  ...fields(
    'index',
    indexOf,
    'totalMatch totalMatchValue indexValue indexChange totalTradeValue totalAdvanceStock',
    {
      'wrong digit': wrongDigit,
    },
  ),
  ...fields('board index', boardIndexOf, 'totalDeal totalDealValue', {
    'wrong digit': wrongDigit,
    '×1000': thousand,
  }),
  ...fields('order', filled(1), 'price', { '×1000': thousand, 'off by one': offByOne }),
  ...fields('contracts', contracts, 'long', { 'off by one': offByOne }),
  ...fields('holding', holding(0), 'sellableQuantity', { 'off by one': offByOne }),
  ...fields('holding of margin', holding(1), 'quantity', { 'off by one': offByOne, 'sign lost': negative }),
  ...fields('1m bar', minuteOf, `${PRICES} volume`, { '÷1000': thousandth }),
  {
    name: 'maximum quantity: more can be sold than is sellable',
    make: (target) => (passing) => {
      const { endpoint, query, body } = passing
      if (endpoint !== 'maxBuySell' || query.accountNo !== target.accounts[0]) return false
      const data = (body as Body).data as Wire
      data.maxSellQty = Number(data.maxSellQty) + 100_000
      return true
    },
  },
  {
    name: 'orders: a filled order comes twice, filled otherwise, and is counted twice',
    make: (target, random) => {
      const of = filled(1)(target, random)
      return (passing) => {
        const [order] = of(passing)
        if (!order) return false
        passing.records.push({ ...order, filledQty: String(Number(order.filledQty) - 100) })
        const data = (passing.body as Body).data as Wire
        data.totalRecord = Number(data.totalRecord) + 1
        return true
      }
    },
  },
  {
    name: 'conditional orders: more matched than ordered',
    make: (target) => (passing) => {
      if (passing.endpoint !== 'list' || passing.query.accountNo !== target.accounts[0]) return false
      const [order] = passing.records
      if (!order) return false
      order.matchedQuantity = Number(order.quantity) + 100
      return true
    },
  },
  {
    name: 'conditional orders: valid to before from',
    make: (target) => (passing) => {
      if (passing.endpoint !== 'list' || passing.query.accountNo !== target.accounts[0]) return false
      const [order] = passing.records
      if (!order) return false
      ;[order.from, order.to] = [order.to, order.from]
      return order.from !== order.to
    },
  },
  ...(['the session before again', 'nothing'] as const).map(
    (what): Mutation => ({
      name: `board index: ${what}`,
      make: (target, random) => {
        const of = boardIndexOf(target, random)
        return (passing) => {
          const mine = of(passing)
          const [former] = passing.of(target.dayBefore)
          if (mine.length === 0 || !former) return false
          if (what === 'nothing') passing.records.splice(0, passing.records.length)
          else for (const record of mine) Object.assign(record, former, { tradingDate: record.tradingDate })
          return true
        }
      },
    }),
  ),
]

const accounts: Mutation[] = [
  ...fields(
    'balance',
    anyEquity('accountBalance'),
    'accountBalance withdrawable onHoldCash buyT0 buyT1 sellT0',
    {
      'wrong digit': wrongDigit,
      'off by one': offByOne,
    },
  ),
  ...fields('balance of margin', side('accountBalance', 'equity', 1), 'accountBalance totalDebt', {
    '×1000': thousand,
    'sign lost': negative,
  }),
  ...fields('PP/MMR', side('ppmmrAccount', 'equity', 1), 'lmv accountBalance totalDebt', {
    'wrong digit': wrongDigit,
  }),
  ...fields('derivative balance', side('accountBalance', 'derivative', 2), 'accountBalance withdrawable', {
    'wrong digit': wrongDigit,
  }),
  ...fields('holding', holding(0), 'quantity sellableQuantity', {
    'wrong digit': wrongDigit,
    '×1000': thousand,
    'a lot less': lotLess,
  }),
  ...fields('holding of margin', holding(1), 'quantity', { 'a lot less': lotLess }),
  ...fields('contracts', contracts, 'net', { 'off by one': offByOne, 'sign lost': negative }),
  ...fields('order', filled(0), 'filledQty', { 'a lot less: a missing fill': lotLess, '×1000': thousand }),
  ...fields('order', filled(1), 'avgPrice', { '×1000': thousand, 'wrong digit': wrongDigit }),
  ...fields('order', filled(1), 'quantity', { 'a lot less': lotLess }),
  {
    name: 'position: a holding that nobody bought',
    make: (target) => (passing) => {
      if (passing.endpoint !== 'position' || passing.query.accountNo !== target.accounts[0]) return false
      const [first] = passing.records
      if (!first) return false
      passing.records.push({
        ...first,
        symbol: any(target.stocks, () => 0.5),
        quantity: '700',
        sellableQuantity: '700',
      })
      return true
    },
  },
  {
    name: 'position: a holding is missing',
    make: (target) => (passing) => {
      if (passing.endpoint !== 'position' || passing.query.accountNo !== target.accounts[0]) return false
      return passing.records.splice(0, 1).length > 0
    },
  },
  {
    name: 'position: all holdings are missing, as if flat',
    make: (target) => (passing) => {
      if (passing.endpoint !== 'position' || passing.query.accountNo !== target.accounts[1]) return false
      return passing.records.splice(0, passing.records.length).length > 0
    },
  },
  {
    name: 'orders: a filled order is missing, the count agrees',
    make: (target, random) => {
      const of = filled(1)(target, random)
      return (passing) => {
        const [gone] = of(passing)
        if (!gone) return false
        passing.records.splice(passing.records.indexOf(gone), 1)
        const data = (passing.body as Body).data as Wire
        data.totalRecord = Number(data.totalRecord) - 1
        return true
      }
    },
  },
  {
    name: 'orders: a filled order is missing, the count says so',
    make: (target, random) => {
      const of = filled(1)(target, random)
      return (passing) => {
        const [gone] = of(passing)
        if (!gone) return false
        passing.records.splice(passing.records.indexOf(gone), 1)
        return true
      }
    },
  },
  {
    name: 'orders: side of a filled order reversed',
    make: (target, random) => {
      const of = filled(1)(target, random)
      return (passing) => {
        const [order] = of(passing)
        if (!order) return false
        order.side = order.side === 'B' ? 'S' : 'B'
        return true
      }
    },
  },
  {
    name: 'accounts: positions are refused',
    make: (target) => (passing) => {
      if (passing.endpoint !== 'position' || passing.query.accountNo !== target.accounts[0]) return false
      for (const field of Object.keys(passing.body)) delete (passing.body as Wire)[field]
      Object.assign(passing.body, { code: '500', msg: 'try later' })
      return true
    },
  },
]

/** Every lie that is queryHome, in a fixed order. */
export const MUTATIONS: readonly Mutation[] = [...market, ...lists, ...bars, ...more, ...accounts]
