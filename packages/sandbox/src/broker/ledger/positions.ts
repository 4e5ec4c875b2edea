import { decimal } from '../decimal.js'
import { DERIVATIVE_POSITION, EQUITY_POSITION, filled } from './answer-fields.js'
import { ownedShares } from './buying-power.js'
import { chart, sessionOf } from './chart-of-accounts.js'
import type { Account } from './custody-view.js'
import { type ContractPosition, inTenths, netOf, profitOf } from './futures-position.js'
import type { Ledger } from './ledger.js'
import { quotientText, shareOf } from './rate.js'

/** position of the specification: shares of an equity account, contracts of a derivative one. */
export function positions(ledger: Ledger, { accountNo, accountType }: Account, summary: boolean) {
  if (accountType !== 'DERIVATIVE') {
    const nothing = { accountNo: '', derOpenPositions: [], derClosePositions: [] }
    return { data: { equity: shares(ledger, accountNo), derivative: nothing } }
  }
  const contracts = [...(ledger.contracts.get(accountNo)?.values() ?? [])]
  const sum = contracts.map((position) => written(ledger, position))
  return {
    data: {
      equity: [],
      derivative: {
        accountNo,
        derOpenPositions: summary ? sum : contracts.flatMap((position) => opened(ledger, position)),
        derClosePositions: summary ? [] : contracts.flatMap((position) => closed(ledger, position)),
      },
    },
  }
}

function shares(ledger: Ledger, accountNo: string): Record<string, string>[] {
  const { book, holds, costs } = ledger
  const owned = ownedShares(ledger, accountNo)
  const symbols = new Set(
    book
      .below(`${accountNo}/`)
      .filter(({ unit }) => unit !== 'VND')
      .map(({ unit }) => unit),
  )
  return [...symbols].sort().map((symbol) => {
    const sumOf = (name: string, sessions?: number): number =>
      book
        .below(`${accountNo}/${name}`)
        .filter(
          ({ account, unit }) => unit === symbol && (sessions === undefined || age(account) === sessions),
        )
        .reduce((total, { amount }) => total + amount, 0)
    const age = (account: string): number => ledger.session() - sessionOf(account)
    const buying = [...holds.values()].filter(
      (hold) => hold.accountNo === accountNo && hold.side === 'B' && hold.instrument.symbol === symbol,
    )
    const quantity = owned.get(symbol) ?? 0
    const cost = costs.get(accountNo)?.get(symbol) ?? 0
    return filled(EQUITY_POSITION, {
      accountNo,
      symbol,
      quantity,
      dividendQuantity: sumOf('bonus/'),
      buyingQuantity: buying.reduce((total, hold) => total + hold.quantity, 0),
      boughtQuantity: sumOf('arriving/', 0),
      sellingQuantity: book.balance(chart.selling(accountNo), symbol),
      soldQuantity: sumOf('delivering/', 0),
      t1SellQuantity: sumOf('delivering/', 1),
      t2SellQuantity: sumOf('delivering/', 2),
      costPrice: quantity === 0 ? 0 : shareOf(cost, { part: 1, of: quantity }, 'nearest'),
      sellableQuantity: book.balance(chart.shares(accountNo), symbol),
    })
  })
}

/** Averages in index points; four decimals. */
function average(amount: number, contracts: number): string {
  return quotientText(inTenths(amount), contracts * 10, 4)
}

function written(ledger: Ledger, position: ContractPosition): Record<string, string> {
  const { instrument, long, short, longAmount, shortAmount } = position
  const price = ledger.price(instrument.symbol)
  const { trading, floating } = profitOf(position, price)
  return filled(DERIVATIVE_POSITION, {
    symbol: instrument.symbol,
    long,
    short,
    net: netOf(position),
    bidAvgPrice: average(longAmount, long),
    askAvgPrice: average(shortAmount, short),
    tradePrice: decimal(price, 1),
    tradingPL: trading,
    floatingPL: floating,
  })
}

/** The open contracts, at the average price of their side. */
function opened(ledger: Ledger, position: ContractPosition): Record<string, string>[] {
  const net = netOf(position)
  if (net === 0) return []
  const { symbol } = position.instrument
  const price = ledger.price(symbol)
  return [
    filled(DERIVATIVE_POSITION, {
      symbol,
      long: Math.max(0, net),
      short: Math.max(0, -net),
      net,
      bidAvgPrice: net > 0 ? average(position.longAmount, position.long) : 0,
      askAvgPrice: net < 0 ? average(position.shortAmount, position.short) : 0,
      tradePrice: decimal(price, 1),
      floatingPL: profitOf(position, price).floating,
    }),
  ]
}

/** Contracts closed since the last settlement. */
function closed(ledger: Ledger, position: ContractPosition): Record<string, string>[] {
  const { instrument, long, short, longAmount, shortAmount } = position
  const closedQuantity = Math.min(long, short)
  if (closedQuantity === 0) return []
  const price = ledger.price(instrument.symbol)
  return [
    filled(DERIVATIVE_POSITION, {
      symbol: instrument.symbol,
      long: closedQuantity,
      short: closedQuantity,
      bidAvgPrice: average(longAmount, long),
      askAvgPrice: average(shortAmount, short),
      tradePrice: decimal(price, 1),
      tradingPL: profitOf(position, price).trading,
    }),
  ]
}
