import { collateral, equityPower, marginRequired } from './buying-power.js'
import { chart } from './chart-of-accounts.js'
import type { Custody, Hold, Shortfall } from './custody-view.js'
import { VND } from './double-entry-book.js'
import { addTrade } from './futures-position.js'
import type { Ledger } from './ledger.js'
import { feeHeld, feeOf, taxOf, worthOf } from './tariff.js'

/** Money held for what is left of a buy order: its value and its fee. */
export function heldFor({
  instrument,
  quantity,
  price,
}: Pick<Hold, 'instrument' | 'quantity' | 'price'>): number {
  return worthOf(instrument, quantity, price) + feeHeld(instrument, quantity, price)
}

/** Holds, fills and releases as entries of the book. */
export function createCustody(ledger: Omit<Ledger, 'custody'>): Custody {
  const { book, holds, contracts, costs } = ledger
  /** What stands in `held` for an order; a loan drawn for it goes back with what is not used. */
  const reserved = new Map<string, { amount: number; drawn: number }>()
  let now = 0

  const grantMoney = (hold: Hold, before: number): Shortfall | undefined => {
    const account = ledger.account(hold.accountNo)
    if (!account) return 'buyingPower'
    const more = heldFor(hold) - before
    if (more > equityPower(ledger, account)) return 'buyingPower'
    const cash = chart.cash(hold.accountNo)
    const short = Math.max(0, more - Math.max(0, book.balance(cash)))
    const known = reserved.get(hold.orderId) ?? { amount: 0, drawn: 0 }
    if (more >= 0) {
      book.transfer(now, 'loan drawn', VND, chart.loan(hold.accountNo), cash, short)
      book.transfer(now, 'held for a buy order', VND, cash, chart.held(hold.accountNo), more)
      reserved.set(hold.orderId, { amount: before + more, drawn: known.drawn + short })
    } else giveBack(hold, -more)
    return undefined
  }

  const giveBack = (hold: Hold, amount: number): void => {
    const known = reserved.get(hold.orderId)
    if (!known || amount === 0) return
    const cash = chart.cash(hold.accountNo)
    const repaid = Math.min(known.drawn, amount)
    book.transfer(now, 'held no longer', VND, chart.held(hold.accountNo), cash, amount)
    book.transfer(now, 'loan not used', VND, cash, chart.loan(hold.accountNo), repaid)
    reserved.set(hold.orderId, { amount: known.amount - amount, drawn: known.drawn - repaid })
  }

  const grantShares = (hold: Hold, before: number): Shortfall | undefined => {
    const { symbol } = hold.instrument
    const more = hold.quantity - before
    if (more > book.balance(chart.shares(hold.accountNo), symbol)) return 'holding'
    book.transfer(
      now,
      'held for a sell order',
      symbol,
      chart.shares(hold.accountNo),
      chart.selling(hold.accountNo),
      more,
    )
    return undefined
  }

  const grant = (hold: Hold, former: Hold | undefined): Shortfall | undefined => {
    if (hold.instrument.kind === 'future') {
      const before = marginRequired(ledger, hold.accountNo)
      const after = marginRequired(ledger, hold.accountNo, hold)
      // What only closes is always granted.
      return after > before && after > collateral(ledger, hold.accountNo) ? 'buyingPower' : undefined
    }
    if (hold.side === 'S') return grantShares(hold, former?.quantity ?? 0)
    return grantMoney(hold, former ? (reserved.get(hold.orderId)?.amount ?? 0) : 0)
  }

  const buy = (hold: Hold, quantity: number, price: number, at: number): void => {
    const { accountNo, instrument } = hold
    const { symbol } = instrument
    const [value, fee] = [worthOf(instrument, quantity, price), feeOf(instrument, quantity, price)]
    const left = { ...hold, quantity: hold.quantity - quantity }
    const known = reserved.get(hold.orderId) ?? { amount: 0, drawn: 0 }
    const spent = value + fee
    const session = ledger.session()
    book.post(at, `bought ${quantity} ${symbol} at ${price}`, [
      { account: chart.held(accountNo), unit: VND, amount: -spent },
      { account: chart.paying(accountNo, session), unit: VND, amount: value },
      { account: chart.broker, unit: VND, amount: fee },
      { account: chart.street, unit: symbol, amount: -quantity },
      { account: chart.arriving(accountNo, session), unit: symbol, amount: quantity },
    ])
    const rest = known.amount - spent
    reserved.set(hold.orderId, { amount: rest, drawn: Math.min(known.drawn, rest) })
    const paid = costs.get(accountNo) ?? new Map<string, number>()
    costs.set(accountNo, paid.set(symbol, (paid.get(symbol) ?? 0) + spent))
    now = at
    giveBack(hold, Math.max(0, rest - (left.quantity > 0 ? heldFor(left) : 0)))
  }

  const sell = (hold: Hold, quantity: number, price: number, at: number): void => {
    const { accountNo, instrument } = hold
    const { symbol } = instrument
    const value = worthOf(instrument, quantity, price)
    const [fee, tax] = [feeOf(instrument, quantity, price), taxOf(instrument, 'S', quantity, price)]
    const session = ledger.session()
    const paid = costs.get(accountNo)
    const owned =
      book.balance(chart.shares(accountNo), symbol) +
      book.balance(chart.selling(accountNo), symbol) +
      book
        .below(`${accountNo}/arriving/`)
        .filter(({ unit }) => unit === symbol)
        .reduce((sum, { amount }) => sum + amount, 0)
    const cost = paid?.get(symbol) ?? 0
    paid?.set(symbol, cost - Math.round((cost * quantity) / owned))
    book.post(at, `sold ${quantity} ${symbol} at ${price}`, [
      { account: chart.street, unit: VND, amount: -value },
      { account: chart.receiving(accountNo, session), unit: VND, amount: value - fee - tax },
      { account: chart.broker, unit: VND, amount: fee },
      { account: chart.tax, unit: VND, amount: tax },
      { account: chart.selling(accountNo), unit: symbol, amount: -quantity },
      { account: chart.delivering(accountNo, session), unit: symbol, amount: quantity },
    ])
  }

  const trade = (hold: Hold, quantity: number, price: number, at: number): void => {
    const { accountNo, instrument, side } = hold
    const mine = contracts.get(accountNo) ?? new Map()
    contracts.set(accountNo, mine)
    const position = mine.get(instrument.symbol) ?? {
      instrument,
      long: 0,
      short: 0,
      longAmount: 0,
      shortAmount: 0,
    }
    mine.set(instrument.symbol, position)
    addTrade(position, side, quantity, price)
    const [fee, tax] = [feeOf(instrument, quantity, price), taxOf(instrument, side, quantity, price)]
    book.transfer(at, 'fee of contracts', VND, chart.cash(accountNo), chart.broker, fee)
    book.transfer(at, 'tax on contracts', VND, chart.cash(accountNo), chart.tax, tax)
  }

  return {
    account: ledger.account,
    hold(hold) {
      const shortfall = grant(hold, undefined)
      if (!shortfall) holds.set(hold.orderId, hold)
      return shortfall
    },
    changeHold(orderId, quantity, price) {
      const former = holds.get(orderId)
      if (!former) return undefined
      const hold = { ...former, quantity, price }
      const shortfall = grant(hold, former)
      if (!shortfall) holds.set(orderId, hold)
      return shortfall
    },
    fill(orderId, quantity, price, at) {
      const hold = holds.get(orderId)
      if (!hold || quantity > hold.quantity)
        throw new RangeError(`${orderId} holds nothing for a fill of ${quantity}`)
      now = at
      if (hold.instrument.kind === 'future') trade(hold, quantity, price, at)
      else if (hold.side === 'B') buy(hold, quantity, price, at)
      else sell(hold, quantity, price, at)
      holds.set(orderId, { ...hold, quantity: hold.quantity - quantity })
    },
    release(orderId) {
      const hold = holds.get(orderId)
      if (!hold) return
      if (hold.instrument.kind !== 'future') {
        const { symbol } = hold.instrument
        if (hold.side === 'B') giveBack(hold, reserved.get(orderId)?.amount ?? 0)
        else {
          book.transfer(
            now,
            'held no longer',
            symbol,
            chart.selling(hold.accountNo),
            chart.shares(hold.accountNo),
            hold.quantity,
          )
        }
      }
      reserved.delete(orderId)
      holds.delete(orderId)
    },
  }
}
