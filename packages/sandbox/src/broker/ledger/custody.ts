import type { Day } from 'candlehouse-foundation/market/day'
import { collateral, marginRequired, powerFor } from './buying-power.js'
import { chart } from './chart-of-accounts.js'
import type { Account, Custody, Hold, Shortfall } from './custody-view.js'
import { VND } from './double-entry-book.js'
import { addTrade, noContracts } from './futures-position.js'
import type { Ledger } from './ledger.js'
import { shareOf } from './rate.js'
import { feeOf, reservedFee, taxOf, tradeValue } from './tariff.js'

/** Money reserved for the open quantity of a buy order: its value and its fee, VND. */
export function moneyToReserve({
  instrument,
  quantity,
  price,
}: Pick<Hold, 'instrument' | 'quantity' | 'price'>): number {
  return tradeValue(instrument, quantity, price) + reservedFee(instrument, quantity, price)
}

/** Money reserved for a buy order, and the part of it that was borrowed for the order. VND. */
interface Reservation {
  readonly amount: number
  readonly borrowed: number
}

const NO_RESERVATION: Reservation = { amount: 0, borrowed: 0 }

/** Holds, fills and releases as entries of the book. */
export class LedgerCustody implements Custody {
  /** By order. The borrowed part that is not used goes back to the loan. */
  private readonly reservations = new Map<string, Reservation>()
  /** Instant of the latest fill, epoch milliseconds: entries for reservations carry it. */
  private now = 0

  constructor(private readonly ledger: Omit<Ledger, 'custody'>) {}

  account(accountNo: string): Account | undefined {
    return this.ledger.account(accountNo)
  }

  hold(hold: Hold): Shortfall | undefined {
    const shortfall = this.grant(hold, undefined)
    if (!shortfall) this.ledger.holds.set(hold.orderId, hold)
    return shortfall
  }

  changeHold(orderId: string, quantity: number, price: number): Shortfall | undefined {
    const former = this.ledger.holds.get(orderId)
    if (!former) return undefined
    const hold = { ...former, quantity, price }
    const shortfall = this.grant(hold, former)
    if (!shortfall) this.ledger.holds.set(orderId, hold)
    return shortfall
  }

  fill(orderId: string, quantity: number, price: number, at: number): void {
    const hold = this.ledger.holds.get(orderId)
    if (!hold || quantity > hold.quantity)
      throw new RangeError(`${orderId} has no hold for a fill of ${quantity}`)
    this.now = at
    if (hold.instrument.kind === 'future') this.fillFuture(hold, quantity, price)
    else if (hold.side === 'B') this.fillBuy(hold, quantity, price)
    else this.fillSell(hold, quantity, price)
    this.ledger.holds.set(orderId, { ...hold, quantity: hold.quantity - quantity })
  }

  release(orderId: string): void {
    const hold = this.ledger.holds.get(orderId)
    if (!hold) return
    if (hold.instrument.kind !== 'future') {
      if (hold.side === 'B') this.freeMoney(hold, this.reservationOf(hold).amount)
      else this.moveShares(hold, 'reserved no longer', 'free', hold.quantity)
    }
    this.reservations.delete(orderId)
    this.ledger.holds.delete(orderId)
  }

  private grant(hold: Hold, former: Hold | undefined): Shortfall | undefined {
    if (hold.instrument.kind === 'future') return this.grantMargin(hold)
    if (hold.side === 'S') return this.reserveShares(hold, former?.quantity ?? 0)
    return this.reserveMoney(hold, former ? this.reservationOf(hold).amount : 0)
  }

  /** Margin is computed from the open holds: nothing is booked. */
  private grantMargin(hold: Hold): Shortfall | undefined {
    const before = marginRequired(this.ledger, hold.accountNo)
    const after = marginRequired(this.ledger, hold.accountNo, hold)
    // An order that only closes contracts is always granted.
    return after > before && after > collateral(this.ledger, hold.accountNo) ? 'buyingPower' : undefined
  }

  private reserveMoney(hold: Hold, reserved: number): Shortfall | undefined {
    const { book } = this.ledger
    const account = this.ledger.account(hold.accountNo)
    if (!account) return 'buyingPower'
    const difference = moneyToReserve(hold) - reserved
    if (difference > powerFor(this.ledger, account, hold)) return 'buyingPower'
    if (difference < 0) {
      this.freeMoney(hold, -difference)
      return undefined
    }
    const cash = chart.cash(hold.accountNo)
    const loan = Math.max(0, difference - Math.max(0, book.balance(cash)))
    const { borrowed } = this.reservationOf(hold)
    book.transfer(this.now, 'loan drawn', VND, chart.loan(hold.accountNo), cash, loan)
    book.transfer(this.now, 'reserved for a buy order', VND, cash, chart.reserved(hold.accountNo), difference)
    this.reservations.set(hold.orderId, { amount: reserved + difference, borrowed: borrowed + loan })
    return undefined
  }

  private freeMoney(hold: Hold, amount: number): void {
    const { book } = this.ledger
    const reservation = this.reservations.get(hold.orderId)
    if (!reservation || amount === 0) return
    const cash = chart.cash(hold.accountNo)
    const repaid = Math.min(reservation.borrowed, amount)
    book.transfer(this.now, 'reserved no longer', VND, chart.reserved(hold.accountNo), cash, amount)
    book.transfer(this.now, 'loan not used', VND, cash, chart.loan(hold.accountNo), repaid)
    this.reservations.set(hold.orderId, {
      amount: reservation.amount - amount,
      borrowed: reservation.borrowed - repaid,
    })
  }

  private reserveShares(hold: Hold, reserved: number): Shortfall | undefined {
    const difference = hold.quantity - reserved
    if (difference > this.ledger.book.balance(chart.shares(hold.accountNo), hold.instrument.symbol))
      return 'holding'
    this.moveShares(hold, 'reserved for a sell order', 'selling', difference)
    return undefined
  }

  private moveShares(hold: Hold, about: string, to: 'selling' | 'free', quantity: number): void {
    const accounts = [chart.shares(hold.accountNo), chart.selling(hold.accountNo)] as const
    const [source, target] = to === 'selling' ? accounts : [accounts[1], accounts[0]]
    this.ledger.book.transfer(this.now, about, hold.instrument.symbol, source, target, quantity)
  }

  private fillBuy(hold: Hold, quantity: number, price: number): void {
    const { book, costs } = this.ledger
    const { accountNo, instrument, orderId } = hold
    const { symbol } = instrument
    const [value, fee] = [tradeValue(instrument, quantity, price), feeOf(instrument, quantity, price)]
    const spent = value + fee
    const session = this.ledger.session()
    book.post(this.now, `bought ${quantity} ${symbol} at ${price}`, [
      { account: chart.reserved(accountNo), unit: VND, amount: -spent },
      { account: chart.paying(accountNo, session), unit: VND, amount: value },
      { account: chart.broker, unit: VND, amount: fee },
      { account: chart.street, unit: symbol, amount: -quantity },
      { account: chart.arriving(accountNo, session), unit: symbol, amount: quantity },
    ])
    const { amount, borrowed } = this.reservationOf(hold)
    const remaining = amount - spent
    this.reservations.set(orderId, { amount: remaining, borrowed: Math.min(borrowed, remaining) })
    const accountCosts = costs.get(accountNo) ?? new Map<string, number>()
    costs.set(accountNo, accountCosts.set(symbol, (accountCosts.get(symbol) ?? 0) + spent))
    const open = { ...hold, quantity: hold.quantity - quantity }
    const stillNeeded = open.quantity > 0 ? moneyToReserve(open) : 0
    this.freeMoney(hold, Math.max(0, remaining - stillNeeded))
  }

  private fillSell(hold: Hold, quantity: number, price: number): void {
    const { accountNo, instrument } = hold
    const { symbol } = instrument
    const value = tradeValue(instrument, quantity, price)
    const session = this.ledger.session()
    const fee = feeOf(instrument, quantity, price)
    const tax = taxOf(instrument, 'S', quantity, price, this.dayOf(session))
    this.reduceCost(accountNo, symbol, quantity)
    this.ledger.book.post(this.now, `sold ${quantity} ${symbol} at ${price}`, [
      { account: chart.street, unit: VND, amount: -value },
      { account: chart.receiving(accountNo, session), unit: VND, amount: value - fee - tax },
      { account: chart.broker, unit: VND, amount: fee },
      { account: chart.tax, unit: VND, amount: tax },
      { account: chart.selling(accountNo), unit: symbol, amount: -quantity },
      { account: chart.delivering(accountNo, session), unit: symbol, amount: quantity },
    ])
  }

  /** The average cost of a share stays the same: the cost of the shares that are sold leaves. */
  private reduceCost(accountNo: string, symbol: string, quantity: number): void {
    const { book, costs } = this.ledger
    const accountCosts = costs.get(accountNo)
    const owned =
      book.balance(chart.shares(accountNo), symbol) +
      book.balance(chart.selling(accountNo), symbol) +
      book
        .below(`${accountNo}/arriving/`)
        .filter(({ unit }) => unit === symbol)
        .reduce((sum, { amount }) => sum + amount, 0)
    const cost = accountCosts?.get(symbol) ?? 0
    accountCosts?.set(symbol, cost - shareOf(cost, { part: quantity, of: owned }, 'nearest'))
  }

  private fillFuture({ accountNo, instrument, side }: Hold, quantity: number, price: number): void {
    const { book, contracts } = this.ledger
    const positions = contracts.get(accountNo) ?? new Map()
    contracts.set(accountNo, positions)
    const position = positions.get(instrument.symbol) ?? noContracts(instrument)
    positions.set(instrument.symbol, position)
    addTrade(position, side, quantity, price)
    const fee = feeOf(instrument, quantity, price)
    const tax = taxOf(instrument, side, quantity, price, this.dayOf(this.ledger.session()))
    book.transfer(this.now, 'fee of contracts', VND, chart.cash(accountNo), chart.broker, fee)
    book.transfer(this.now, 'tax on contracts', VND, chart.cash(accountNo), chart.tax, tax)
  }

  private dayOf(session: number): Day {
    return this.ledger.world.time.days[session] ?? ''
  }

  private reservationOf({ orderId }: Hold): Reservation {
    return this.reservations.get(orderId) ?? NO_RESERVATION
  }
}
