import { expect, test } from 'vitest'
import { conditionalEntry, eventEntry } from '../../src/broker/conditional/conditional-answers.js'
import { asked, scripted } from './scripted-market.js'
import { CASH } from './test-broker.js'

test('the wire: as specified, and as live deployments differ', () => {
  const at = scripted()
  const { fcoId } = at.desk.place(asked({ type: 'stop', stopPrice: 12_800, operator: 'lesser' }))
  const order = at.desk.find(fcoId)
  if (!order) throw new RangeError(fcoId)
  expect(conditionalEntry(order, 'spec')).toEqual({
    fcoId,
    username: 'demo',
    accountNo: CASH,
    price: '',
    priceSlip: '0',
    symbol: 'FPT',
    orderType: 'MP',
    from: '2025/11/20 10:00:00',
    to: '2025/11/21 10:00:00',
    detail: '',
    quantity: 100,
    matchedQuantity: 0,
    type: 'stop',
    isPlaceOrder: false,
    status: 'WAIT',
    params: { stopPrice: 12_800, side: 'S', operator: 'lesser' },
  })
  expect(conditionalEntry(order, 'live')).toMatchObject({
    Username: 'demo',
    IsPlaceOrder: false,
    params: { operator: 3 },
  })
  const [first] = order.history
  if (!first) throw new RangeError('history')
  expect(eventEntry(first, 'spec')).toEqual({
    state: 'INIT',
    time: '2025/11/20 10:00:00',
    code: 0,
    detail: '',
  })
  expect(eventEntry(first, 'live').time).toBe('20/11/2025 10:00:00')
})
