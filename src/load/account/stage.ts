import type { Database } from '../../duckdb/open.js'
import { literal, sqlFile } from '../../duckdb/sqlfile.js'
import type { AccountRecord } from './records.js'
import { type AccountTable, fieldsOf } from './tables.js'

/** A record with the page and the question that brought it. */
export interface Brought extends AccountRecord {
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
 * `fresh_TABLE` (one row a key, believed).
 */
export async function stageTable(
  database: Database,
  { name, key, twice }: AccountTable,
  records: readonly Brought[],
): Promise<void> {
  const fields = Object.fromEntries(fieldsOf(name).map((field) => [field, 'VARCHAR']))
  const rows = records.map((record) => ({
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
  }))
  const shape = JSON.stringify([{ ...QUESTION, r: fields }])
  await database.run(
    `CREATE OR REPLACE TEMP TABLE account_record AS SELECT unnest(from_json(?, ${literal(shape)}), max_depth := 2)`,
    [JSON.stringify(rows)],
  )
  const staged = `staged_${name}`
  const columns = key.join(', ')
  await database.run(
    `CREATE OR REPLACE TEMP TABLE ${staged} AS
    SELECT typed.* EXCLUDE (reason), coalesce(told.fault, typed.reason) AS reason, told.payload
    FROM (${sqlFile(`load/account/${name}.sql`)}) typed
    JOIN account_record told USING (request_id, ordinal)`.replace('FROM record', 'FROM account_record'),
  )
  if (twice === 'doubt') {
    await database.run(`UPDATE ${staged} SET reason = 'the same key twice with different values'
      WHERE reason IS NULL AND (${columns}) IN (
        SELECT (${columns}) FROM (SELECT DISTINCT * EXCLUDE (request_id, received_at, reason, payload${key.includes('ordinal') ? '' : ', ordinal'})
          FROM ${staged} WHERE reason IS NULL) GROUP BY ALL HAVING count(*) > 1)`)
  }
  const order = twice === 'later' ? 'DESC' : 'ASC'
  await database.run(`CREATE OR REPLACE TEMP TABLE fresh_${name} AS
    SELECT DISTINCT ON (${columns}) * EXCLUDE (reason, payload${key.includes('ordinal') ? '' : ', ordinal'}) FROM ${staged}
    WHERE reason IS NULL ORDER BY ${columns}, request_id ${order}, ordinal ${order}`)
}
