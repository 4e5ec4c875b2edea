import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { refused } from 'candlehouse-foundation/system-fault'
import { AS_USUAL, AT_ONCE, BLOCK_BYTES } from '../duckdb/attached-file.js'
import { type Database, openDatabase } from '../duckdb/open.js'
import { literal, sqlFile, sqlFiles, sqlTemplate } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { copyToWrite, modeInPlaceOf, removeDatabase, writeWholeWith } from '../home/files.js'
import { sha256 } from '../home/sha256.js'
import { packageVersion } from '../package.js'
import type { LakeWriter } from './lake-writer.js'
import type { Manifest } from './manifest.js'

export const DUCKLAKE = 'lake.ducklake'

const CREATED_BY = `candlehouse ${packageVersion}`

/** Statements of a new file, in their order: the format's tables, and what they say of the tables of the lake. */
const BEGIN = [
  'format',
  'lake_column',
  'lake_snapshot',
  'schemas',
  'schema_versions',
  'table',
  'tag',
  'column',
  'column_tag',
  'column_mapping',
  'name_mapping',
] as const

/** Statements that add the publications which a file lacks. */
const CONTINUE = [
  'lake_snapshot',
  'lake_data_file',
  'data_file',
  'file_column_stats',
  'table_stats',
  'snapshot',
  'snapshot_changes',
] as const

/** Where the DuckLake of a lake is: beside it. */
export function duckLakeOf(lake: string): string {
  return join(dirname(lake), DUCKLAKE)
}

/**
 * Writes the lake as one DuckLake 1.0: a DuckDB file with the format's metadata tables, which name the lake's own files. Its
 * snapshots are the publications that can still be read, over all tables. It is made of the ledger by SQL alone (this
 * process has no extension for it), written to a temporary file, made read-only and renamed: readers keep the file that
 * they opened.
 *
 * It begins as a copy of the one in place, if that is of the former manifest and of the same tables: a file of 27 tables with
 * statistics of all files takes 40 CPU-ms, the rows of one publication 10.
 *
 * @param manifest of the state of the ledger
 * @param former the manifest before it; undefined where none is known
 * @throws StorageError if the disk refuses
 */
export async function writeDuckLake(
  writer: LakeWriter,
  manifest: Manifest,
  former: Manifest | undefined,
): Promise<void> {
  const { warehouse, lake, effects } = writer
  const { disk } = effects
  const file = duckLakeOf(lake)
  const write = async (temp: string): Promise<void> => {
    const source = await sourceOf(writer, manifest)
    if (former && existsSync(file)) {
      copyToWrite(file, temp, disk)
      const isContinued = await attached(warehouse, temp, async () => {
        if ((await lastPublication(warehouse, source)) !== former.publication) return false
        await fill(warehouse, continuing())
        return true
      }).catch(() => false)
      if (!isContinued) removeDatabase(temp, disk)
    }
    if (!existsSync(temp))
      await attached(warehouse, temp, () =>
        fill(
          warehouse,
          `${beginning(lake, manifest, source)}${continuing()}\n${sqlFile('ducklake/created.sql')}`,
        ),
      )
  }
  try {
    await writeWholeWith(file, modeInPlaceOf(file), write, disk)
  } catch (cause) {
    throw refused(`write ${file}`, cause, 'free some disk space, then: candlehouse publish')
  }
}

/** Writes the DuckLake of a lake again unless it is there and shows the ledger as it is. */
export async function refreshDuckLake(writer: LakeWriter, manifest: Manifest): Promise<void> {
  const { warehouse, lake } = writer
  const source = await sourceOf(writer, manifest)
  const last = existsSync(duckLakeOf(lake))
    ? await attached(
        warehouse,
        duckLakeOf(lake),
        () => lastPublication(warehouse, source),
        'READ_ONLY',
      ).catch(() => undefined)
    : undefined
  if (last !== manifest.publication) await writeDuckLake(writer, manifest, undefined)
}

async function attached<Value>(
  warehouse: Database,
  file: string,
  work: () => Promise<Value>,
  options = `BLOCK_SIZE ${BLOCK_BYTES}`,
): Promise<Value> {
  await warehouse.run(`ATTACH ${literal(file)} AS ducklake (${options})`)
  try {
    return await work()
  } finally {
    await warehouse.run('DETACH ducklake')
  }
}

/** The latest publication that the attached DuckLake shows; undefined if it is made of something else. */
async function lastPublication(warehouse: Database, source: string): Promise<number | undefined> {
  const [row] = await warehouse.rows<{ last: bigint | null }>(
    `SELECT max(snapshot_id) AS last FROM ducklake.ducklake_snapshot
     WHERE EXISTS (FROM ducklake.ducklake_metadata WHERE key = 'candlehouse_source' AND value = ?)`,
    [source],
  )
  return row?.last == null ? undefined : Number(row.last)
}

async function fill(warehouse: Database, script: string): Promise<void> {
  await warehouse.run(AT_ONCE)
  try {
    await warehouse.transaction(() => warehouse.run(script))
  } finally {
    await warehouse.run(AS_USUAL)
  }
}

function beginning(lake: string, manifest: Manifest, source: string): string {
  return [
    sqlTemplate('ducklake/lake_table.sql', { relations: literal(JSON.stringify(shapesOf(manifest))) }),
    ...BEGIN.map((name) => sqlFile(`ducklake/${name}.sql`)),
    sqlTemplate('ducklake/metadata.sql', {
      created_by: literal(CREATED_BY),
      data_path: literal(`${lake}/`),
      source: literal(source),
    }),
    ...['lake_table', 'lake_column'].map((name) => `DROP TABLE temp.${name};\n`),
  ].join('\n')
}

function continuing(): string {
  return [
    ...CONTINUE.map((name) => sqlFile(`ducklake/${name}.sql`)),
    ...['lake_snapshot', 'lake_data_file'].map((name) => `DROP TABLE temp.${name};`),
  ].join('\n')
}

/** SHA-256 of what a DuckLake is made of besides its publications: the statements, the folder, the relations, the first one. */
async function sourceOf({ warehouse, lake }: LakeWriter, manifest: Manifest): Promise<string> {
  const first = await warehouse.count('SELECT min(from_publication) FROM ops.file_period')
  const texts = sqlFiles('ducklake').map((name) => sqlFile(`ducklake/${name}`))
  return sha256(JSON.stringify([CREATED_BY, texts, lake, shapesOf(manifest), String(first)]))
}

/** SHA-256 of what a DuckLake is made of, its latest publication included. */
export async function duckLakeHash(writer: LakeWriter, manifest: Manifest): Promise<string> {
  const source = await sourceOf(writer, manifest)
  return sha256(`${source} ${manifest.publication}`)
}

/** Of each relation what the tables of the DuckLake have. */
function shapesOf({ relations }: Manifest): object[] {
  return relations.map(({ name, comment, columns, table_id }) => ({ name, comment, columns, table_id }))
}

/** Writes a copy of a DuckLake whose files are below another address. */
export async function copyDuckLake(
  file: string,
  copy: string,
  dataPath: string,
  { disk }: Effects,
): Promise<void> {
  copyToWrite(file, copy, disk)
  using database = await openDatabase(copy)
  await database.run("UPDATE ducklake_metadata SET value = ? WHERE key = 'data_path'", [dataPath])
  await database.run('CHECKPOINT')
}
