import { type FieldTable, receivedNames } from 'candlehouse-foundation/fields/field'
import * as fields from 'candlehouse-foundation/fields/market'
import type { Timeframe } from 'candlehouse-foundation/market/timeframe'
import type { PartName } from './parts.js'

export const DATASETS = [
  'securities',
  'indexes',
  'indexMembers',
  'securitiesSummary',
  'indexSummary',
  'masterdata',
  'ohlc',
  'corporateActions',
] as const

export type DatasetName = (typeof DATASETS)[number]

/** Datasets that the service has; the others come from a user's file alone. */
export type FetchedName = Exclude<DatasetName, 'corporateActions'>

/** Stages of a run: the requests of a stage are planned after the stage before it has been loaded. */
export type Stage = 'lists' | 'daily' | 'candles'

export interface Dataset {
  readonly name: DatasetName
  /** In which it is requested; null if no source has such records: they come from a user's file. */
  readonly stage: Stage | null
  /** Relation that its records are loaded into. */
  readonly relation: string
  readonly key: readonly string[]
  /**
   * `list`: all rows that are valid on a day, so a row that is absent has ended. `session`: facts of trading dates, compared
   * with the requested window. `declaration`: rows of a user's files; a later file replaces the rows that it names.
   */
  readonly shape: 'list' | 'session' | 'declaration'
  /** The specification's fields: others are reported as drift. The loading SQL reads some or all of them. */
  readonly table: FieldTable
  /** Their names, and those of live deployments. */
  readonly fields: readonly string[]
}

interface FetchedDataset extends Dataset {
  readonly stage: Stage
}

/** How each dataset is planned and loaded. Fields are the specification's. */
export const datasets: Readonly<
  Record<FetchedName, FetchedDataset> & Record<Exclude<DatasetName, FetchedName>, Dataset>
> = {
  securities: {
    name: 'securities',
    stage: 'lists',
    relation: 'market.security',
    key: ['symbol'],
    shape: 'list',
    ...fieldsOf(fields.security),
  },
  indexes: {
    name: 'indexes',
    stage: 'lists',
    relation: 'market.market_index',
    key: ['index_code'],
    shape: 'list',
    ...fieldsOf(fields.marketIndex),
  },
  indexMembers: {
    name: 'indexMembers',
    stage: 'daily',
    relation: 'market.index_member',
    key: ['index_code', 'symbol'],
    shape: 'list',
    ...fieldsOf(fields.security),
  },
  securitiesSummary: {
    name: 'securitiesSummary',
    stage: 'daily',
    relation: 'market.daily_summary',
    key: ['symbol', 'trading_date'],
    shape: 'session',
    ...fieldsOf(fields.securitiesSummary),
  },
  indexSummary: {
    name: 'indexSummary',
    stage: 'daily',
    relation: 'market.index_summary',
    key: ['index_code', 'trading_date'],
    shape: 'session',
    ...fieldsOf(fields.indexSummary),
  },
  masterdata: {
    name: 'masterdata',
    stage: 'daily',
    relation: 'market.price_limit',
    key: ['symbol', 'trading_date'],
    shape: 'session',
    ...fieldsOf(fields.masterdata),
  },
  ohlc: {
    name: 'ohlc',
    stage: 'candles',
    relation: 'market.candle',
    key: ['symbol', 'timeframe', 'opened_at'],
    shape: 'session',
    ...fieldsOf(fields.candle),
  },
  corporateActions: {
    name: 'corporateActions',
    stage: null,
    relation: 'market.corporate_action',
    key: ['symbol', 'ex_date', 'kind'],
    shape: 'declaration',
    ...fieldsOf(fields.corporateAction),
  },
}

/** A dataset as coverage and reports count it: all parts of a snapshot count as one. */
export type Counted = DatasetName | 'snapshot'

/** What a page walk fetches. `key` is a symbol, index or board, or `*` for all in one response. */
export interface Window<Name extends DatasetName | PartName = DatasetName> {
  readonly dataset: Name
  readonly key: string
  /** Empty for anything but candles. */
  readonly timeframe: Timeframe | ''
  readonly from: string
  readonly to: string
}

/** Whether a dataset is a list: all rows that are valid on the trading date. */
export function isList(name: DatasetName): boolean {
  return datasets[name].shape === 'list'
}

function fieldsOf(table: FieldTable): Pick<Dataset, 'table' | 'fields'> {
  return { table, fields: receivedNames(table) }
}
