import type { Passing, Wire } from '../proxy.js'
import { any, fields, lotLess, type Mutation, negative, offByOne, thousand, wrongDigit } from './mutation.js'
import { anyEquity, type Body, contracts, filled, holding, side } from './records.js'

/** A lie about the last filled order of the margin account. */
const ofFilled =
  (lie: (passing: Passing, order: Wire) => void): Mutation['make'] =>
  (target, random) => {
    const of = filled(1)(target, random)
    return (passing) => {
      const [order] = of(passing)
      if (!order) return false
      lie(passing, order)
      return true
    }
  }

function remove(passing: Passing, record: Wire): void {
  passing.records.splice(passing.records.indexOf(record), 1)
}

/** Figures of accounts. */
export const accounts: Mutation[] = [
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
    make: ofFilled((passing, gone) => {
      remove(passing, gone)
      const data = (passing.body as Body).data as Wire
      data.totalRecord = Number(data.totalRecord) - 1
    }),
  },
  { name: 'orders: a filled order is missing, the count says so', make: ofFilled(remove) },
  {
    name: 'orders: side of a filled order reversed',
    make: ofFilled((_, order) => {
      order.side = order.side === 'B' ? 'S' : 'B'
    }),
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
