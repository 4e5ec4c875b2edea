import { type Day, instantOf, minuteOfDay, timeOfDay } from 'candlehouse-foundation/market/day'
import { settlementCycle, settlementTime } from 'candlehouse-foundation/market/settlement'
import { dividendTax } from 'candlehouse-foundation/market/tax'
import type { Agenda } from '../../market/agenda.js'
import { basisOf } from '../../market/world/bars.js'
import { exDates } from '../../market/world/corporate-actions.js'
import type { Instrument } from '../../market/world/instrument.js'
import { loanOf, ownedShares } from './buying-power.js'
import { chart, sessionOf } from './chart-of-accounts.js'
import { VND } from './double-entry-book.js'
import { profitOf, settled } from './futures-position.js'
import type { Ledger } from './ledger.js'
import { interestOf, taxOf } from './tariff.js'

/** Times of day (UTC+7). */
const MORNING = '07:30'
const CLEARING = '15:05'
/** How long before the time by which the depository settles the broker has entered it. */
const ENTERED_MINUTES_BEFORE = 30

/** Sessions between an ex-date and the payment of a dividend: some weeks. */
const DIVIDEND_AFTER_SESSIONS = 15
/** Closes before its maturity that a warrant is settled at. */
const AVERAGED_CLOSES = 5
/** A factor above it is a cash dividend, one below it new shares. */
const CASH_FACTOR = 0.95

/** Enters morning, settlement and clearing of each session in turn. */
export function scheduleDays(ledger: Ledger, agenda: Agenda): void {
  const { days } = ledger.world.time
  const steps = [
    [() => MORNING, morning],
    [settledAt, settle],
    [() => CLEARING, clear],
  ] as const
  const enter = (session: number): void => {
    const day = days[session]
    if (!day) return
    for (const [timeOn, step] of steps) {
      const at = instantOf(day, timeOn(day))
      if (at > agenda.now()) agenda.at(at, () => step(ledger, session, at))
    }
    const last = instantOf(day, CLEARING)
    if (last > agenda.now()) agenda.at(last, () => enter(session + 1))
    else enter(session + 1)
  }
  enter(Math.max(0, ledger.session()))
}

/** Before the time of the depository (docs/market-facts.md#settlement-and-tax); before clearing where none is recorded. */
function settledAt(day: Day): string {
  const time = settlementTime(day) ?? CLEARING
  return timeOfDay(minuteOfDay(time) - ENTERED_MINUTES_BEFORE)
}

/** Variation of contracts is paid, interest accrues and is paid monthly, holders of the record are entitled. */
function morning(ledger: Ledger, session: number, at: number): void {
  const { book, world, accounts } = ledger
  const [before = '', today = ''] = [world.time.days[session - 1], world.time.days[session]]
  const nights = Math.round((instantOf(today) - instantOf(before || today)) / 86_400_000)
  for (const { accountNo } of accounts) {
    const cash = chart.cash(accountNo)
    const variation = chart.variation(accountNo)
    book.transfer(at, 'variation margin', VND, variation, cash, book.balance(variation))
    const interest = interestOf(loanOf(ledger, accountNo), nights)
    book.transfer(at, 'interest', VND, chart.interest(accountNo), chart.broker, interest)
    const owed = -book.balance(chart.interest(accountNo))
    if (before.slice(0, 7) !== today.slice(0, 7) && owed > 0 && book.balance(cash) >= owed)
      book.transfer(at, 'interest of the month', VND, cash, chart.interest(accountNo), owed)
    entitle(ledger, accountNo, session, at)
    payDividends(ledger, accountNo, session, at)
  }
}

/** Owners of shares at the open of an ex-date get the dividend: money, or new shares without fractions. */
function entitle(ledger: Ledger, accountNo: string, session: number, at: number): void {
  const { book, world } = ledger
  for (const [symbol, owned] of ownedShares(ledger, accountNo)) {
    const instrument = world.find(symbol)
    const action = instrument && exDates(instrument, session + 1).find((exDate) => exDate.session === session)
    if (!instrument || !action) continue
    if (action.factor > CASH_FACTOR) {
      const basis = basisOf(world.prices, instrument, session) / action.factor
      const money = owned * Math.round(basis * (1 - action.factor))
      book.transfer(
        at,
        `dividend of ${symbol}`,
        VND,
        chart.issuers,
        chart.dividend(accountNo, session),
        money,
      )
    } else {
      const shares = Math.floor(owned * (1 / action.factor - 1) + 1e-9)
      book.transfer(
        at,
        `new shares of ${symbol}`,
        symbol,
        chart.issuers,
        chart.bonus(accountNo, session),
        shares,
      )
    }
  }
}

/** Money less the tax of persons, which the broker withholds; new shares are taxed when they are sold. */
function payDividends({ book, world }: Ledger, accountNo: string, session: number, at: number): void {
  const taxed = dividendTax(world.time.days[session] ?? '')
  const due = (account: string): boolean => sessionOf(account) <= session - DIVIDEND_AFTER_SESSIONS
  for (const { account, amount } of book.below(`${accountNo}/dividend/`)) {
    if (!due(account)) continue
    const tax = Math.round(amount * taxed)
    book.transfer(at, 'tax on a dividend', VND, account, chart.tax, tax)
    book.transfer(at, 'dividend paid', VND, account, chart.cash(accountNo), amount - tax)
  }
  for (const { account, unit, amount } of book.below(`${accountNo}/bonus/`))
    if (due(account)) book.transfer(at, 'new shares', unit, account, chart.shares(accountNo), amount)
}

/** Warrants leave at maturity; what the share is above the exercise price is paid less the tax of a sale, and nothing below it. */
function payWarrants(ledger: Ledger, accountNo: string, session: number, at: number): void {
  const { book, world, costs } = ledger
  const today = world.time.days[session] ?? ''
  for (const { unit: symbol, amount: owned } of book.below(`${accountNo}/`)) {
    const instrument = world.find(symbol)
    if (!instrument?.warrant || instrument.maturityDay !== today) continue
    const { underlying, exercisePrice, ratio } = instrument.warrant
    const share = world.find(underlying)
    const gain = share ? Math.max(0, settlementPrice(ledger, share, session) - exercisePrice) : 0
    const perWarrant = Math.floor(gain / ratio)
    const tax = taxOf(instrument, 'S', owned, perWarrant, today)
    book.transfer(at, `${symbol} matures`, symbol, chart.shares(accountNo), chart.issuers, owned)
    book.transfer(at, `${symbol} is paid`, VND, chart.issuers, chart.cash(accountNo), owned * perWarrant)
    book.transfer(at, `tax on ${symbol}`, VND, chart.cash(accountNo), chart.tax, tax)
    costs.get(accountNo)?.delete(symbol)
  }
}

/** Average of the closes of a share in the sessions before a maturity. */
function settlementPrice({ world }: Ledger, share: Instrument, session: number): number {
  const closes = Array.from({ length: AVERAGED_CLOSES }, (_, back) =>
    world.prices.close(share, session - 1 - back),
  )
  return Math.round(closes.reduce((sum, close) => sum + close, 0) / AVERAGED_CLOSES)
}

/** Trades as many sessions ago as the settlement cycle has: shares and money change hands; sales pay back loans. */
function settle(ledger: Ledger, session: number, at: number): void {
  const { book, accounts, world } = ledger
  const cycle = settlementCycle(world.time.days[session] ?? '')
  const due = (account: string): boolean => sessionOf(account) <= session - cycle
  for (const { accountNo } of accounts) {
    const cash = chart.cash(accountNo)
    for (const { account, amount } of book.below(`${accountNo}/paying/`))
      if (due(account)) book.transfer(at, 'buys settle', VND, account, chart.street, amount)
    for (const { account, unit, amount } of book.below(`${accountNo}/delivering/`))
      if (due(account)) book.transfer(at, 'shares sold leave', unit, account, chart.street, amount)
    for (const { account, unit, amount } of book.below(`${accountNo}/arriving/`))
      if (due(account))
        book.transfer(at, 'shares bought arrive', unit, account, chart.shares(accountNo), amount)
    for (const { account, amount } of book.below(`${accountNo}/receiving/`)) {
      if (!due(account)) continue
      book.transfer(at, 'sales settle', VND, account, cash, amount)
      const repaid = Math.min(amount, Math.max(0, loanOf(ledger, accountNo)))
      book.transfer(at, 'loan paid back from sales', VND, cash, chart.loan(accountNo), repaid)
    }
  }
}

/** Contracts are settled at the session's close; one that expires is closed at it. Warrants that mature are paid. */
function clear(ledger: Ledger, session: number, at: number): void {
  for (const { accountNo } of ledger.accounts) payWarrants(ledger, accountNo, session, at)
  const { book, world, contracts } = ledger
  for (const [accountNo, positions] of contracts) {
    for (const [symbol, position] of [...positions]) {
      const { instrument } = position
      const price = world.daily(instrument, session).close
      const { total } = profitOf(position, price)
      book.transfer(
        at,
        `settlement of ${symbol} at ${price}`,
        VND,
        chart.clearing,
        chart.variation(accountNo),
        total,
      )
      const next = settled(position, price)
      if (next.long === next.short || instrument.last <= session) positions.delete(symbol)
      else positions.set(symbol, next)
    }
  }
}
