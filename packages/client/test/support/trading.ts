import type { Effects } from 'candlehouse-foundation/effects'
import { type FakeEffects, fakeEffects } from '../../../foundation/test/fake-effects.js'
import { createTradingClient, type TradingClient, type TradingClientOptions } from '../../src/index.js'
import { parseDecimal } from '../../src/values.js'
import { KEY, type Script, SECRET, type Service, serve } from './service.js'
import { PKCS8 } from './signing-key.js'

export const ORDER = '/api/v3/trading/order'
export const CONDITIONAL = '/api/v3/trading/fco/order'
export const OTP = '314159'

/** The smallest order of the specification's example. */
export const SMALLEST = {
  accountNo: '0001234561',
  symbol: 'FPT',
  side: 'B',
  orderType: 'LO',
  quantity: 100,
  price: parseDecimal('150000'),
  deviceId: '00:1B:44:11:3A:B7',
} as const

export const TAKEN = {
  clientRequestId: 'vao-lenh-1',
  orderId: '20250102000001',
  orderStatus: 'PD',
  clientModifyId: '',
  clientCancelId: '',
}

export interface TradingStage {
  readonly service: Service
  readonly client: TradingClient
  readonly effects: FakeEffects
  /** Requests to the two write endpoints, in order. */
  writes(): Service['seen']
}

/** A stand-in, a trading client of it and a fake clock, closed after the test. */
export async function tradingStage<T>(
  script: Script,
  act: (stage: TradingStage) => Promise<T>,
  options: Partial<TradingClientOptions> = {},
  more: Partial<Effects> = {},
): Promise<T> {
  const service = await serve(script)
  const effects = { ...fakeEffects(), ...more }
  const client = createTradingClient(
    {
      baseUrl: service.url,
      apiKey: KEY,
      apiSecret: SECRET,
      otp: OTP,
      signingKey: PKCS8,
      maxRps: Number.POSITIVE_INFINITY,
      ...options,
    },
    effects,
  )
  try {
    return await act({
      service,
      client,
      effects,
      writes: () => service.seen.filter(({ path }) => path === ORDER || path === CONDITIONAL),
    })
  } finally {
    await client.close()
    await service.close()
  }
}
