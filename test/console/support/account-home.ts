import type { Database } from '../../../src/duckdb/open.js'
import { literal } from '../../../src/duckdb/sqlfile.js'
import { temporaryFolder } from '../../support/folder.js'
import { openTestWarehouse } from '../../support/landed.js'
import { publishTest } from '../../support/published.js'

export const SESSIONS = ['2025-03-12', '2025-03-13', '2025-03-14'] as const
/** Sold 500 of 1,000 FPT in the last session; all of it is explained. */
export const CASH_ACCOUNT = '0690000011'
/** Got 2,000,000 VND in the last session that nothing explains; near a margin call. */
export const MARGIN_ACCOUNT = '0690000016'

/** Snapshots have the form of run ids, and sort by their session. */
const snapshotOf = (session: string): string => `${session.replaceAll('-', '')}T110000000Z-a`

type Row = Readonly<Record<string, string | number | boolean | null>>

/** Puts rows into a relation, and marks what has to be published. */
async function give(
  warehouse: Database,
  relation: string,
  partition: (row: Row) => string,
  rows: readonly Row[],
): Promise<void> {
  const selects = rows.map((row) => {
    const values = Object.entries(row).map(
      ([column, value]) => `${value === null ? 'NULL' : literal(String(value))} AS ${column}`,
    )
    return `SELECT ${values.join(', ')}`
  })
  await warehouse.run(`INSERT INTO ${relation} BY NAME ${selects.join(' UNION ALL BY NAME ')}`)
  const partitions = [...new Set(rows.map(partition))]
  const marks = partitions.map((name) => `(${literal(relation)}, ${literal(name)})`)
  await warehouse.run(`INSERT INTO ops.dirty_partition VALUES ${marks.join(', ')}`)
}

const ofSession = ({ trading_date }: Row): string => String(trading_date)
const ofMonth = ({ snapshot_id }: Row): string =>
  `${String(snapshot_id).slice(0, 4)}-${String(snapshot_id).slice(4, 6)}`
const whole = (): string => 'all'

const CLOSES = { FPT: [20_000, 21_000, 21_500], VNM: [10_000, 10_100, 10_200] }
const VNINDEX = [1_000, 1_010, 1_020]

/** One row of each session. */
const perSession = (row: (session: string, index: number) => Row): Row[] => SESSIONS.map(row)

async function giveMarket(warehouse: Database): Promise<void> {
  for (const [symbol, closes] of Object.entries(CLOSES)) {
    const summaries = perSession((trading_date, index) => ({
      symbol,
      trading_date,
      close: closes[index] ?? null,
      total_match: 1_000,
    }))
    await give(warehouse, 'market.daily_summary', ofSession, summaries)
    // Without reference prices it would not be known whether there was an adjustment.
    const limits = perSession((trading_date, index) => ({
      symbol,
      exchange: 'HOSE',
      trading_date,
      ref_price: closes[index - 1] ?? closes[0] ?? null,
    }))
    await give(warehouse, 'market.price_limit', ofSession, limits)
  }
  const values = perSession((trading_date, index) => ({
    index_code: 'VNINDEX',
    trading_date,
    index_value: VNINDEX[index] ?? null,
  }))
  await give(warehouse, 'market.index_summary', ofSession, values)
}

const NOTHING_UNSETTLED = { sell_t1: 0, sell_t2: 0, buy_t0: 0, buy_t1: 0, buy_t2: 0, dividend: 0 }

async function giveCashAccount(warehouse: Database): Promise<void> {
  const of = (session: string) => ({ snapshot_id: snapshotOf(session), account_no: CASH_ACCOUNT })
  const last = of(SESSIONS[2])
  await give(
    warehouse,
    'account.equity_balance',
    ofMonth,
    perSession((session, index) => ({
      ...of(session),
      account_balance: 10_000_000,
      total_debt: 0,
      sell_t0: index === 2 ? 10_723_125 : 0,
      ...NOTHING_UNSETTLED,
    })),
  )
  await give(
    warehouse,
    'account.equity_position',
    ofMonth,
    perSession((session, index) => ({
      ...of(session),
      symbol: 'FPT',
      quantity: index === 2 ? 500 : 1_000,
      sellable_quantity: index === 2 ? 500 : 1_000,
      bought_quantity: 0,
      sold_quantity: index === 2 ? 500 : 0,
      cost_price: 18_000,
    })),
  )
  await give(warehouse, 'account.order_book', ofMonth, [
    {
      ...last,
      order_id: '20250314000001',
      symbol: 'FPT',
      side: 'S',
      order_type: 'LO',
      quantity: 500,
      price: '21500',
      filled_qty: 500,
      cancel_qty: 0,
      avg_price: 21_500,
      order_status: 'FF',
      input_at: '2025-03-14 02:30:00+00',
      modified_at: '2025-03-14 02:30:00+00',
    },
  ])
  await give(warehouse, 'account.conditional_order', ofMonth, [
    {
      ...last,
      fco_id: 'F2025031400001',
      symbol: 'FPT',
      type: 'stop_limit',
      side: 'S',
      quantity: 500,
      matched_quantity: 0,
      price: '20400',
      order_type: 'LO',
      status: 'WAIT',
      stop_price: 20_425,
      operator: 'lesser_or_equal',
      from_at: '2025-03-14 03:00:00+00',
      to_at: '2025-03-21 03:00:00+00',
    },
  ])
}

async function giveMarginAccount(warehouse: Database): Promise<void> {
  const of = (session: string) => ({ snapshot_id: snapshotOf(session), account_no: MARGIN_ACCOUNT })
  await give(
    warehouse,
    'account.equity_balance',
    ofMonth,
    perSession((session, index) => ({
      ...of(session),
      account_balance: index === 2 ? 3_000_000 : 1_000_000,
      total_debt: 6_000_000,
      sell_t0: 0,
      ...NOTHING_UNSETTLED,
    })),
  )
  await give(
    warehouse,
    'account.equity_position',
    ofMonth,
    perSession((session) => ({
      ...of(session),
      symbol: 'VNM',
      quantity: 1_000,
      sellable_quantity: 700,
      bought_quantity: 200,
      sold_quantity: 0,
      cost_price: 9_000,
    })),
  )
  await give(
    warehouse,
    'account.equity_margin',
    ofMonth,
    perSession((session) => ({
      ...of(session),
      total_assets: 10_200_000,
      total_equity: 4_200_000,
      total_debt: 6_000_000,
      lmv: 10_200_000,
      margin_ratio: 0.4118,
      margin_call: 0,
      call_lmv: 10_000_000,
      force_lmv: 8_571_429,
      action: 'NONE',
    })),
  )
}

export interface AccountHome {
  readonly home: string
  readonly warehouse: Database
}

/** A published home with two accounts and three sessions. */
export async function accountHome(): Promise<AccountHome> {
  const home = temporaryFolder()
  const warehouse = await openTestWarehouse(home)
  await giveMarket(warehouse)
  for (const [account_no, account_type] of [
    [CASH_ACCOUNT, 'CASH'],
    [MARGIN_ACCOUNT, 'MARGIN'],
  ] as const) {
    await give(warehouse, 'account.account', whole, [{ account_no, account_type, key_name: 'default' }])
    const snapshots = perSession((session) => ({
      account_no,
      snapshot_id: snapshotOf(session),
      as_of: session,
      state: 'complete',
      received_at: `${session} 11:00:00+00`,
      key_name: 'default',
    }))
    await give(warehouse, 'account.snapshot', ofMonth, snapshots)
  }
  await giveCashAccount(warehouse)
  await giveMarginAccount(warehouse)
  await publishTest(warehouse, home)
  return { home, warehouse }
}

/** As if the service had corrected the balance of the last session: published with the next publication. */
export async function correctBalance({ home, warehouse }: AccountHome, balance: number): Promise<void> {
  const snapshot = snapshotOf(SESSIONS[2])
  await warehouse.run(
    `UPDATE account.equity_balance SET account_balance = ${balance}
     WHERE snapshot_id = ${literal(snapshot)} AND account_no = ${literal(CASH_ACCOUNT)}`,
  )
  await warehouse.run(
    `INSERT INTO ops.dirty_partition VALUES ('account.equity_balance', '${snapshot.slice(0, 4)}-${snapshot.slice(4, 6)}')`,
  )
  await publishTest(warehouse, home)
}
