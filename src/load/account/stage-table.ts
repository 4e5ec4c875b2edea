import { literal } from '../../duckdb/sqlfile.js'
import { boundRows } from '../bound-rows.js'
import type { Steps } from '../steps.js'
import type { AccountRecord } from './page-records.js'
import { ACCOUNT_LIST, type AccountTable, recordTypeOf } from './tables.js'

/** A record with the page and the question that brought it. */
export interface AnsweredRecord extends AccountRecord {
  readonly request_id: string
  readonly received_at: string
  readonly account_no: string
  /** Symbol or conditional order that was asked for. */
  readonly key: string
  /** Price that was asked for; maxBuySell only. */
  readonly price: string | null
}

/** Columns of the question, beside the record's own `r`. */
const QUESTION = {
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
 * Records of one table → temp tables `staged_TABLE` (typed, `reason` where a record cannot be believed) and
 * `received_TABLE` (one row per key, believed). Where there are none, `received_TABLE` alone: planning the SQL that reads
 * records takes up to 60 ms per table. The list of accounts is not stored by snapshot, and is always read.
 */
export async function stageTable(
  steps: Steps,
  { name, part, key, twice }: AccountTable,
  records: readonly AnsweredRecord[],
): Promise<void> {
  if (records.length === 0 && name !== ACCOUNT_LIST.name) {
    await steps.run('load/snapshot/nothing_received', { parts: { table: name } })
    return
  }
  const record = literal(JSON.stringify([{ ...QUESTION, r: recordTypeOf(name) }]))
  await steps.run('load/snapshot/records', {
    parts: { record },
    values: [boundRows(records.map(questionAndRecord))],
  })
  await steps.run(`load/account/${name}`)
  await steps.run('load/snapshot/staged', { parts: { table: name } })
  // The position of a record in its page is not a value of the record, except in histories, which are in order.
  const parts = { table: name, key: key.join(', '), ordinal: key.includes('ordinal') ? '' : ', ordinal' }
  if (twice === 'doubt') await steps.run('load/snapshot/contradictions', { parts })
  const order = twice === 'later' ? 'DESC' : 'ASC'
  await steps.run('load/snapshot/received', { parts: { ...parts, part, order } })
}

function questionAndRecord(record: AnsweredRecord): Record<keyof typeof QUESTION | 'r', unknown> {
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
