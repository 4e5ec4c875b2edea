import type { Wire } from '../proxy.js'
import { fields, type Mutation, negative, offByOne, thousand, thousandth, wrongDigit } from './mutation.js'
import {
  anyEquity,
  type Body,
  boardIndexOf,
  contracts,
  filled,
  holding,
  indexOf,
  minuteOf,
  PRICES,
  side,
} from './records.js'

/** Figures that are reported twice, and orders as they were sent. */
export const reportedTwice: Mutation[] = [
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
