import type { Database } from '../../../src/duckdb/open.js'
import { type Explanation, explain } from '../../../src/read/explain/explain.js'
import { emptyPlannedWarehouse } from '../../support/memory.js'
import { ACCOUNT, type Evening, type Story } from './evenings.js'

/** A warehouse in memory that stores these evenings, with a session on every day of the story. */
export async function stored(story: Story, evenings: readonly Evening[]): Promise<Database> {
  const database = await emptyPlannedWarehouse()
  const insert = async (relation: string, columns: string, rows: readonly string[]): Promise<void> => {
    if (rows.length > 0) await database.run(`INSERT INTO ${relation} (${columns}) VALUES ${rows.join(', ')}`)
  }
  await insert('account.account', 'account_no, account_type', [`('${ACCOUNT}', 'CASH')`])
  await insert(
    'market.daily_summary',
    'symbol, trading_date, close',
    story.days.map((day) => `('AAA', '${day}', 10000)`),
  )
  await insert(
    'mart.adjustment_event',
    'symbol, ex_date, basis_date, previous_basis, ref_price, factor, basis_kind',
    story.exDates.map(({ symbol, session, amount, ratio }) => {
      const basis = story.prices.get(symbol)?.[session - 1] ?? 0
      const reference = ratio > 0 ? Math.round(basis / (1 + ratio) / 50) * 50 : basis - amount
      return `('${symbol}', '${story.days[session]}', '${story.days[session - 1]}', ${basis}, ${reference}, ${reference / basis}, 'close')`
    }),
  )
  await insert(
    'account.snapshot',
    'account_no, snapshot_id, as_of, state, received_at',
    evenings.map(({ day }) => `('${ACCOUNT}', 'S${day}', '${day}', 'complete', '${day} 18:00:00+07')`),
  )
  await insert(
    'account.equity_balance',
    'snapshot_id, account_no, account_balance, total_debt, dividend, sell_t0, sell_t1, sell_t2, buy_t0, buy_t1, buy_t2',
    evenings.map(
      ({ day, balance, dividend, sell, buy }) =>
        `('S${day}', '${ACCOUNT}', ${balance}, 0, ${dividend}, ${sell.join(', ')}, 0, ${buy.join(', ')}, 0)`,
    ),
  )
  await insert(
    'account.equity_position',
    'snapshot_id, account_no, symbol, quantity, dividend_quantity, bought_quantity, sold_quantity',
    evenings.flatMap(({ day, positions }) =>
      positions.map(
        ({ symbol, quantity, announced, bought, sold }) =>
          `('S${day}', '${ACCOUNT}', '${symbol}', ${quantity}, ${announced}, ${bought}, ${sold})`,
      ),
    ),
  )
  await insert(
    'account.order_book',
    'snapshot_id, account_no, order_id, symbol, side, quantity, filled_qty, avg_price, input_at, modified_at, order_status',
    evenings.flatMap(({ day, orders }) =>
      orders.map(({ id, session, symbol, side, quantity, filled, price }) => {
        const at = `${story.days[session]} 09:3${session % 10}:00+07`
        return `('S${day}', '${ACCOUNT}', '${id}', '${symbol}', '${side}', ${quantity}, ${filled}, ${price}, '${at}', '${at}', 'FF')`
      }),
    ),
  )
  return database
}

/** The explanation of the stored evenings. */
export async function explained(story: Story, evenings: readonly Evening[]): Promise<Explanation> {
  const [explanation] = await explainedAgain(story, evenings, 1)
  if (!explanation) throw new Error('nothing was explained')
  return explanation
}

/** Explanations of the same stored evenings, one after the other. */
export async function explainedAgain(
  story: Story,
  evenings: readonly Evening[],
  times: number,
): Promise<Explanation[]> {
  const database = await stored(story, evenings)
  const explanations: Explanation[] = []
  while (explanations.length < times) explanations.push(await explain((sql) => database.rows(sql), ACCOUNT))
  return explanations
}
