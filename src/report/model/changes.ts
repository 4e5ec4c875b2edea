import type { Day } from 'candlehouse-foundation/market/day'
import type { Ask } from '../questions.js'
import type { Night } from './run.js'

export interface RevisedColumn {
  readonly relation: string
  readonly column: string
  readonly changes: number
  readonly rows_changed: number
  /** Key and values of the newest of them. */
  readonly key: string
  readonly old_value: string | null
  readonly new_value: string | null
}

export interface ListingEvent {
  readonly event: 'listed' | 'no longer listed' | 'moved'
  readonly symbol: string
  readonly board: string | null
  readonly board_before: string | null
  readonly name: string | null
  readonly trading_date: Day
}

export interface Adjustment {
  readonly symbol: string
  readonly ex_date: Day
  /** Null where a declared action has no reference price to compare, like `ref_price` and `basis_kind`. */
  readonly previous_basis: number | null
  readonly ref_price: number | null
  readonly factor: number
  readonly basis_kind: string | null
  readonly state: 'confirmed' | 'observed' | 'declared' | 'contradicted'
  /** Declared kinds; empty where nothing is declared. */
  readonly kinds: string
}

export interface Membership {
  readonly index_code: string
  readonly symbol: string
  readonly has_joined: boolean
  readonly trading_date: Day
}

/** What is different from the night before. */
export interface Changes {
  readonly before: Day
  readonly revisions: readonly RevisedColumn[]
  readonly listings: readonly ListingEvent[]
  readonly adjustments: readonly Adjustment[]
  readonly memberships: readonly Membership[]
}

/** The nightly before that of the day; undefined for the first. */
export function nightBefore(nights: readonly Night[], day: Day): Night | undefined {
  return nights.find((night) => night.day < day)
}

export async function changesModel(ask: Ask, before: Day): Promise<Changes> {
  return {
    before,
    revisions: await ask<RevisedColumn>('revisions'),
    listings: await ask<ListingEvent>('listings'),
    adjustments: await ask<Adjustment>('adjustments'),
    memberships: await ask<Membership>('memberships'),
  }
}
