import { type Row, record } from './record.js'

/**
 * A security (docs/brokerage-api.md#securitiesbyboard). `openInterest` and `settlementPrice` are null for
 * stocks (docs/market-facts.md#numbers-and-nulls).
 */
export const security = record([
  'symbol',
  'symbolNameVi',
  'symbolNameEn',
  'board',
  'lotSize',
  'maturityDate',
  'firstTradingDate',
  'lastTradingDate',
  'cwUnderlyingSymbol',
  'cwExercisePrice',
  'cwExecutionRatio',
  'listedShare',
  'icbCode',
  'icbName',
  'iIndex',
  'iNav',
  'openInterest',
  'settlementPrice',
])

export type Security = Row<(typeof security.fields)[number]>
