import { type Row, record } from './record.js'

/** A security (spec, Security). `openInterest` and `settlementPrice` are null for stocks (field notes §1). */
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
