import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import { literal, sqlFile } from '../duckdb/sqlfile.js'
import { type Rule, readRules } from './rule.js'
import type { AuditScope, Reached } from './scope.js'

/**
 * Sessions and snapshots of other runs whose results the runs of a scope can have changed. An example: a late page changes a
 * session, and a rule looks back at that session from a later one. How far rules look back is their `reach`. On most nights the
 * result is empty, because nothing later is stored. Runs that were not checked yet have a scope of their own.
 */
export async function reachOf(database: Database, scope: AuditScope): Promise<Reached> {
  const rules = readRules()
  const bound = {
    days: scope.days,
    lists: scope.lists ?? [],
    snapshots: scope.snapshots,
    session_back: longest(rules.filter(({ about }) => about === 'market')),
    snapshot_back: longest(rules.filter(({ about }) => about !== 'market')),
    snapshots_back: Math.max(...rules.map(({ reach }) => reach.snapshots)),
  }
  // Constants, so that DuckDB skips the row groups of other sessions: a year of the whole market has 85 million bars.
  const [first = '9999-12-31', last = first] = [scope.days[0], scope.days.at(-1)]
  await database.run(`SET VARIABLE reached_first = ${literal(first)}::DATE`)
  await database.run(`SET VARIABLE reached_last = ${literal(last)}::DATE`)
  await database.run(`SET VARIABLE reached_run = ${literal([...scope.runs].sort()[0] ?? '')}`)
  const rows = await database.rows<{ day: Day; is_session: boolean }>(sqlFile('recon/reached.sql'), [
    JSON.stringify(bound),
  ])
  return {
    days: rows.filter((row) => row.is_session).map(({ day }) => day),
    snapshots: rows.filter((row) => !row.is_session).map(({ day }) => day),
  }
}

function longest(rules: readonly Rule[]): number {
  return Math.max(...rules.map(({ reach }) => reach.back))
}
