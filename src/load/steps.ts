import { type ColumnAppender, openColumnAppender } from '../duckdb/append.js'
import type { Bind, Database } from '../duckdb/open.js'
import { sqlTemplate } from '../duckdb/sqlfile.js'
import { DATASETS } from '../plan/datasets.js'
import { ACCOUNT_TABLE_NAMES } from './account/account-tables.js'

/**
 * Steps of a batch of market data, in their order. Each is a file of `sql/load` or `sql/apply`, and reads only tables that
 * earlier steps have written. Steps in one array may run in any order. `sql/load/README.md` shows what each reads and writes.
 */
export const BATCH_STEPS: readonly (readonly string[])[] = [
  ['load/repeated/latest_answers'],
  ['load/batch/variables'],
  ['load/candles/columns'],
  ['load/batch/pages'],
  [
    'load/batch/whole_pages',
    'load/batch/no_records',
    'load/batch/single_records',
    ...DATASETS.map((name) => `load/${name}`),

    'load/batch/staged',
    'load/batch/stage',
    'load/batch/faults',

    'load/batch/reread_pages',
    'load/batch/drop_reread_pages',
  ],
  ['load/batch/unproven_pages'],
  ['load/batch/read_records', 'load/candles/read_records'],
  ['load/batch/miscounted_pages'],
  ['load/batch/walk_answers'],
  ['load/batch/repeated_keys', 'load/candles/distinct'],
  ['load/candles/stage'],
  ['load/batch/shifted_walks'],
  ['load/batch/distinct_rows'],
  ['load/batch/imported_pages'],
  ['load/batch/blocking_sessions'],
  ['load/batch/unblocked_rows'],
  ['load/batch/noisy_values', 'load/batch/no_noisy_values'],
  ['load/batch/rejected_records', 'load/batch/payloads'],
  // From here on in one transaction: facts of sessions …
  ['load/facts/columns'],
  ['load/fields/suspects'],
  ['load/fields/walk_fields'],
  ['load/fields/earlier_sessions', 'load/fields/earlier_lists', 'load/fields/no_earlier'],
  ['load/fields/lost_fields', 'load/fields/no_lost_fields'],
  ['load/fields/stored_values'],
  ['load/facts/walk_days'],
  ['load/facts/missing_counts'],
  ['load/facts/session_answers'],
  ['load/facts/answered_days'],
  ['load/facts/stored_any'],
  ['load/facts/insert_all'],
  ['load/facts/differences'],
  ['load/facts/refilled'],
  ['load/facts/confirmed_rows'],
  ['load/facts/confirm_imported'],
  ['load/facts/revisions'],
  ['load/facts/omissions'],
  ['load/facts/replace'],
  ['load/facts/restated'],
  // … or lists, or declarations …
  ['load/lists/variables'],
  ['load/lists/session_answers'],
  ['load/lists/all_boards', 'load/lists/answered_indexes'],
  ['load/lists/latest_list'],
  [
    'apply/securities',
    'apply/late_securities',
    'apply/indexes',
    'apply/indexMembers',
    'apply/corporateActions',
  ],
  // … and the ledger.
  ['load/batch/recorded_pages'],
  ['load/batch/requests'],
  ['load/batch/quarantine'],
  ['load/batch/coverage'],
  ['load/batch/limits'],
  ['load/batch/counts'],
  ['load/batch/incomplete_sessions'],
  ['load/repeated/forget_answers'],
  ['load/repeated/keep_answers'],
]

/** Steps of an account snapshot, in their order. */
export const SNAPSHOT_STEPS: readonly (readonly string[])[] = [
  ['load/repeated/latest_answers'],
  ['load/snapshot/begin'],
  [
    'load/snapshot/nothing_received',
    'load/snapshot/records',
    ...ACCOUNT_TABLE_NAMES.map((name) => `load/account/${name}`),

    'load/snapshot/staged',
    'load/snapshot/contradictions',
    'load/snapshot/received',
  ],
  ['load/snapshot/unproven_pages'],
  ['load/snapshot/distinct_counts'],
  ['load/snapshot/rejected_counts'],
  ['load/snapshot/other_keys'],
  ['load/snapshot/snapshot_accounts'],
  ['load/snapshot/received_accounts'],
  ['load/snapshot/unlisted_accounts'],
  ['load/snapshot/vanished_positions'],
  ['load/snapshot/earlier_values'],
  ['load/snapshot/account_states'],
  ['load/snapshot/variables'],
  ['load/snapshot/carried_events'],
  ['load/snapshot/row_counts'],
  // From here on in one transaction.
  ['load/snapshot/accounts'],
  ['load/snapshot/summary'],
  ['load/snapshot/obsolete_snapshots'],
  ['load/snapshot/delete_obsolete'],
  ['load/snapshot/latest_snapshot'],
  ['load/snapshot/state_differs'],
  ['load/snapshot/rows_differ'],
  ['load/snapshot/insert_snapshot'],
  ['load/snapshot/insert_rows'],
  ['load/batch/recorded_pages'],
  ['load/batch/requests'],
  ['load/snapshot/quarantine'],
  ['load/snapshot/coverage'],
  ['load/snapshot/counts'],
  ['load/repeated/forget_answers'],
  ['load/repeated/keep_answers'],
]

/** SQL for the `$name`s of a step. */
type Parts = Readonly<Record<string, string>>

/** The steps of one batch or snapshot, run one after the other. */
export interface Steps {
  /** Values bind to the `?`s of the step. @throws TypeError if it is not in the list, or a later one has run already */
  run(step: string, parts?: Parts, values?: readonly Bind[]): Promise<void>
  /** The same for a step that returns rows: those of its last statement. */
  rows<Row>(step: string, parts?: Parts, values?: readonly Bind[]): Promise<Row[]>
  /** The same for a step that returns one column: its values. */
  column<Value>(step: string, parts?: Parts, values?: readonly Bind[]): Promise<Value[]>
  /** The same for a step that counts: the number in the first column of its first row, 0 without one. */
  count(step: string, parts?: Parts, values?: readonly Bind[]): Promise<number>
  /** Fills a temporary table that a step has created. */
  appender(table: string): Promise<ColumnAppender>
}

/** Runs steps in their order: a step that comes too late would read tables of an earlier batch. */
export function followSteps(database: Database, order: readonly (readonly string[])[]): Steps {
  let reached = 0
  const textOf = (step: string, parts: Parts = {}): string => {
    const place = order.findIndex((line) => line.includes(step))
    if (place < reached) throw new TypeError(`step ${step} comes too late, or is not one of these`)
    reached = place
    return sqlTemplate(`${step}.sql`, parts)
  }
  return {
    run: async (step, parts, values) => await database.run(textOf(step, parts), values),
    rows: async (step, parts, values) => await database.rows(textOf(step, parts), values),
    column: async (step, parts, values) => await database.column(textOf(step, parts), values),
    count: async (step, parts, values) => await database.count(textOf(step, parts), values),
    appender: async (table) => await openColumnAppender(database, table),
  }
}
