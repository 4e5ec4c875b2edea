import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { refused } from 'candlehouse-foundation/system-fault'
import { modeInPlaceOf, writeWholeWith } from '../disk-files.js'
import { type Database, openDatabase } from '../duckdb/open.js'
import { literal, sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { packageVersion } from '../package.js'
import type { Manifest } from './manifest.js'

export const DUCKLAKE = 'lake.ducklake'

/** Bytes of a block: most tables of the format are empty or short, and each takes at least a block. */
const BLOCK_BYTES = 16_384

/** Statements that fill the catalog, in their order: what they read first, then the format's tables. */
const STATEMENTS = [
  'lake_column',
  'lake_data_file',
  'lake_snapshot',
  'format',
  'snapshot',
  'snapshot_changes',
  'schemas',
  'schema_versions',
  'table',
  'tag',
  'column',
  'column_tag',
  'column_mapping',
  'name_mapping',
  'data_file',
  'file_column_stats',
  'table_stats',
] as const

const TEMPORARY = ['lake_table', 'lake_column', 'lake_data_file', 'lake_snapshot'] as const

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
 * @param manifest of the state of the ledger
 * @throws StorageError if the disk refuses
 */
export async function writeDuckLake(
  warehouse: Database,
  lake: string,
  manifest: Manifest,
  { disk }: Effects,
): Promise<void> {
  const file = duckLakeOf(lake)
  const write = async (temp: string): Promise<void> => {
    await warehouse.run(`ATTACH ${literal(temp)} AS ducklake (BLOCK_SIZE ${BLOCK_BYTES})`)
    try {
      const source = await sourceOf(warehouse, lake, manifest)
      await warehouse.transaction(() => warehouse.run(fillingScript(lake, manifest, source)))
      // Choosing a compression for the columns of 27 tables takes twice as long as writing them, and saves a tenth of the bytes.
      await warehouse.run("SET force_compression = 'uncompressed'")
      await warehouse.run('CHECKPOINT ducklake')
    } finally {
      await warehouse.run('RESET force_compression')
      await warehouse.run('DETACH ducklake')
    }
  }
  try {
    await writeWholeWith(file, modeInPlaceOf(file), write, disk)
  } catch (cause) {
    throw refused(`write ${file}`, cause, 'free some disk space, then: candlehouse publish')
  }
}

/** Writes the DuckLake of a lake again unless it is there and shows the ledger as it is. */
export async function refreshDuckLake(
  warehouse: Database,
  lake: string,
  manifest: Manifest,
  effects: Effects,
): Promise<void> {
  if (!(await isDuckLakeCurrent(warehouse, lake, manifest)))
    await writeDuckLake(warehouse, lake, manifest, effects)
}

async function isDuckLakeCurrent(warehouse: Database, lake: string, manifest: Manifest): Promise<boolean> {
  const file = duckLakeOf(lake)
  if (!existsSync(file)) return false
  try {
    await warehouse.run(`ATTACH ${literal(file)} AS former_ducklake (READ_ONLY)`)
  } catch {
    return false
  }
  try {
    const [row] = await warehouse.rows<{ value: string }>(
      "SELECT value FROM former_ducklake.ducklake_metadata WHERE key = 'candlehouse_source'",
    )
    return row?.value === (await sourceOf(warehouse, lake, manifest))
  } catch {
    return false
  } finally {
    await warehouse.run('DETACH former_ducklake')
  }
}

function fillingScript(lake: string, manifest: Manifest, source: string): string {
  const relations = JSON.stringify(
    manifest.relations.map(({ name, comment, columns, table_id }) => ({ name, comment, columns, table_id })),
  )
  return [
    sqlTemplate('ducklake/lake_table.sql', { relations: literal(relations) }),
    ...STATEMENTS.map((name) => sqlFile(`ducklake/${name}.sql`)),
    sqlTemplate('ducklake/metadata.sql', {
      created_by: literal(`candlehouse ${packageVersion}`),
      data_path: literal(`${lake}/`),
      source: literal(source),
    }),
    ...TEMPORARY.map((name) => `DROP TABLE temp.${name};`),
  ].join('\n')
}

/** SHA-256 of what a DuckLake is made of: the statements, the folder, the relations, which publications can be read. */
async function sourceOf(warehouse: Database, lake: string, manifest: Manifest): Promise<string> {
  const [row] = await warehouse.rows<{ first: bigint | null }>(
    'SELECT min(from_publication) AS first FROM ops.file_period',
  )
  const texts = ['lake_table', 'metadata', ...STATEMENTS].map((name) => sqlFile(`ducklake/${name}.sql`))
  const shapes = manifest.relations.map(({ name, comment, columns, table_id }) => [
    name,
    comment,
    columns,
    table_id,
  ])
  return createHash('sha256')
    .update(JSON.stringify([texts, lake, shapes, manifest.publication, String(row?.first)]))
    .digest('hex')
}

/** Writes a copy of a DuckLake whose files are below another address. */
export async function copyDuckLake(
  file: string,
  copy: string,
  dataPath: string,
  { disk }: Effects,
): Promise<void> {
  disk.copy(file, copy)
  disk.setMode(copy, 0o600)
  const database = await openDatabase(copy)
  try {
    await database.run("UPDATE ducklake_metadata SET value = ? WHERE key = 'data_path'", [dataPath])
    await database.run('CHECKPOINT')
  } finally {
    database.close()
  }
}
