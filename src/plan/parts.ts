import type { AccountEndpoint } from 'candlehouse-foundation/market/endpoint'

/** The parts of an account snapshot, in the order of their requests. Lists of orders may take several pages. */
export const PARTS = [
  'accountInfo',
  'position',
  'positionDetail',
  'fcoList',
  'accountBalance',
  'ppmmrAccount',
  'orderBook',
  'fcoStatusHistory',
  'maxBuySell',
] as const

export type PartName = (typeof PARTS)[number]

export interface Part {
  readonly endpoint: AccountEndpoint
  /** Subject of one window of the part. */
  readonly key: 'all' | 'account' | 'symbol' | 'order'
  /** Its name in messages. */
  readonly about: string
}

/** The request of each part. Endpoints are the specification's. */
export const parts: Readonly<Record<PartName, Part>> = {
  accountInfo: { endpoint: 'accountInfo', key: 'all', about: 'accounts' },
  position: { endpoint: 'position', key: 'account', about: 'positions' },
  positionDetail: { endpoint: 'position', key: 'account', about: 'derivative positions in detail' },
  fcoList: { endpoint: 'fcoList', key: 'account', about: 'conditional orders' },
  accountBalance: { endpoint: 'accountBalance', key: 'account', about: 'balance' },
  ppmmrAccount: { endpoint: 'ppmmrAccount', key: 'account', about: 'PP/MMR' },
  orderBook: { endpoint: 'orderBook', key: 'account', about: 'orders' },
  fcoStatusHistory: { endpoint: 'fcoStatusHistory', key: 'order', about: 'status history' },
  maxBuySell: { endpoint: 'maxBuySell', key: 'symbol', about: 'maximum quantity' },
}

export function isPart(name: string): name is PartName {
  return name in parts
}
