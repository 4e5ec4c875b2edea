import { join } from 'node:path'
import { relations } from '../../../../src/relations.js'
import { ask } from '../../../support/published.js'

export type Row = Readonly<Record<string, unknown>>
/** Rows by relation; each row by its own text. */
export type Published = ReadonlyMap<string, ReadonlyMap<string, Row>>

/** What says how the data were fetched, not what they are. */
const LOGS = [
  'ops.run',
  'ops.request',
  'ops.publication',
  'ops.quarantine',
  'recon.finding',
  'recon.offender',
]
/** What a home knows of its windows; that a symbol has no bars may be known of more days than an undisturbed home asks for. */
const COVERAGE = `SELECT dataset, key, timeframe, window_from, window_to, state FROM ops.coverage
  WHERE NOT (dataset = 'ohlc' AND state = 'empty')`

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

export interface Difference {
  readonly relation: string
  /** `lost`: the undisturbed home has it, the other has not. `new`: the reverse. */
  readonly kind: 'lost' | 'new'
  readonly row: Row
}

/** Rows that one home has published and the other has not. */
export function differences(undisturbed: Published, other: Published): Difference[] {
  return [...undisturbed].flatMap(([relation, rows]) => {
    const others = other.get(relation) ?? new Map<string, Row>()
    const only = (some: ReadonlyMap<string, Row>, than: ReadonlyMap<string, Row>, kind: Difference['kind']) =>
      [...some].filter(([text]) => !than.has(text)).map(([, row]) => ({ relation, kind, row }))
    return [...only(rows, others, 'lost'), ...only(others, rows, 'new')]
  })
}

/** For messages: one line per difference, the first ones of many. */
export function shown(all: readonly Difference[], most = 12): string[] {
  const lines = all.map(
    ({ relation, kind, row }) => `${kind} ${relation} ${JSON.stringify(row).slice(0, 300)}`,
  )
  return lines.length <= most ? lines : [...lines.slice(0, most), `… ${lines.length} in all`]
}
