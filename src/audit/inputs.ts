import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import { literal, sqlFile, sqlFiles } from '../duckdb/sqlfile.js'
import { sha256 } from '../home/sha256.js'
import { packageVersion } from '../package.js'
import type { Override } from './override-file.js'
import { EVIDENCE, LOOKED_BACK, type Source } from './reads.js'
import type { Rule } from './rule.js'
import { strictRules } from './strict.js'

/** Unit of a check: a session by the rules about the market, or all snapshots of a trading date. */
export type Kind = 'session' | 'snapshot'

/** Hash of the stored rows that the rules read of a session or of snapshots, and hash of the program that read them. */
export interface CheckedInput {
  readonly kind: Kind
  readonly trading_date: Day
  readonly checked_with: string
  /** Of a session a hash per source, as JSON (`SourceHashes`). */
  readonly inputs: string
}

/** Hashes of what the rules read of a session: per source, per source with the days that rules look back at, and of overrides. */
export type SourceHashes = Readonly<Partial<Record<Source | `${Source} earlier` | 'overrides', string>>>

/** Inputs of a session. */
export interface SessionInput extends CheckedInput {
  readonly hashes: SourceHashes
  /** The same without what the runs being checked were the first to bring of bars. */
  readonly oldHashes: SourceHashes
}

/** Folders of SQL that results follow from, besides the rules and schema mart. */
const FOLDERS = [...EVIDENCE, 'audit/account', 'audit/inputs', 'audit/new', 'recon']

/**
 * SHA-256 of everything that a result follows from besides stored rows. With another version of candlehouse, of a rule or of the
 * list of strict rules, all sessions count as changed.
 *
 * @param martHash SHA-256 of schema mart
 */
export function checkedWith(rules: readonly Rule[], martHash: string): string {
  const queries = rules.map(({ query }) => query)
  const files = FOLDERS.flatMap((folder) => sqlFiles(folder).map((name) => sqlFile(`${folder}/${name}`)))
  return sha256(packageVersion, martHash, ...queries, ...files, ...strictRules())
}

interface SourceRow {
  day: Day
  source: Source | null
  own: string | null
  old: string | null
  earlier: string
}

/** Hashes the rows that the rules would read of the prepared sessions. */
export async function readSessionInputs(
  database: Database,
  checked_with: string,
  overrides: readonly Override[],
): Promise<SessionInput[]> {
  const rows = await database.rows<SourceRow>(sqlFile('audit/inputs/session.sql'))
  const byDay = new Map<Day, SourceRow[]>()
  for (const row of rows) byDay.set(row.day, [...(byDay.get(row.day) ?? []), row])
  return [...byDay].map(([day, sources]) => {
    const overridden = overridesOf('session', day, overrides)
    const others = overridden.length > 0 ? { overrides: sha256(JSON.stringify(overridden)) } : {}
    const hashes = { ...hashesOf(sources, ({ own }) => own), ...others }
    const oldHashes = { ...hashesOf(sources, ({ old }) => old), ...others }
    return {
      kind: 'session',
      trading_date: day,
      checked_with,
      inputs: JSON.stringify(hashes),
      hashes,
      oldHashes,
    }
  })
}

/** Sources without rows have no hash. */
function hashesOf(rows: readonly SourceRow[], ownOf: (row: SourceRow) => string | null): SourceHashes {
  return Object.fromEntries(
    rows.flatMap((row) => {
      const { source, earlier } = row
      if (source === null) return []
      const hash = ownOf(row)
      return [
        ...(hash ? [[source, hash]] : []),
        ...(LOOKED_BACK.has(source) ? [[`${source} earlier`, earlier]] : []),
      ]
    }),
  )
}

/** Hashes the rows that the rules would read of the prepared snapshots. */
export async function readSnapshotInputs(
  database: Database,
  checked_with: string,
  overrides: readonly Override[],
): Promise<CheckedInput[]> {
  const rows = await database.rows<{ day: Day; inputs: string }>(sqlFile('audit/inputs/snapshot.sql'))
  return rows.map(({ day, inputs }) => ({
    kind: 'snapshot',
    trading_date: day,
    checked_with,
    inputs: sha256(JSON.stringify([inputs, overridesOf('snapshot', day, overrides)])),
  }))
}

/** Inputs of a trading date of which no account was read. */
export function inputsOfNone(asOf: Day, checked_with: string): CheckedInput {
  return { kind: 'snapshot', trading_date: asOf, checked_with, inputs: 'none' }
}

/** Overrides are inputs too: an override changes the finding that is stored. */
function overridesOf(kind: Kind, day: Day, overrides: readonly Override[]): Override[] {
  return overrides.filter(
    ({ subject, trading_date }) => trading_date === day && (subject === 'market') === (kind === 'session'),
  )
}

export async function storedInputs(
  database: Database,
  kind: Kind,
  days: readonly Day[],
): Promise<ReadonlyMap<Day, CheckedInput>> {
  const rows = await database.rows<CheckedInput>(
    `SELECT kind, CAST(trading_date AS VARCHAR) AS trading_date, checked_with, inputs FROM recon.checked_input
     WHERE kind = ${literal(kind)} AND list_contains([${days.map(literal).join(', ')}]::DATE[], trading_date)`,
  )
  return new Map(rows.map((row) => [row.trading_date, row]))
}

/** Stores the inputs, in the transaction that stores the findings. */
export async function storeInputs(database: Database, inputs: readonly CheckedInput[]): Promise<void> {
  if (inputs.length === 0) return
  await database.run(`SET VARIABLE checked_inputs = ${literal(JSON.stringify(inputs))}`)
  await database.run(sqlFile('recon/checked_input.sql'))
}
