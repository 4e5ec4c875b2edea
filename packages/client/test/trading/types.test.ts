import { describe, expect, expectTypeOf, it } from 'vitest'
import type { Source } from '../../../../src/source/source.js'
import type {
  Client,
  ConditionalOrderRequest,
  ConditionalType,
  PlaceOrderRequest,
  Trading,
  TradingClient,
} from '../../src/index.js'
import * as library from '../../src/index.js'
import * as pipeline from '../../src/reading.js'

// `tsc` is the test here: what vitest runs of these are only the last lines.
type Gtd = Extract<ConditionalOrderRequest, { type: 'gtd' }>
type Stop = Extract<ConditionalOrderRequest, { type: 'stop' }>

describe('jobs cannot trade', () => {
  it('by type: their client has no trading, and the module they import exports none', () => {
    expectTypeOf<Client>().not.toHaveProperty('trading')
    expectTypeOf<ReturnType<typeof pipeline.createClient>>().not.toHaveProperty('trading')
    expectTypeOf<Source>().not.toHaveProperty('trading')
    expectTypeOf<Source>().not.toExtend<TradingClient>()
    expectTypeOf<TradingClient>().toExtend<Client>()
    expectTypeOf<TradingClient['trading']>().toEqualTypeOf<Trading>()
    expect(Object.keys(pipeline)).not.toContain('createTradingClient')
    expect(Object.keys(library)).toContain('createTradingClient')
  })

  it('at run time: their client has no such facet', async () => {
    const client = pipeline.createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k', apiSecret: 's' })
    expect(Object.keys(client)).not.toContain('trading')
    await client.close()
  })
})

describe('requests', () => {
  it('of a type need the fields of that type', () => {
    expectTypeOf<ConditionalOrderRequest['type']>().toEqualTypeOf<ConditionalType>()
    expectTypeOf<ConditionalType>().toEqualTypeOf<
      'stop' | 'stop_limit' | 'gtd' | 'bullbear' | 'oco' | 'trailing_stop' | 'trailing_stop_limit'
    >()
    const common = { accountNo: '1', deviceId: 'mac', symbol: 'FPT', side: 'B', quantity: 1 } as const
    const gtd: Gtd = { ...common, type: 'gtd' }
    // @ts-expect-error a stop needs stopPrice and operator
    const stop: Stop = { ...common, type: 'stop' }
    // @ts-expect-error a stop_limit needs its limit
    const limit: ConditionalOrderRequest = { ...common, type: 'stop_limit', stopPrice: 1, operator: 'equal' }
    // @ts-expect-error a trailing stop needs its distance
    const trailing: ConditionalOrderRequest = { ...common, type: 'trailing_stop', activePrice: 1 }
    // @ts-expect-error an LO needs its price
    const unpriced: PlaceOrderRequest = { ...common, orderType: 'LO' }
    // @ts-expect-error an order to cancel needs a name
    const nameless: Parameters<Trading['cancelOrder']>[0] = { accountNo: '1', deviceId: 'mac' }
    // @ts-expect-error a change of nothing
    const unchanged: Parameters<Trading['modifyOrder']>[0] = { accountNo: '1', deviceId: 'mac', orderId: '1' }
    const resized: Parameters<Trading['modifyOrder']>[0] = { ...unchanged, quantity: 200 }
    expect([gtd, stop, limit, trailing, unpriced, nameless, unchanged, resized]).toHaveLength(8)
  })
})
