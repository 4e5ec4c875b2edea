import { literal, sqlTemplate } from '../../duckdb/sqlfile.js'
import type { Ask } from '../query.js'
import { jsonKeyCondition, type Key, type KeyShape, SNAPSHOT, valueSql } from './row-key.js'

/** One change of a row (`market.revision`). */
export interface Revision {
  /** `*`: the row was withdrawn, and `old` is the whole row. */
  readonly column: string
  readonly old: string | null
  readonly new: string | null
  readonly observed_at: string
  readonly known_since: string | null
  readonly request_id: string
}

/** A rule that the row breaks (`recon.offender`), with the result of the rule (`recon.finding`). */
export interface Finding {
  readonly rule: number
  readonly title: string
  readonly severity: string
  readonly state: string
  readonly subject: string
  readonly trading_date: string
  readonly expected: string | null
  readonly actual: string | null
  readonly residual: string | null
  /** Reason of the override; null if there is none. */
  readonly accepted: string | null
  readonly since: string
  readonly run_id: string
}

/** The changes of a row, oldest first. */
export async function readRevisions(
  ask: Ask,
  { relation, columns }: KeyShape,
  key: Key,
): Promise<Revision[]> {
  return await ask<Revision>(`SELECT "column", old, new, observed_at, known_since, request_id FROM market.revision
     WHERE relation = ${literal(relation.name)} AND ${jsonKeyCondition(key, columns)}
     ORDER BY observed_at, "column"`)
}

export async function readFindings(ask: Ask, { relation, columns }: KeyShape, key: Key): Promise<Finding[]> {
  const snapshot = key.get(SNAPSHOT)
  // An offender's key without a snapshot matches every snapshot of its trading date.
  const snapshotCondition =
    snapshot === undefined
      ? 'true'
      : `(json_exists("key", '$.${SNAPSHOT}') OR offender.trading_date IN
           (SELECT as_of FROM account.snapshot WHERE snapshot_id = ${valueSql(snapshot, SNAPSHOT, columns)}))`
  return await ask<Finding>(
    sqlTemplate('read/row_findings.sql', {
      relation: literal(relation.name),
      key_condition: jsonKeyCondition(key, columns),
      snapshot_condition: snapshotCondition,
    }),
  )
}
