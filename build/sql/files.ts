import {
  ACCOUNT_LIST,
  ACCOUNT_TABLES,
  type AccountTable,
  figuresOf,
} from '../../src/load/account/account-tables.js'
import { datasets } from '../../src/plan/datasets.js'
import { knownSql } from './known.js'
import { loadSql } from './load.js'
import { loadFiguresSql } from './load-figures.js'
import { ruleMacros } from './rulebook.js'

const WINDOW = "out_of_window('tradingDate', trading_date, window_from, window_to)"

const MARKET = [
  { path: 'securities', record: 'security record' },
  { path: 'indexes', record: 'index record' },
  {
    path: 'securitiesSummary',
    record: 'daily summary record',
    checks: ["not_asked('symbol', symbol, nullif(window_key, '*'))", WINDOW],
  },
  {
    path: 'indexSummary',
    record: 'index summary record',
    given: ['window_key AS index_code'],
    checks: ["missing('index', index_code)", WINDOW],
  },
  { path: 'masterdata', record: 'price limit record', checks: [WINDOW] },
] as const

/** Facts by session and declarations. Bars and lists have their own ways to what was known. */
const KNOWN = [
  { dataset: 'securitiesSummary', rows: 'Daily summaries' },
  { dataset: 'indexSummary', rows: 'Index summaries' },
  { dataset: 'masterdata', rows: 'Price limits' },
  { dataset: 'corporateActions', rows: 'Declared corporate actions' },
] as const

/** What a record of each account table is, and the columns that its request gives. */
const ACCOUNTS: Readonly<Record<string, { record: string; detail?: string; given?: readonly string[] }>> = {
  account: { record: 'account record' },
  equity_balance: { record: 'equity side of a balance' },
  derivative_balance: { record: 'derivative side of a balance' },
  equity_margin: { record: 'equity side of PP/MMR' },
  derivative_margin: { record: 'derivative side of PP/MMR' },
  equity_position: { record: 'equity position record' },
  derivative_position: {
    record: 'derivative position record of a detailed answer',
    given: ['account_no', 'side_of_book'],
  },
  derivative_position_summary: {
    record: 'derivative position record of a summary',
    given: ['account_no'],
  },
  order_book: { record: 'order record', given: ['account_no'] },
  conditional_order: {
    record: 'conditional order record',
    detail: 'its params flattened',
  },
  conditional_order_event: {
    record: 'status history record',
    given: ['account_no', 'fco_id'],
  },
  max_quantity: {
    record: 'answer of maxBuySell',
    given: ['account_no', 'symbol', 'price'],
  },
}

/** Every file below `sql/` that the tables of fields and the rulebook write, with its text. */
export function writtenFiles(): Map<string, string> {
  const market = MARKET.map(({ path, ...facts }): [string, string] => [
    `load/${path}.sql`,
    loadSql({ ...facts, table: datasets[path].table, source: 'page_record' }),
  ])
  const known = KNOWN.map(({ dataset, rows }): [string, string] => {
    const { relation, table } = datasets[dataset]
    return [
      `mart/known/${relation.replace('market.', '')}_as_known_on.sql`,
      knownSql({ relation, table, rows }),
    ]
  })
  return new Map([
    ...market,
    ...known,
    ...[ACCOUNT_LIST, ...ACCOUNT_TABLES].map(accountFile),
    ...ruleMacros(),
  ])
}

function accountFile(table: AccountTable): [string, string] {
  const { name, fields } = table
  const figures = figuresOf(table)
  const facts = ACCOUNTS[name]
  if (!facts) throw new RangeError(`account.${name}: its record has no name`)
  const file = { ...facts, table: fields, source: 'snapshot_record' } as const
  return [`load/account/${name}.sql`, figures.length > 0 ? loadFiguresSql(file, figures) : loadSql(file)]
}
