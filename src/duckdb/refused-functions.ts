import type { DuckDBConnection } from '@duckdb/node-api'
import { UsageError } from 'candlehouse-foundation/errors'
import { literal } from './sqlfile.js'

/**
 * Functions that a SELECT can call and that do more than read: they write files (a log into the lake, which is an allowed
 * folder), change the instance although its settings are locked, read memory by its address, or run a text as SQL, which
 * would hide the others.
 */
export const REFUSED_FUNCTIONS: readonly string[] = [
  'arrow_scan',
  'arrow_scan_dumb',
  'checkpoint',
  'disable_logging',
  'disable_peg_parser',
  'disable_profiling',
  'enable_logging',
  'enable_peg_parser',
  'enable_profiling',
  'force_checkpoint',
  'json_execute_serialized_sql',
  'query',
  'truncate_duckdb_logs',
  'write_log',
]

/** DuckDB knows no escapes in names: a text without any of these words calls none of them, and need not be parsed again. */
const WORDS = new RegExp(REFUSED_FUNCTIONS.join('|'), 'i')

const CALLS = new RegExp(`"function_name":"(${REFUSED_FUNCTIONS.join('|')})"`, 'i')

/**
 * Refuses a statement that calls one of these functions, however its name is written: DuckDB's own parser names the calls.
 *
 * @throws UsageError that names the function
 */
export async function refuseFunctions(connection: DuckDBConnection, text: string): Promise<void> {
  if (!WORDS.test(text)) return
  const reader = await connection.runAndReadAll(`SELECT json_serialize_sql(${literal(text)})`)
  const [, name] = CALLS.exec(String(reader.getRows()[0]?.[0])) ?? []
  if (name === undefined) return
  throw new UsageError(`function ${name.toLowerCase()} is not allowed: it does more than read`, {
    hint: 'leave it out',
  })
}
