import { literal } from '../../duckdb/sqlfile.js'
import { type PartWalk, partOf } from '../../land/journal.js'
import type { Steps } from '../steps.js'
import type { AccountPage, AccountRecord } from './page-records.js'

/** An order without them is none, whatever earlier answers had. */
const CERTAIN: readonly string[] = ['symbol', 'side', 'quantity', 'orderStatus']

/** Every order may have them: null is a loss where every order before had a value. */
const USUAL: readonly string[] = ['orderType', 'price', 'filledQty', 'cancelQty', 'inputTime']

/** Null may be right in any order: only a field that is absent, and was there before, is lost. */
const OPTIONAL: readonly string[] = ['clientRequestId', 'avgPrice', 'modifiedTime', 'message']

const COLUMNS: Readonly<Record<string, string>> = {
  orderType: 'order_type',
  price: 'price',
  filledQty: 'filled_qty',
  cancelQty: 'cancel_qty',
  inputTime: 'input_at',
  clientRequestId: 'client_request_id',
  avgPrice: 'avg_price',
  modifiedTime: 'modified_at',
  message: 'message',
}

/**
 * What the order books of a snapshot have lost, by account: fields that no order of an account's answer has, although each order
 * must have them, or orders of the 40 days before had them.
 *
 * @param day trading date of the snapshot
 */
export async function lostOrderFields(
  steps: Steps,
  walks: readonly PartWalk[],
  read: ReadonlyMap<string, AccountPage>,
  day: string,
): Promise<ReadonlyMap<string, string>> {
  const lacking = [...ordersByAccount(walks, read)].map(([account, orders]) => ({
    account,
    orders,
    fields: [...CERTAIN, ...USUAL, ...OPTIONAL].filter((name) => orders.every((order) => lacks(order, name))),
  }))
  const doubtful = lacking.some(({ fields }) => fields.some((name) => !CERTAIN.includes(name)))
  const earlier = doubtful ? await earlierOrders(steps, day) : new Map<string, Earlier>()
  return new Map(
    lacking.flatMap(({ account, orders, fields }): [string, string][] => {
      const lost = fields.filter((name) => isLost(name, orders, earlier.get(name)))
      const what = lost.length === 1 ? `field ${lost[0]} is` : `fields ${lost.join(', ')} are`
      return lost.length === 0
        ? []
        : [[account, `orders: ${what} missing in ${orders.length} of ${orders.length} records`]]
    }),
  )
}

/** Whether any, and whether every earlier order had a value. */
interface Earlier {
  readonly name: string
  readonly any: boolean | null
  readonly every: boolean | null
}

function isLost(name: string, orders: readonly AccountRecord[], earlier: Earlier | undefined): boolean {
  if (CERTAIN.includes(name)) return true
  const isAbsent = orders.every(({ fields }) => !(name in fields))
  return (isAbsent && earlier?.any === true) || (USUAL.includes(name) && earlier?.every === true)
}

function lacks({ fields }: AccountRecord, name: string): boolean {
  return (fields[name] ?? '') === ''
}

function ordersByAccount(
  walks: readonly PartWalk[],
  read: ReadonlyMap<string, AccountPage>,
): Map<string, AccountRecord[]> {
  const orders = new Map<string, AccountRecord[]>()
  for (const page of walks.flatMap((walk) => walk.pages)) {
    // A record that is not an object is rejected: no field of it counts as lost.
    const records = (read.get(page.id)?.records ?? []).filter(({ text }) => text.startsWith('{'))
    if (partOf(page) !== 'orderBook' || records.length === 0) continue
    const account = page.account ?? ''
    orders.set(account, [...(orders.get(account) ?? []), ...records])
  }
  return orders
}

async function earlierOrders(steps: Steps, day: string): Promise<Map<string, Earlier>> {
  const fields = Object.entries(COLUMNS).map(
    ([field, column]) =>
      `{'name': ${literal(field)}, 'any': bool_or(${column} IS NOT NULL), 'every': bool_and(${column} IS NOT NULL)}`,
  )
  const rows = await steps.rows<Earlier>('load/snapshot/earlier_orders', {
    parts: { fields: fields.join(',\n  '), day: literal(day) },
  })
  return new Map(rows.map((row) => [row.name, row]))
}
