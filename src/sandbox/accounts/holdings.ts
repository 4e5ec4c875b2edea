import { legacyFuturesCode, parseFuturesCode } from '../../market/futures.js'
import type { Service } from '../service.js'
import type { Instrument } from '../world/instrument.js'

export type AccountType = 'CASH' | 'MARGIN' | 'DERIVATIVE'

export interface Account {
  accountNo: string
  accountType: AccountType
}

/** Six digits between the prefix and the suffix digit of every account number (spec, Conventions). */
export const CLIENT_ID = '123456'

export const ACCOUNTS: readonly Account[] = [
  { accountNo: `088${CLIENT_ID}1`, accountType: 'CASH' },
  { accountNo: `088${CLIENT_ID}6`, accountType: 'MARGIN' },
  { accountNo: `088${CLIENT_ID}8`, accountType: 'DERIVATIVE' },
]

/** Shares held since before the sandbox's history. */
export interface Holding {
  symbol: string
  quantity: number
  /** VND a share. */
  costPrice: number
  /** VND: today's close. */
  price: number
}

const HELD: Record<AccountType, readonly (readonly [string, number, number])[]> = {
  CASH: [
    ['FPT', 1_200, 0.94],
    ['VNM', 800, 1.03],
    ['ACV', 500, 0.9],
  ],
  MARGIN: [
    ['HPG', 5_000, 0.97],
    ['SHS', 3_000, 1.05],
    ['E1VFVN30', 2_000, 0.99],
  ],
  DERIVATIVE: [],
}

/** Cash in VND, before loans. */
export const CASH: Record<AccountType, number> = {
  CASH: 150_000_000,
  MARGIN: 80_000_000,
  DERIVATIVE: 120_000_000,
}

/** VND owed by the margin account. */
export const LOAN: Record<AccountType, number> = { CASH: 0, MARGIN: 60_000_000, DERIVATIVE: 0 }

export function priceOf({ world, clock }: Service, symbol: string): number {
  const instrument = world.find(symbol)
  return instrument ? world.daily(instrument, clock.lastTraded()).close : 0
}

export function holdings(service: Service, type: AccountType): Holding[] {
  return HELD[type].map(([symbol, quantity, cost]) => {
    const price = priceOf(service, symbol)
    return { symbol, quantity, price, costPrice: Math.round(price * cost) }
  })
}

/** VND. */
export function marketValue(held: readonly Holding[]): number {
  return held.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
}

/** The listed VN30 contract that delivers first: the derivative account is long two and has closed one. */
export function frontContract({ world, clock }: Service): Instrument | undefined {
  const delivery = ({ symbol }: Instrument) => {
    const contract = parseFuturesCode(symbol)
    return contract ? legacyFuturesCode(contract) : symbol
  }
  return world
    .listed(clock.lastTraded())
    .filter(({ kind }) => kind === 'future')
    .sort((a, b) => (delivery(a) < delivery(b) ? -1 : 1))[0]
}
