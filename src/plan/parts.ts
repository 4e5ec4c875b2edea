/** The parts of an account snapshot, in the order they are asked. Each is one question of the service. */
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
  readonly endpoint:
    | 'accountInfo'
    | 'accountBalance'
    | 'ppmmrAccount'
    | 'position'
    | 'maxBuySell'
    | 'orderBook'
    | 'fcoList'
    | 'fcoStatusHistory'
  /** What its windows are keyed by. */
  readonly key: 'all' | 'account' | 'symbol' | 'order'
  /** As a person reads it in a reason. */
  readonly about: string
}

/** What a snapshot asks: one typed row a part. Endpoints are the specification's. */
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
