import type { Account } from './custody-view.js'

/** Balances of an account before the participants of the sandbox trade. */
export interface Opening extends Account {
  /** VND, loans included. */
  readonly cash: number
  /** VND. */
  readonly loan: number
  /** Symbol, shares, and their cost as a share of the price on the opening day. */
  readonly holdings: readonly (readonly [symbol: string, quantity: number, cost: number])[]
}

/** The client of the first key: six digits between the prefix and the suffix of each account number. */
export const CLIENT_ID = '123456'

const owner = (suffix: number, type: Account['accountType']) => ({
  accountNo: `088${CLIENT_ID}${suffix}`,
  accountType: type,
  clientId: CLIENT_ID,
})

const otherClient = (clientId: string, suffix: number, type: Account['accountType'], cash: number) => ({
  accountNo: `099${clientId}${suffix}`,
  accountType: type,
  clientId,
  cash,
  loan: 0,
})

/** @param marginLoan VND that the demo client's margin account has borrowed; its other balances stay */
export function openingsWith(marginLoan: number | undefined): readonly Opening[] {
  if (marginLoan === undefined) return OPENINGS
  return OPENINGS.map((opening) => (opening.loan > 0 ? { ...opening, loan: marginLoan } : opening))
}

const INVENTORY: Opening['holdings'] = [
  ['FPT', 200_000, 1],
  ['VNM', 200_000, 1],
  ['HPG', 200_000, 1],
  ['SHS', 200_000, 1],
  ['ACV', 200_000, 1],
]

/** The demo client's three accounts, and those of two other clients that trade with it on a scripted day. */
export const OPENINGS: readonly Opening[] = [
  {
    ...owner(1, 'CASH'),
    cash: 150_000_000,
    loan: 0,
    holdings: [
      ['FPT', 1_200, 0.94],
      ['VNM', 800, 1.03],
      ['ACV', 500, 0.9],
    ],
  },
  {
    ...owner(6, 'MARGIN'),
    cash: 80_000_000,
    loan: 60_000_000,
    holdings: [
      ['HPG', 5_000, 0.97],
      ['SHS', 3_000, 1.05],
      ['E1VFVN30', 2_000, 0.99],
    ],
  },
  { ...owner(8, 'DERIVATIVE'), cash: 400_000_000, loan: 0, holdings: [] },
  { ...otherClient('234567', 1, 'CASH', 50_000_000_000), holdings: INVENTORY },
  { ...otherClient('234567', 8, 'DERIVATIVE', 20_000_000_000), holdings: [] },
  { ...otherClient('345678', 1, 'CASH', 50_000_000_000), holdings: INVENTORY },
  { ...otherClient('345678', 8, 'DERIVATIVE', 20_000_000_000), holdings: [] },
]
