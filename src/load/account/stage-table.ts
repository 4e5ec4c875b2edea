import { literal } from '../../duckdb/sqlfile.js'
import { boundRows } from '../bound-rows.js'
import type { Steps } from '../steps.js'
import { ACCOUNT_LIST, type AccountTable, recordTypeOf } from './account-tables.js'
import type { AccountRecord } from './page-records.js'

/** A record with its page and the values of its request. */
export interface RequestedRecord extends AccountRecord {
  readonly request_id: string
  readonly received_at: string
  readonly account_no: string
  /** Requested symbol or conditional order. */
  readonly key: string
  /** Requested price; maxBuySell only. */
  readonly price: string | null
}

/** Columns of the page and the request, besides the record's own `r`. */
const REQUEST_COLUMNS = {
  request_id: 'VARCHAR',
  ordinal: 'BIGINT',
  received_at: 'TIMESTAMPTZ',
  account_no: 'VARCHAR',
  symbol: 'VARCHAR',
  fco_id: 'VARCHAR',
  price: 'DECIMAL(18,6)',
  side_of_book: 'VARCHAR',
  payload: 'VARCHAR',
  fault: 'VARCHAR',
} as const

/**
 * Writes the records of one table to temp tables `staged_TABLE` (typed, with `reason` for a record that is not valid) and
 * `received_TABLE` (one row per key, valid records only). Without records only an empty `received_TABLE` is written: DuckDB
 * takes up to 60 ms per table to plan the SQL that reads records. The list of accounts is always read, because it is not stored
 * by snapshot.
 */
export async function stageTable(
  steps: Steps,
  table: AccountTable,
  records: readonly RequestedRecord[],
): Promise<void> {
  const { name, part, key, duplicates } = table
  if (records.length === 0 && name !== ACCOUNT_LIST.name) {
    await steps.run('load/snapshot/nothing_received', { parts: { table: name } })
    return
  }
  const record = literal(JSON.stringify([{ ...REQUEST_COLUMNS, r: recordTypeOf(table) }]))
  await steps.run('load/snapshot/records', {
    parts: { record },
    values: [boundRows(records.map(columnsOf))],
  })
  await steps.run(`load/account/${name}`)
  await steps.run('load/snapshot/staged', { parts: { table: name } })
  // The position of a record in its page is not a value of the record, except in histories, which are in order.
  const parts = { table: name, key: key.join(', '), ordinal: key.includes('ordinal') ? '' : ', ordinal' }
  if (duplicates === 'reject') await steps.run('load/snapshot/contradictions', { parts })
  const order = duplicates === 'later' ? 'DESC' : 'ASC'
  await steps.run('load/snapshot/received', { parts: { ...parts, part, order } })
}

function columnsOf(record: RequestedRecord): Record<keyof typeof REQUEST_COLUMNS | 'r', unknown> {
  return {
    request_id: record.request_id,
    ordinal: record.ordinal,
    received_at: record.received_at,
    account_no: record.account_no,
    symbol: record.key,
    fco_id: record.key,
    price: record.price,
    side_of_book: record.side,
    payload: record.text,
    fault: record.fault,
    r: record.fields,
  }
}
