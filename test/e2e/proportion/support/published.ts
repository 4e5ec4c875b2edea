import { join } from 'node:path'
import { relations } from '../../../../src/relations.js'
import { ask } from '../../../support/published.js'
import type { Published, Row } from './differences.js'

/** What says how the data were fetched, not what they are. */
const LOGS = [
  'ops.run',
  'ops.request',
  'ops.publication',
  'ops.quarantine',
  'recon.finding',
  'recon.offender',
]
/**
 * What a home knows of its windows. It may know more than an undisturbed home asks for: that a symbol has no bars, and the
 * complete summary of a symbol that was requested alone while the market's was not to be had.
 */
const COVERAGE = `SELECT dataset, key, timeframe, window_from, window_to, state FROM ops.coverage
  WHERE NOT (dataset = 'ohlc' AND state = 'empty')
    AND NOT (dataset = 'securitiesSummary' AND key <> '*' AND state = 'complete')`

/**
 * Every published row, without what differs between two runs with the same answers. Rows of accounts have the day of their
 * snapshot instead of its id.
 */
export async function publishedIn(cwd: string): Promise<Published> {
  const home = join(cwd, 'data')
  const all = new Map<string, Map<string, Row>>()
  for (const { name, volatile } of relations) {
    if (LOGS.includes(name)) continue
    const rows = await ask(home, name === 'ops.coverage' ? COVERAGE : statement(name, volatile))
    all.set(name, new Map(rows.map((row) => [JSON.stringify(row), row])))
  }
  return all
}

function statement(name: string, volatile: readonly string[]): string {
  const columns = `* EXCLUDE (${volatile.join(', ')})`
  const all = volatile.length > 0 ? columns : '*'
  if (name === 'market.candle') return `SELECT ${all} FROM ${name} WHERE NOT is_derived`
  if (!name.startsWith('account.') || name === 'account.account' || name === 'account.snapshot')
    return `SELECT ${all} FROM ${name}`
  return `SELECT day.as_of, rows.${all} FROM ${name} AS rows
    LEFT JOIN (SELECT DISTINCT snapshot_id, as_of FROM account.snapshot) AS day USING (snapshot_id)`
}
