import type { Instrument } from '../../market/world/instrument.js'
import { lotAt } from '../../market/world/market-rules.js'
import { decimal } from '../decimal.js'
import { collateral, marginRequired, powerFor, purchasingPower } from './buying-power.js'
import { chart } from './chart-of-accounts.js'
import { moneyToReserve } from './custody.js'
import type { Account, Hold } from './custody-view.js'
import type { Ledger } from './ledger.js'

/** maxBuySell of the specification: the largest order at that price that would be accepted; buys in round lots. */
export function maxBuySell(ledger: Ledger, account: Account, symbol: string, price: number) {
  const { accountNo, accountType } = account
  const instrument = ledger.world.find(symbol)
  const derivative = accountType === 'DERIVATIVE'
  const fits = instrument !== undefined && (instrument.kind === 'future') === derivative
  const power = derivative
    ? Math.max(0, collateral(ledger, accountNo) - marginRequired(ledger, accountNo))
    : fits
      ? purchasingPower(ledger, account, instrument)
      : 0
  const maxQuantity = (side: 'B' | 'S'): number => {
    if (!fits) return 0
    if (!derivative && side === 'S') return ledger.book.balance(chart.shares(accountNo), symbol)
    const session = ledger.session()
    const lot = lotAt(instrument, session, ledger.world.time.days[session] ?? '')
    const granted = (lots: number): boolean => {
      const hold: Hold = { orderId: '', accountNo, instrument, side, quantity: lots * lot, price }
      if (!derivative) return moneyToReserve(hold) <= powerFor(ledger, account, hold)
      const after = marginRequired(ledger, accountNo, hold)
      return after <= marginRequired(ledger, accountNo) || after <= collateral(ledger, accountNo)
    }
    let [low, high] = [0, 1]
    while (granted(high) && high < MOST_LOTS) high *= 2
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (granted(middle)) low = middle
      else high = middle
    }
    return low * lot
  }
  return {
    data: {
      accountNo,
      maxBuyQty: maxQuantity('B'),
      marginRatio: accountType === 'MARGIN' && fits ? lentPart(ledger, instrument) : '0',
      maxSellQty: maxQuantity('S'),
      purchasingPower: power,
    },
  }
}

/** Part of the value of a share that the broker lends on it, as text. */
function lentPart(ledger: Ledger, instrument: Instrument): string {
  const { part, of } = ledger.lending(instrument, ledger.session())
  return decimal(part / of, 2)
}

/** Upper bound of the search: larger than every order that an exchange accepts. */
const MOST_LOTS = 2 ** 24
