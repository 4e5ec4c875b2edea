import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type RuleResult, runRule } from '../../src/audit/check.js'
import { emptyUnrecorded, prepareAccounts, prepareMarket } from '../../src/audit/prepare.js'
import { type Rule, readRules } from '../../src/audit/rule.js'
import type { Database } from '../../src/duckdb/open.js'
import { literal, sqlFile } from '../../src/duckdb/sqlfile.js'
import { packageRoot } from '../../src/package.js'
import { emptyPlannedWarehouse, emptyWarehouse } from '../support/memory.js'

/** A row by column; what is left out is null. Values are written as text and cast by the column. */
export type Row = Readonly<Record<string, string | number | boolean | null>>

/** Rows by relation: `market.daily_summary`, `account.snapshot` … */
export type Given = Readonly<Record<string, readonly Row[]>>

/** An offender as expected; what is absent is not compared. */
export interface ExpectedOffender {
  readonly state?: 'break' | 'soft'
  readonly relation?: string
  readonly key?: Row
  readonly expected?: string
  readonly actual?: string
  readonly residual?: string
}

/** A state of the warehouse, that the rule is run on. */
export interface Situation {
  /** A sentence: what is so. */
  readonly when: string
  readonly given: Given
  /** Session to check. @default that of the rule's cases */
  readonly on?: string
}

/** The cases of one rule: where it holds, where it is broken, where it cannot be evaluated. */
export interface RuleCase {
  readonly rule: number
  /** Session to check, or trading date of the snapshots. @default '2025-03-14' */
  readonly on?: string
  /** Accounts for which a person listed the rule. */
  readonly strict?: readonly string[]
  readonly holds: readonly Situation[]
  readonly breaks: readonly (Situation & { readonly offenders: readonly ExpectedOffender[] })[]
  readonly flags?: readonly (Situation & { readonly offenders: readonly ExpectedOffender[] })[]
  readonly silent: readonly (Situation & { readonly note: RegExp })[]
}

export const SESSION = '2025-03-14'
export const SESSION_BEFORE = '2025-03-13'

/** Rows of a case, at most. More are a market: it is given as JSON, since DuckDB takes 0.1 ms to parse each row of a list of values. */
const FEW_ROWS = 200

/** A migrated warehouse in memory that holds just these rows. */
export async function warehouseOf(given: Given): Promise<Database> {
  const rowCount = Object.values(given).reduce((sum, rows) => sum + rows.length, 0)
  const database = await (rowCount > FEW_ROWS ? emptyWarehouse() : emptyPlannedWarehouse())
  for (const [relation, rows] of Object.entries(given)) {
    // Rows of the same columns go in one statement.
    const byColumns = new Map<string, Row[]>()
    for (const row of rows) {
      const columns = Object.keys(row)
        .map((name) => `"${name}"`)
        .join(', ')
      byColumns.set(columns, [...(byColumns.get(columns) ?? []), row])
    }
    for (const [columns, alike] of byColumns) await insert(database, `${relation} (${columns})`, alike)
  }
  // A list that named a security from first_seen on.
  if ('market.security' in given && !('market.security_history' in given))
    await database.run(`INSERT INTO market.security_history BY NAME
    SELECT * EXCLUDE (first_seen, last_seen, is_listed), first_seen AS valid_from,
      CASE WHEN NOT is_listed THEN last_seen + 1 END AS valid_to
    FROM market.security WHERE first_seen IS NOT NULL`)
  return database
}

/** Rows of the same columns. */
async function insert(database: Database, into: string, rows: readonly Row[]): Promise<void> {
  const texts = rows.map((row) => Object.values(row).map((value) => (value === null ? null : String(value))))
  if (rows.length <= FEW_ROWS) {
    const values = texts.map(
      (row) => `(${row.map((text) => (text === null ? 'NULL' : literal(text))).join(', ')})`,
    )
    await database.run(`INSERT INTO ${into} VALUES ${values.join(', ')}`)
    return
  }
  const columns = Object.keys(rows[0] ?? {}).map((_, at) => `texts[${at + 1}]`)
  await database.run(
    `INSERT INTO ${into} SELECT ${columns.join(', ')} FROM (SELECT unnest(from_json(?, '[["VARCHAR"]]')) AS texts)`,
    [JSON.stringify(texts)],
  )
}

export interface Checked {
  readonly results: readonly RuleResult[]
  readonly offenders: readonly Required<ExpectedOffender>[]
}

/**
 * The results of one rule for a warehouse.
 *
 * @param evidence all of it, as in a run, or the part that the rule reads
 */
export async function checkOne(
  database: Database,
  number: number,
  on: string,
  strict: readonly string[],
  evidence: 'all' | 'read' = 'read',
): Promise<Checked> {
  const rule = rules.find((candidate) => candidate.number === number)
  if (!rule) throw new RangeError(`there is no rule ${number}`)
  const prepared = withEvidence(evidence === 'read' ? evidenceOf(rule) : undefined, database)
  await emptyUnrecorded(prepared)
  const subjects =
    rule.about === 'market' ? await prepareMarket(prepared, [on]) : await prepareAccounts(prepared, on)
  const listed = new Set(strict.map((account) => `${number} ${account}`))
  const results = await runRule(database, rule, subjects, listed)
  const offenders = await database.rows<Omit<Required<ExpectedOffender>, 'key'> & { key: string }>(
    'SELECT state, relation, key, expected, actual, residual FROM offender ORDER BY relation, key',
  )
  return { results, offenders: offenders.map((each) => ({ ...each, key: JSON.parse(each.key) as Row })) }
}

const rules = readRules()

/** Statements of `sql/audit` that fill tables, as opposed to those that create macros. */
const FILLED = /^(CREATE OR REPLACE TEMP (?:TABLE|VIEW)|INSERT INTO) (?!offender\b)(\w+)/m

const filling = readdirSync(join(packageRoot, 'sql/audit'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.sql'))
  .map((path) => sqlFile(`audit/${path}`))
  .filter((sql) => FILLED.test(sql))

/**
 * A database that fills only some tables: all of the evidence takes longer than the rule.
 *
 * @param statements those that fill tables; undefined for all of them
 */
function withEvidence(statements: ReadonlySet<string> | undefined, database: Database): Database {
  return {
    ...database,
    run: async (sql, values) => {
      if (!statements || statements.has(sql) || !FILLED.test(sql)) await database.run(sql, values)
    },
  }
}

/** Those that fill the tables which a rule reads, and the tables which those read. */
function evidenceOf(rule: Rule): Set<string> {
  const needed = new Set<string>()
  const add = (text: string): void => {
    for (const sql of filling) {
      const tables = [...sql.matchAll(new RegExp(FILLED, 'gm'))].map(([, , table]) => table)
      if (needed.has(sql) || !tables.some((table) => new RegExp(`\\b${table}\\b`).test(text))) continue
      needed.add(sql)
      add(sql)
    }
  }
  // What the accounts of the day are is asked for every rule about them.
  add(rule.about === 'market' ? rule.query : `${rule.query} audit_account`)
  return needed
}

/** A daily summary of a dull day of a HOSE stock: it breaks no rule, together with `limit()`. */
export function day(over: Row = {}): Row {
  return {
    symbol: 'HPG',
    trading_date: SESSION,
    price_change: '50',
    price_change_percentage: '0.19',
    open: '27000',
    high: '27100',
    low: '26950',
    close: '27050',
    average: '27020',
    total_match: '1000000',
    total_match_value: '27020000000',
    total_buy: '1500000',
    total_trade_buy: '900',
    total_sell: '1400000',
    total_trade_sell: '950',
    total_foreign_buy: '100000',
    total_foreign_buy_value: '2702000000',
    total_foreign_sell: '50000',
    total_foreign_sell_value: '1351000000',
    remain_foreign_room: '500000000',
    total_foreign_room: '1000000000',
    total_deal: '0',
    total_deal_value: '0',
    ...over,
  }
}

/** Price limits around 27,000 on HOSE. */
export function limit(over: Row = {}): Row {
  return {
    symbol: 'HPG',
    exchange: 'HOSE',
    trading_date: SESSION,
    ceiling: '28850',
    floor: '25150',
    ref_price: '27000',
    ...over,
  }
}

/** The 1d bar of `day()`. */
export function bar(over: Row = {}): Row {
  return {
    symbol: 'HPG',
    timeframe: '1d',
    opened_at: '2025-03-14 00:00:00+07',
    trading_date: SESSION,
    open: '27000',
    high: '27100',
    low: '26950',
    close: '27050',
    volume: '1000000',
    value: '27020000000',
    is_derived: false,
    ...over,
  }
}

/** A 1m bar; `time` as HH:MM in exchange time. */
export function minute(time: string, over: Row = {}): Row {
  return bar({
    timeframe: '1m',
    opened_at: `${over.trading_date ?? SESSION} ${time}:00+07`,
    volume: '1000',
    value: '27020000',
    ...over,
  })
}

/** A stock of HOSE as the security list has it. */
export function security(over: Row = {}): Row {
  return {
    symbol: 'HPG',
    board: 'HOSE',
    lot_size: '100',
    first_trading_date: '2007-11-15',
    listed_share: '6396250200',
    first_seen: '2025-01-02',
    last_seen: SESSION,
    is_listed: true,
    ...over,
  }
}

/** The summary of VNINDEX that `board()` adds up to. */
export function index(over: Row = {}): Row {
  return {
    index_code: 'VNINDEX',
    trading_date: SESSION,
    total_trade: '2100000',
    total_trade_value: '56740000000',
    total_match: '2000000',
    total_match_value: '54040000000',
    total_deal: '100000',
    total_deal_value: '2700000000',
    index_value: '1326.15',
    index_change: '0.05',
    index_change_percentage: '0',
    total_advance_stock: '1',
    total_ceiling_stock: '0',
    total_decline_stock: '1',
    total_floor_stock: '0',
    total_no_change_stock: '1',
    ...over,
  }
}

/** HOSE with a stock that rose, a fund that fell, a stock that did not trade, and a warrant and a future beside them. */
export function board(): Given {
  const traded = [
    day({ total_deal: '100000', total_deal_value: '2700000000' }),
    day({ symbol: 'E1VFVN30', close: '26950' }),
    day({ symbol: 'VCB', close: '0', total_match: '0', total_match_value: '0' }),
    day({ symbol: 'CHPG2401' }),
    day({ symbol: 'VN30F2504' }),
  ]
  return {
    'market.daily_summary': traded,
    'market.price_limit': traded.map(({ symbol = null }) => limit({ symbol })),
    'market.index_summary': [index()],
  }
}

/** A window that was answered whole. */
export function covered(dataset: string, over: Row = {}): Row {
  return {
    dataset,
    key: '*',
    timeframe: '',
    window_from: SESSION,
    window_to: SESSION,
    state: 'complete',
    row_count: '1',
    request_id: 'r-000001',
    ...over,
  }
}
