import type { Reader } from '../../duckdb/reader.js'
import { literal } from '../../duckdb/sqlfile.js'
import { objectsOf } from '../catalog.js'
import { jsonKeyCondition, type Key, type KeyShape, SNAPSHOT, valueSql } from './key.js'

/** What a row said before, oldest first (`market.revision`). */
export interface Revision {
  /** `*`: the row was withdrawn, and `old` is all of it. */
  readonly column: string
  readonly old: string | null
  readonly new: string | null
  readonly observed_at: string
  readonly known_since: string | null
  readonly request_id: string
}

/** A rule that does not hold for the row (`recon.offender`), with its verdict (`recon.finding`). */
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
  /** Why a person overruled it; null when nobody did. */
  readonly accepted: string | null
  readonly since: string
  readonly run_id: string
}

export async function readRevisions(
  reader: Reader,
  { relation, columns }: KeyShape,
  key: Key,
): Promise<Revision[]> {
  return await objectsOf<Revision>(
    reader,
    `SELECT "column", old, new, observed_at, known_since, request_id FROM market.revision
     WHERE relation = ${literal(relation.name)} AND ${jsonKeyCondition(key, columns)}
     ORDER BY observed_at, "column"`,
  )
}

export async function readFindings(
  reader: Reader,
  { relation, columns }: KeyShape,
  key: Key,
): Promise<Finding[]> {
  const snapshot = key.get(SNAPSHOT)
  // A key that does not name its snapshot is of the snapshots of its trading date.
  const ofSnapshot =
    snapshot === undefined
      ? ''
      : `AND (json_exists("key", '$.${SNAPSHOT}') OR offender.trading_date IN
           (SELECT as_of FROM account.snapshot WHERE snapshot_id = ${valueSql(snapshot, SNAPSHOT, columns)}))`
  return await objectsOf<Finding>(
    reader,
    `SELECT rule, finding.title, finding.severity, offender.state, subject, trading_date, offender.expected,
       offender.actual, offender.residual, finding.accepted, finding.since, finding.run_id
     FROM recon.offender offender JOIN recon.finding finding USING (rule, subject, trading_date)
     WHERE offender.relation = ${literal(relation.name)} AND ${jsonKeyCondition(key, columns)} ${ofSnapshot}
     ORDER BY trading_date, rule, subject`,
  )
}
