import { describe, expect, test } from 'vitest'
import { maxBuySell } from '../../src/broker/ledger/max-buy-sell.js'
import type { PlaceOrder } from '../../src/broker/orders/order.js'
import { CASH, DAY, MARGIN, openTestBroker, priceOf, type TestBroker } from './test-broker.js'

function most(broker: TestBroker, accountNo: string, symbol: string) {
  const account = broker.ledger.account(accountNo)
  const listing = broker.market.listing(symbol)
  if (!account || !listing) throw new RangeError(symbol)
  return maxBuySell(broker.ledger, account, symbol, listing.reference).data
}

function buy(broker: TestBroker, symbol: string, quantity: number): PlaceOrder {
  const price = broker.market.listing(symbol)?.reference
  return { accountNo: MARGIN, symbol, side: 'B', orderType: 'LO', quantity, price }
}

/** 5,000 HPG and 2,000 E1VFVN30 at half of their value, 3,000 SHS at 40 %. */
function lent(broker: TestBroker): number {
  const worthOf = (symbol: string, quantity: number) => quantity * priceOf(broker, symbol)
  return worthOf('HPG', 5_000) / 2 + worthOf('E1VFVN30', 2_000) / 2 + Math.floor(worthOf('SHS', 3_000) * 0.4)
}

describe('what an account can buy', () => {
  test.each([
    ['FPT', '0.5', 0.5],
    ['SHS', '0.4', 0.4],
  ])(
    'of %s, on which is lent %s of its value, is cash and loan over what is not lent',
    (symbol, shown, rate) => {
      const broker = openTestBroker(DAY, '08:30')
      const { marginRatio, purchasingPower, maxBuyQty } = most(broker, MARGIN, symbol)
      const own = 80_000_000 + lent(broker) - 60_000_000
      expect([marginRatio, purchasingPower]).toEqual([shown, Math.floor(own / (1 - rate) + 1e-6)])
      const price = broker.market.listing(symbol)?.reference ?? 0
      expect(maxBuyQty).toBeGreaterThan(0.9 * (purchasingPower / price))
      expect(maxBuyQty * price).toBeLessThan(purchasingPower)
    },
  )

  test('of a share on UPCOM is its cash: no loan buys what nothing is lent on', () => {
    const broker = openTestBroker(DAY, '09:30')
    const { marginRatio, purchasingPower, maxBuyQty } = most(broker, MARGIN, 'ACV')
    expect([marginRatio, purchasingPower]).toEqual(['0', 80_000_000])
    expect(() => broker.desk.place(buy(broker, 'ACV', maxBuyQty + 100))).toThrow('overBuyingPower')
    broker.desk.place(buy(broker, 'ACV', maxBuyQty))
  })

  test('in a cash account is its cash, of any share', () => {
    const broker = openTestBroker(DAY, '08:30')
    expect(most(broker, CASH, 'FPT')).toMatchObject({ marginRatio: '0', purchasingPower: 150_000_000 })
  })

  test('is exactly what an order is accepted for, with other orders open, and leaves a debt that the shares cover', () => {
    const broker = openTestBroker(DAY, '08:30')
    broker.desk.place(buy(broker, 'VNM', 1_000))
    const { maxBuyQty } = most(broker, MARGIN, 'FPT')
    expect(() => broker.desk.place(buy(broker, 'FPT', maxBuyQty + 100))).toThrow('overBuyingPower')
    broker.desk.place(buy(broker, 'FPT', maxBuyQty))
    expect(most(broker, MARGIN, 'FPT').maxBuyQty).toBe(0)
  })

  test('follows the list: nothing on a share that was listed less than six months ago', () => {
    const { world, ledger } = openTestBroker(DAY, '08:30')
    const moving = world.instruments.find(
      ({ kind, first, moved }) => kind === 'stock' && moved && first === 0,
    )
    const session = world.time.at(DAY)
    if (!moving) throw new RangeError('no stock that moves')
    expect(ledger.lending(moving, session).part).toBeGreaterThan(0)
    expect(ledger.lending({ ...moving, first: session - 60 }, session).part).toBe(0)
    expect(ledger.lending({ ...moving, first: session - 140 }, session).part).toBeGreaterThan(0)
  })
})
