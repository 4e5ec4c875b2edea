import type { Day } from 'candlehouse-foundation/market/day'
import { type Margin, type MarginWarning, marginWarning } from '../../read/margin-warning.js'
import type { Ask } from '../questions.js'

/** One snapshot's day of an account. Figures are null where the snapshot is partial. */
export interface AccountDay {
  readonly account_no: string
  /** Null for an account of another kind than the specification has. */
  readonly account_type: string | null
  readonly trading_date: Day
  readonly state: string
  readonly missing: string | null
  readonly before_of: Day | null
  readonly net_cash: number | null
  readonly position_value: number | null
  readonly net_asset_value: number | null
  readonly total_equity: number | null
  readonly total_debt: number | null
  /** Session whose closes value the positions; null without positions. */
  readonly priced_on: Day | null
  readonly change: number | null
  readonly price_gain: number | null
  readonly unexplained_cash: number | null
  readonly costs_most: number | null
  readonly income_most: number | null
  readonly unexplained_positions: number | null
  readonly return_without_flows: number | null
  /** Name of the API key that read the snapshot. */
  readonly key_name: string
}

export interface Position {
  readonly account_no: string
  readonly trading_date: Day
  readonly symbol: string
  readonly quantity: number
  readonly average_price: number | null
  readonly price: number | null
  readonly priced_on: Day | null
  /** False where the close of a session since `priced_on` is not known; null without a price. */
  readonly is_current: boolean | null
  readonly market_value: number | null
  /** Not known where shares are to come. */
  readonly unrealised_pnl: number | null
  readonly weight: number | null
  readonly dividend_quantity: number | null
}

export interface Account {
  readonly account: string
  readonly latest: AccountDay
  /** Days with a complete snapshot, oldest first. */
  readonly curve: readonly AccountDay[]
  readonly positions: readonly Position[]
  readonly residual: Residual
  /** Null for accounts that have none. */
  readonly margin: AccountMargin | null
}

/** The margin of an account, and what its owner has to know of it. */
export interface AccountMargin extends MarginFigures {
  readonly warning: MarginWarning | null
}

interface MarginFigures extends Margin {
  /** Fall of all prices that leads to a call, a fraction; null for contracts. */
  readonly call_fall: number | null
}

/** What neither prices nor trades explain of an account's change. */
export interface Residual {
  /** `unknown`: there is no complete snapshot before, or a figure is missing. */
  readonly state: 'explained' | 'unexplained' | 'unknown'
  /** VND; null where it is not known. */
  readonly cash: number | null
  readonly positions: number | null
}

/** @param hasMargins whether margins can be asked for */
export async function accountsModel(ask: Ask, hasMargins: boolean): Promise<Account[]> {
  const days = await ask<AccountDay>('accounts')
  const positions = await ask<Position>('positions')
  const margins = hasMargins ? await ask<MarginFigures>('margins') : []
  return [...new Set(days.map(({ account_no }) => account_no))].flatMap((account) => {
    const history = days.filter(({ account_no }) => account_no === account)
    const latest = history.at(-1)
    if (!latest) return []
    return [
      {
        account,
        latest,
        curve: history.filter(({ net_asset_value }) => net_asset_value !== null),
        positions: positions.filter(
          ({ account_no, trading_date }) => account_no === account && trading_date === latest.trading_date,
        ),
        residual: residualOf(latest),
        margin: marginOf(margins, latest),
      },
    ]
  })
}

function marginOf(margins: readonly MarginFigures[], latest: AccountDay): AccountMargin | null {
  const margin = margins.find(
    ({ account_no, trading_date }) =>
      account_no === latest.account_no && trading_date === latest.trading_date,
  )
  return margin ? { ...margin, warning: marginWarning(margin) ?? null } : null
}

/** Cash is explained where it lies between the most that fees may be and the most that dividends may be. */
export function residualOf(day: AccountDay): Residual {
  const { unexplained_cash: cash, unexplained_positions: positions, costs_most, income_most } = day
  if (cash === null || positions === null || costs_most === null || income_most === null)
    return { state: 'unknown', cash, positions }
  const isExplained = positions === 0 && cash >= -costs_most && cash <= income_most
  return { state: isExplained ? 'explained' : 'unexplained', cash, positions }
}

/** The older session whose closes value the positions, because later ones are not known; undefined where there is none. */
export function staleCloseOf({ latest }: Account): Day | undefined {
  return latest.priced_on !== null && latest.priced_on < latest.trading_date ? latest.priced_on : undefined
}

/** Market value of positions over net asset value; contracts at what they stand for. */
export function exposureOf({ latest, positions }: Account): number | null {
  if (positions.some(({ market_value }) => market_value === null)) return null
  const value = positions.reduce((total, position) => total + Math.abs(position.market_value ?? 0), 0)
  return latest.net_asset_value ? value / latest.net_asset_value : null
}
