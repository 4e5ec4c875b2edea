import { FUTURES_MULTIPLIER } from '../../market/futures.js'
import type { Service } from '../service.js'
import { DERIVATIVE_POSITION, EQUITY_POSITION, filled } from './fields.js'
import { type Account, frontContract, holdings, priceOf } from './holdings.js'

/** The derivative account's position in the front contract: long three, of which one was sold again. */
export function contractPosition(service: Service) {
  const symbol = frontContract(service)?.symbol ?? ''
  const price = priceOf(service, symbol)
  const bought = Math.round((price - 4) * 10) / 10
  const sold = Math.round((price + 1.5) * 10) / 10
  return {
    symbol,
    price,
    bought,
    sold,
    long: 3,
    short: 1,
    net: 2,
    /** VND. */
    tradingPL: Math.round((sold - bought) * FUTURES_MULTIPLIER),
    floatingPL: Math.round((price - bought) * 2 * FUTURES_MULTIPLIER),
  }
}

/** Positions by the kind of account; the two books of a derivative account are open and closed contracts. */
export function positions(service: Service, { accountNo, accountType }: Account, summary: boolean) {
  if (accountType !== 'DERIVATIVE') {
    const equity = holdings(service, accountType).map(({ symbol, quantity, costPrice }) =>
      filled(EQUITY_POSITION, { accountNo, symbol, quantity, costPrice, sellableQuantity: quantity }),
    )
    return { data: { equity, derivative: { accountNo: '', derOpenPositions: [], derClosePositions: [] } } }
  }
  const { symbol, price, bought, sold, tradingPL, floatingPL, ...held } = contractPosition(service)
  const position = (known: Record<string, string | number>) =>
    filled(DERIVATIVE_POSITION, { symbol, tradePrice: price, ...known })
  const derivative = summary
    ? {
        accountNo,
        derOpenPositions: [
          position({
            long: held.long,
            short: held.short,
            net: held.net,
            bidAvgPrice: bought,
            askAvgPrice: sold,
            tradingPL,
            floatingPL,
          }),
        ],
        derClosePositions: [],
      }
    : {
        accountNo,
        derOpenPositions: [position({ long: 2, net: 2, bidAvgPrice: bought, floatingPL })],
        derClosePositions: [
          position({ long: 1, short: 1, bidAvgPrice: bought, askAvgPrice: sold, tradingPL }),
        ],
      }
  return { data: { equity: [], derivative } }
}
