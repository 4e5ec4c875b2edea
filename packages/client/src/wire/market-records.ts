import * as fields from 'candlehouse-foundation/fields/market'
import { type RowOf, recordOf } from './record.js'

export const security = recordOf(fields.security)

export type Security = RowOf<typeof fields.security>

export const marketIndex = recordOf(fields.marketIndex)

export type MarketIndex = RowOf<typeof fields.marketIndex>

export const securitiesSummary = recordOf(fields.securitiesSummary)

export type SecuritiesSummary = RowOf<typeof fields.securitiesSummary>

export const indexSummary = recordOf(fields.indexSummary)

export type IndexSummary = RowOf<typeof fields.indexSummary>

export const masterData = recordOf(fields.masterdata)

export type MasterData = RowOf<typeof fields.masterdata>

export const candle = recordOf(fields.candle)

export type Candle = RowOf<typeof fields.candle>
