import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'
import { sha256 } from '../home/sha256.js'
import { candleView } from '../lake/candle-view.js'
import type { Manifest, ManifestColumn } from '../lake/manifest.js'
import { isOwnTable, MINE, type OwnSql, type OwnView } from '../lake/own-views.js'
import { CANDLE } from '../lake/relation-view.js'
import { martHash } from '../mart/install.js'
import { readsOf, restsOn } from '../mart/objects.js'
import type { Relation } from '../relations.js'
import type { DescribedRelation, LakeFile } from './lake-tables.js'

/** A table of the user's own as it was last computed. The ledger has it, in the transaction that has its file. */
export interface WrittenTable {
  readonly name: string
  readonly comment: string
  readonly sql: string
  /** Those of its file. */
  readonly columns: readonly ManifestColumn[]
  /** SHA-256 of the statement and of the files that it has read. */
  readonly madeOf: string
}

/** The tables of the user's own: those that the files of the home define, and those that were published. */
export interface OwnTables {
  /** Views and tables of the user's own, each after those that it reads. */
  readonly wanted: readonly OwnSql[]
  readonly written: readonly WrittenTable[]
  /** Names, with their schema, of tables that no file defines any more. */
  readonly retired: readonly string[]
}

/** A live file of a relation, by its path in the lake: its name follows from its content. */
type LiveFile = Pick<LakeFile, 'relation' | 'file'>

/** @param live files of the ledger */
export async function readOwnTables(
  warehouse: Database,
  wanted: readonly OwnSql[],
  former: Manifest | undefined,
  live: readonly LiveFile[],
): Promise<OwnTables> {
  const written = await writtenTables(warehouse)
  const names = [
    ...written.map(({ name }) => ownTableName(name)),
    ...live.map(({ relation }) => relation),
    ...(former?.relations.map(({ name }) => name) ?? []),
  ]
  const defined = new Set(tablesIn(wanted).map(({ name }) => ownTableName(name)))
  const retired = new Set(names.filter((name) => isOwnTable(name) && !defined.has(name)))
  return { wanted, written, retired: [...retired].sort() }
}

export function tablesIn(own: readonly OwnSql[]): readonly OwnSql[] {
  return own.filter(({ kind }) => kind === 'table')
}

/** The views among them, without their kind: as the manifest has them. */
export function viewsIn(own: readonly OwnSql[]): OwnView[] {
  return own
    .filter(({ kind }) => kind === 'view')
    .map(({ name, comment, columns, sql }) => ({ name, comment, columns, sql }))
}

/** The name of a table of the user's own with its schema, as relations are named. */
export function ownTableName(name: string): string {
  return `${MINE}.${name}`
}

/** A table of the user's own as a relation: one file, in the order of its columns from left to right. */
export function ownRelation(name: string): Relation {
  return { name, key: [], layout: 'whole', dated: undefined, sort: [], volatile: [] }
}

async function writtenTables(warehouse: Database): Promise<WrittenTable[]> {
  const [stored] = await warehouse.column<string>('SELECT ops.own_tables()').catch(() => [])
  return stored ? (JSON.parse(stored) as WrittenTable[]) : []
}

/** Records the tables as they are now, where that differs from what is recorded. */
export async function recordOwnTables(
  warehouse: Database,
  now: readonly WrittenTable[],
  before: readonly WrittenTable[],
): Promise<void> {
  const text = JSON.stringify(now)
  if (text !== JSON.stringify(before))
    await warehouse.run(`CREATE OR REPLACE MACRO ops.own_tables() AS ${literal(text)}`)
}

/** The tables as relations with their columns; those that are retired with the columns that they had. */
function describedOwnTables(
  written: readonly WrittenTable[],
  retired: readonly string[],
  former: Manifest | undefined,
): DescribedRelation[] {
  const described = written.map(({ name, comment, columns }) => ({
    relation: ownRelation(ownTableName(name)),
    comment,
    columns: [...columns],
  }))
  const known = new Set(described.map(({ relation }) => relation.name))
  const unknown = retired.filter((name) => !known.has(name))
  return [
    ...described,
    ...unknown.map((name) => {
      const { comment = '', columns = [] } = former?.relations.find((each) => each.name === name) ?? {}
      return { relation: ownRelation(name), comment, columns }
    }),
  ].sort((a, b) => (a.relation.name < b.relation.name ? -1 : 1))
}

/** The tables as the manifest has them. */
export function definedOwnTables(written: readonly WrittenTable[]): OwnView[] {
  return written.map(({ name, comment, sql, columns }) => ({
    name,
    comment,
    sql,
    columns: commented(columns),
  }))
}

function commented(columns: readonly ManifestColumn[]): OwnView['columns'] {
  return columns.flatMap(({ name, comment }) => (comment === '' ? [] : [{ name, comment }]))
}

/** Whether readers have every table as its file defines it and as the live files give it. @param lake its folder */
export function areOwnTablesCurrent(
  lake: string,
  { wanted, written, retired }: OwnTables,
  live: readonly LiveFile[],
  facts: string,
): boolean {
  return (
    retired.length === 0 &&
    live.every(({ relation, file }) => !isOwnTable(relation) || existsSync(join(lake, file))) &&
    tablesIn(wanted).every((table) => {
      const known = written.find(({ name }) => name === table.name)
      return (
        known !== undefined &&
        isDescribed(known, table) &&
        known.madeOf === madeOf(table, wanted, live, facts)
      )
    })
  )
}

/** Whether the words of a table are those of its file. */
export function isDescribed({ comment, columns }: WrittenTable, table: OwnSql): boolean {
  return JSON.stringify([comment, commented(columns)]) === JSON.stringify([table.comment, table.columns])
}

/**
 * SHA-256 of what the rows of a table follow from: its statement, the statements of what it reads of the user's own, schema `mart`,
 * and the files of all relations that it rests on.
 *
 * @param facts the user's own calendar and rules, which views read
 */
export function madeOf(
  table: OwnSql,
  own: readonly OwnSql[],
  live: readonly LiveFile[],
  facts: string,
): string {
  const names = new Set<string>()
  const statements: string[] = []
  const follow = ({ name, sql, kind }: OwnSql): void => {
    names.add(ownTableName(name))
    statements.push(`${kind} ${name} ${sql}`)
    for (const read of namesIn(sql)) {
      if (names.has(read)) continue
      const other = own.find((each) => ownTableName(each.name) === read)
      // The file of a table has all that it rests on.
      if (other?.kind === 'table') names.add(read)
      else if (other) follow(other)
      else for (const each of restingOn(read)) names.add(each)
    }
  }
  follow(table)
  names.delete(ownTableName(table.name))
  const files = live.filter(({ relation }) => names.has(relation) && !UNFOLLOWED.has(relation))
  return sha256(JSON.stringify([statements, martHash(), facts, files.map(({ file }) => file).sort()]))
}

/** Each publication changes it after the tables: a table that followed it would never be current. */
const UNFOLLOWED: ReadonlySet<string> = new Set(['ops.publication'])

/**
 * Names with their schema in a statement, however they are written. Those in comments and texts are too many and do no harm: a table
 * is then computed once more.
 */
function namesIn(sql: string): Set<string> {
  const pairs = sql.matchAll(/"?\b([A-Za-z]\w*)"?\s*\.\s*"?(\w+)/g)
  return new Set([...pairs].map(([, schema = '', name = '']) => `${schema}.${name}`.toLowerCase()))
}

/** A relation or object of schema `mart`, with all that it rests on. */
function restingOn(name: string): Iterable<string> {
  const all = [...restsOn(name)]
  return all.includes(CANDLE) ? [...all, ...readsOf(candleView({ minutes: '', longer: '' }, []))] : all
}

/** The relations of a publication after its tables of the user's own are computed. */
export function withOwnTables(
  described: readonly DescribedRelation[],
  written: readonly WrittenTable[],
  retired: readonly string[],
  former: Manifest | undefined,
): DescribedRelation[] {
  const packaged = described.filter(({ relation }) => !isOwnTable(relation.name))
  return [...packaged, ...describedOwnTables(written, retired, former)]
}
