import { describe, expect, test } from 'vitest'
import { balance } from '../../src/broker/ledger/balance.js'
import { createBook } from '../../src/broker/ledger/double-entry-book.js'
import { margin } from '../../src/broker/ledger/margin.js'
import { positions } from '../../src/broker/ledger/positions.js'
import { exDates } from '../../src/market/world/corporate-actions.js'
import { CASH, DAY, DERIVATIVE, MARGIN, openTestBroker, priceOf, type TestBroker } from './test-broker.js'

const FUTURE = '41I1FC000'

/** An order that fills at once, straight through the ledger: quantity shares at a price. */
function trade(
  broker: TestBroker,
  accountNo: string,
  symbol: string,
  side: 'B' | 'S',
  quantity: number,
  price: number,
): void {
  const { custody } = broker.ledger
  const instrument = broker.world.find(symbol)
  if (!instrument) throw new RangeError(symbol)
  const orderId = `${symbol}${side}${quantity}`
  expect(custody.hold({ orderId, accountNo, instrument, side, quantity, price })).toBeUndefined()
  custody.fill(orderId, quantity, price, broker.agenda.now())
  custody.release(orderId)
}

function equity(broker: TestBroker, accountNo: string): Record<string, number> {
  const account = broker.ledger.account(accountNo)
  if (!account) throw new RangeError(accountNo)
  const told = { ...margin(broker.ledger, account).equity, ...balance(broker.ledger, account).equity }
  return Object.fromEntries(Object.entries(told).map(([name, value]) => [name, Number(value)]))
}

function position(broker: TestBroker, accountNo: string, symbol: string): Record<string, number> {
  const account = broker.ledger.account(accountNo)
  if (!account) throw new RangeError(accountNo)
  const row = positions(broker.ledger, account, true).data.equity.find((one) => one.symbol === symbol)
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)]))
}

describe('a book', () => {
  test('refuses entries that do not balance or have fractions', () => {
    const book = createBook()
    expect(() => book.post(0, 'x', [{ account: 'a', unit: 'VND', amount: 1 }])).toThrow('does not balance')
    expect(() => book.transfer(0, 'x', 'VND', 'a', 'b', 0.5)).toThrow('not a whole number')
    expect(book.entries()).toEqual([])
  })
})

describe('a buy', () => {
  test('reserves its value and fee, owes the value after the fill, and settles on the second session at 12:30', () => {
    const broker = openTestBroker(DAY, '10:00')
    // 1,000 × 13,000 = 13,000,000; fee 0.15 % = 19,500.
    trade(broker, CASH, 'FPT', 'B', 1_000, 13_000)
    expect(equity(broker, CASH)).toMatchObject({
      accountBalance: 150_000_000 - 19_500,
      onHoldCash: 13_000_000,
      buyT0: 13_000_000,
      buyUnmatched: 0,
      withdrawable: 150_000_000 - 13_019_500,
    })
    // Cost: 1,200 shares at 94 % of the price of the opening, and this buy with its fee.
    expect(position(broker, CASH, 'FPT')).toMatchObject({
      quantity: 2_200,
      boughtQuantity: 1_000,
      sellableQuantity: 1_200,
    })
    broker.to('10:00', '2025-11-21')
    expect(equity(broker, CASH)).toMatchObject({ buyT0: 0, buyT1: 13_000_000 })
    broker.to('12:29', '2025-11-24')
    expect(equity(broker, CASH)).toMatchObject({ buyT2: 13_000_000 })
    broker.to('12:31', '2025-11-24')
    expect(equity(broker, CASH)).toMatchObject({ accountBalance: 136_980_500, onHoldCash: 0, buyT2: 0 })
    expect(position(broker, CASH, 'FPT')).toMatchObject({ quantity: 2_200, sellableQuantity: 2_200 })
  })

  test('that is reserved and released changes no balance', () => {
    const broker = openTestBroker(DAY, '10:00')
    const before = equity(broker, CASH)
    const { custody } = broker.ledger
    const instrument = broker.market.listing('FPT')?.instrument
    if (!instrument) throw new RangeError('FPT')
    custody.hold({ orderId: 'a', accountNo: CASH, instrument, side: 'B', quantity: 500, price: 13_000 })
    // 500 × 13,000 and a fee of 9,750.
    expect(equity(broker, CASH).buyUnmatched).toBe(6_509_750)
    custody.changeHold('a', 300, 12_000)
    expect(equity(broker, CASH).buyUnmatched).toBe(3_605_400)
    custody.release('a')
    expect(equity(broker, CASH)).toEqual(before)
  })
})

describe('a sell', () => {
  test('pays fee and 0.1 % tax, and its money arrives on the second session', () => {
    const broker = openTestBroker(DAY, '10:00')
    // 800 × 15,000 = 12,000,000; fee 18,000, tax 12,000.
    trade(broker, CASH, 'VNM', 'S', 800, 15_000)
    expect(equity(broker, CASH)).toMatchObject({ accountBalance: 150_000_000, sellT0: 11_970_000 })
    expect(position(broker, CASH, 'VNM')).toMatchObject({ quantity: 0, soldQuantity: 800, costPrice: 0 })
    broker.to('12:31', '2025-11-24')
    expect(equity(broker, CASH)).toMatchObject({ accountBalance: 161_970_000, sellT0: 0, sellT2: 0 })
    expect(broker.ledger.book.trialBalance().get('VND')).toBe(0)
  })
})

describe('a margin account', () => {
  test('borrows the missing cash, owes interest, and pays back from settled sales', () => {
    const broker = openTestBroker(DAY, '10:00')
    const { cash, loan } = { cash: 80_000_000, loan: 60_000_000 }
    const price = broker.market.listing('HPG')?.reference ?? 0
    const quantity = Math.ceil((cash + 20_000_000) / price / 100) * 100
    const value = quantity * price
    trade(broker, MARGIN, 'HPG', 'B', quantity, price)
    const drawn = value + Math.ceil(value * 0.0015) - cash
    expect(equity(broker, MARGIN).debt).toBe(loan + drawn)
    broker.to('08:00', '2025-11-21')
    // One night at 13 % a year.
    expect(equity(broker, MARGIN).interestLoan).toBe(Math.round(((loan + drawn) * 0.13) / 365))
    broker.to('10:00', '2025-11-21')
    trade(broker, MARGIN, 'HPG', 'S', 1_000, price)
    const owed = equity(broker, MARGIN).debt ?? 0
    broker.to('13:00', '2025-11-25')
    const proceeds = 1_000 * price - Math.floor(price * 1.5) - Math.round(price)
    expect(equity(broker, MARGIN).debt).toBe(owed - proceeds)
  })

  test('borrows at most half of the value of marginable shares, and nothing for others', () => {
    const broker = openTestBroker(DAY, '10:00')
    const figures = equity(broker, MARGIN)
    // HPG and the fund at half of their value, SHS at 40 %.
    const value = (symbol: string, quantity: number) => quantity * priceOf(broker, symbol)
    const lent = value('HPG', 5_000) / 2 + value('E1VFVN30', 2_000) / 2 + value('SHS', 3_000) * 0.4
    expect(figures.loanValue).toBe(lent)
    expect(figures.preLoan).toBe(lent - 60_000_000)
    expect(figures.purchasingPower).toBe(80_000_000 + (figures.preLoan ?? 0))
  })
})

test('dividends go to the owners of the shares at the open of the ex-date, and are paid later', () => {
  const first = openTestBroker(DAY, '10:00')
  const instrument = first.world.find('HPG')
  if (!instrument) throw new RangeError('HPG')
  const action = exDates(instrument, 2_000).find(({ session }) => session > first.world.time.at(DAY) - 200)
  if (!action) throw new RangeError('no ex-date')
  const day = (session: number): string => first.world.time.days[session] ?? ''
  const broker = openTestBroker(day(action.session - 1), '10:00')
  const before = equity(broker, MARGIN)
  broker.to('10:00', day(action.session))
  const held = position(broker, MARGIN, 'HPG')
  const cash = action.factor > 0.95
  const entitled = cash ? (equity(broker, MARGIN).dividend ?? 0) : (held.dividendQuantity ?? 0)
  expect(entitled).toBeGreaterThan(0)
  if (cash) expect(entitled % 5_000).toBe(0)
  else expect(entitled).toBe(Math.floor(5_000 * (1 / action.factor - 1) + 1e-9))
  // Late enough for the other shares of the account, whose ex-dates come days later.
  broker.to('10:00', day(action.session + 25))
  expect([equity(broker, MARGIN).dividend, position(broker, MARGIN, 'HPG').dividendQuantity]).toEqual([0, 0])
  const amounts = (about: string): number[] =>
    broker.ledger.book
      .entries()
      .filter((entry) => entry.about === about)
      .map(({ lines }) => Math.max(...lines.map(({ amount }) => amount)))
  const [taxes, paid] = [amounts('tax on a dividend'), amounts('dividend paid')]
  expect(taxes.length).toBeGreaterThan(0)
  expect(taxes).toEqual(paid.map((net, at) => Math.round((net + (taxes[at] ?? 0)) * 0.05)))
  if (cash)
    expect(equity(broker, MARGIN).accountBalance).toBeGreaterThanOrEqual(
      (before.accountBalance ?? 0) + Math.floor(entitled * 0.95),
    )
  for (const [unit, sum] of broker.ledger.book.trialBalance()) expect(sum, unit).toBe(0)
})

describe('contracts', () => {
  const figures = (broker: TestBroker): Record<string, number> => {
    const account = broker.ledger.account(DERIVATIVE)
    if (!account) throw new RangeError(DERIVATIVE)
    return Object.fromEntries(
      Object.entries(margin(broker.ledger, account).derivative).map(([name, value]) => [name, Number(value)]),
    )
  }

  test('need margin, gain and lose by the point, and are settled at the close', () => {
    const broker = openTestBroker(DAY, '10:00')
    const price = broker.market.last(FUTURE) ?? 0
    trade(broker, DERIVATIVE, FUTURE, 'B', 2, price - 1)
    // Two contracts a point below the market: 200,000 VND.
    expect(figures(broker)).toMatchObject({
      floatingPL: 200_000,
      tradingPL: 0,
      // 17 % of two contracts, from tenths of a point: a multiple of 10,000 × 0.17 needs no rounding.
      marginReqDepository: 2 * Math.round(price * 10) * 1_700,
    })
    trade(broker, DERIVATIVE, FUTURE, 'S', 1, price + 2)
    // One of them sold three points above its cost; the other a point below the market.
    expect(figures(broker)).toMatchObject({ tradingPL: 300_000, floatingPL: 100_000 })
    const cash = figures(broker).accountBalance ?? 0
    broker.to('15:10')
    const close = broker.world.daily(broker.world.find(FUTURE) as never, broker.world.time.at(DAY)).close
    const gain = Math.round((1 * 3 + (close - (price - 1))) * 100_000)
    expect(figures(broker)).toMatchObject({ accountBalance: cash, deliveryAmount: gain, tradingPL: 0 })
    broker.to('08:00', '2025-11-21')
    expect(figures(broker)).toMatchObject({ accountBalance: cash + gain, deliveryAmount: 0 })
    const account = broker.ledger.account(DERIVATIVE)
    if (!account) throw new RangeError(DERIVATIVE)
    expect(positions(broker.ledger, account, true).data.derivative.derOpenPositions).toMatchObject([
      { symbol: FUTURE, long: '1', short: '0', net: '1', bidAvgPrice: String(close) },
    ])
  })

  test('are closed by expiry at the final settlement', () => {
    const broker = openTestBroker('2025-11-19', '10:00')
    trade(broker, DERIVATIVE, '41I1FB000', 'S', 1, broker.market.last('41I1FB000') ?? 0)
    broker.to('15:10', '2025-11-20')
    expect(broker.ledger.contracts.get(DERIVATIVE)?.size).toBe(0)
    expect(figures(broker).marginReqDepository).toBe(0)
  })
})

describe('a covered warrant', () => {
  test.each([true, false])('that matures leaves and pays what it is worth (in the money: %s)', (isWorth) => {
    const { world } = openTestBroker()
    const { days, at } = world.time
    const worthOf = ({ warrant, maturityDay }: (typeof world.instruments)[number]): number => {
      const share = world.find(warrant?.underlying ?? '')
      const session = at(maturityDay ?? '')
      if (!share || !warrant) return 0
      const closes = [1, 2, 3, 4, 5].map((back) => world.prices.close(share, session - back))
      const average = Math.round(closes.reduce((sum, close) => sum + close, 0) / 5)
      return Math.floor(Math.max(0, average - warrant.exercisePrice) / warrant.ratio)
    }
    const warrant = world.instruments.find(
      (each) => each.maturityDay && each.warrant && worthOf(each) > 0 === isWorth,
    )
    const maturity = warrant?.maturityDay ?? ''
    if (!warrant) throw new RangeError('no such warrant')
    expect(days).toContain(maturity)
    const broker = openTestBroker(days[at(maturity) - 3], '08:00')
    const { ledger } = broker
    const owned = `${CASH}/shares`
    ledger.book.transfer(broker.agenda.now(), 'given', warrant.symbol, 'street', owned, 1_000)
    broker.to('15:00', maturity)
    expect(ledger.book.balance(owned, warrant.symbol)).toBe(1_000)
    const before = equity(broker, CASH).accountBalance ?? 0
    broker.to('15:10', maturity)
    const paid = 1_000 * worthOf(warrant)
    expect(ledger.book.balance(owned, warrant.symbol)).toBe(0)
    expect(equity(broker, CASH).accountBalance).toBe(before + paid - Math.round(paid * 0.001))
  })
})
