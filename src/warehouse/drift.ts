import type { Database } from '../duckdb/open.js'
import { sqlFile } from '../duckdb/sqlfile.js'
import { type DriftedField, driftByDataset, type FieldDrift } from '../plan/field-drift.js'

/** Drift of the answers that a run has loaded. */
export async function driftOfRun(warehouse: Database, runId: string): Promise<FieldDrift[]> {
  const rows = await warehouse.rows<DriftedField>(sqlFile('warehouse/drifted_fields.sql'))
  return driftByDataset(rows.filter((row) => row.run_id === runId))
}
