import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import { literal, sqlFile, sqlFiles } from '../duckdb/sqlfile.js'
import { sha256 } from '../home/sha256.js'
import { packageVersion } from '../package.js'
import type { Override } from './override-file.js'
import type { Rule } from './rule.js'
import { strictRules } from './strict.js'

/** Unit of a check: a session by the rules about the market, or all snapshots of a trading date. */
export type Kind = 'session' | 'snapshot'

/** Hash of the stored rows that the rules read of a session or of snapshots, and hash of the program that read them. */
export interface CheckedInput {
  readonly kind: Kind
  readonly trading_date: Day
  readonly checked_with: string
  readonly inputs: string
}

/** Folders of SQL that results follow from, besides the rules and schema mart. */
const FOLDERS = ['audit', 'audit/answer', 'audit/market', 'audit/account', 'audit/inputs', 'recon']

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

/** Hashes the rows that the rules would read of the prepared sessions or snapshots. */
export async function readInputs(
  database: Database,
  kind: Kind,
  checked_with: string,
  overrides: readonly Override[],
): Promise<CheckedInput[]> {
  const rows = await database.rows<{ day: Day; inputs: string }>(sqlFile(`audit/inputs/${kind}.sql`))
  return rows.map(({ day, inputs }) => ({
    kind,
    trading_date: day,
    checked_with,
    inputs: withOverrides(kind, day, inputs, overrides),
  }))
}

/** Inputs of a trading date of which no account was read. */
export function inputsOfNone(asOf: Day, checked_with: string): CheckedInput {
  return { kind: 'snapshot', trading_date: asOf, checked_with, inputs: 'none' }
}

/** Adds the overrides to the hash: an override changes the finding that is stored. */
function withOverrides(kind: Kind, day: Day, inputs: string, overrides: readonly Override[]): string {
  const ownOverrides = overrides.filter(
    ({ subject, trading_date }) => trading_date === day && (subject === 'market') === (kind === 'session'),
  )
  return sha256(JSON.stringify([inputs, ownOverrides]))
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
