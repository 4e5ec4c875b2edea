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
  /** Subject of one window of the part. */
  readonly key: 'all' | 'account' | 'symbol' | 'order'
  /** Its name in messages. */
  readonly about: string
}

export const parts: Readonly<Record<PartName, Part>> = {
  accountInfo: { key: 'all', about: 'accounts' },
  position: { key: 'account', about: 'positions' },
  positionDetail: { key: 'account', about: 'derivative positions in detail' },
  fcoList: { key: 'account', about: 'conditional orders' },
  accountBalance: { key: 'account', about: 'balance' },
  ppmmrAccount: { key: 'account', about: 'PP/MMR' },
  orderBook: { key: 'account', about: 'orders' },
  fcoStatusHistory: { key: 'order', about: 'status history' },
  maxBuySell: { key: 'symbol', about: 'maximum quantity' },
}

export function isPart(name: string): name is PartName {
  return name in parts
}
