import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { systemEffects } from '../../src/effects.js'
import { settleFiles } from '../../src/home/files.js'
import { duckLakeOf, writeDuckLake } from '../../src/lake/ducklake.js'
import type { Manifest } from '../../src/lake/manifest.js'
import { packageRoot } from '../../src/package.js'
import { writeParquet } from '../../src/publish/writing.js'
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'

/** What DuckLake's own extension wrote for one file: test/interop/engines/ducklake_format.py. */
const written = JSON.parse(readFileSync(join(packageRoot, 'test/lake/ducklake-format.json'), 'utf8')) as {
  columns: [string, string][]
  rows: string
  tables: Record<string, string>
  content: Record<string, Record<string, unknown>[]>
}

const opened = async (file: string, readOnly = false): Promise<Database> => {
  const database = await openDatabase(file, { readOnly })
  onEnd(() => database.close())
  return database
}

/** A ledger with one publication of one file, which holds the rows of the fixture. */
async function publishedSample(): Promise<string> {
  const lake = join(temporaryFolder(), 'lake')
  mkdirSync(join(lake, 'market/sample'), { recursive: true })
  const ledger = await opened(':memory:')
  const columns = written.columns.map(([name, type]) => ({ name, type, comment: '' }))
  const cast = columns.map(({ name, type }) => `${name}::${type} AS ${name}`).join(', ')
  const query = `SELECT ${cast} FROM (${written.rows})`
  const stem = join(lake, 'market/sample/all')
  const file = await writeParquet(
    ledger,
    query,
    { stem, columns, form: { rowGroup: 1000, codec: 'zstd' } },
    systemEffects,
  )
  if (!file) throw new Error('no rows')
  await settleFiles([{ temp: file.temp, file: file.file }], 0o600, systemEffects.disk)
  const path = relative(lake, file.file)
  await ledger.run('CREATE SCHEMA ops')
  await ledger.run(
    `CREATE TABLE ops.lake_file AS SELECT 'market.sample' AS relation, ?::VARCHAR AS file, 3::BIGINT AS row_count,
       ?::BIGINT AS bytes, ?::VARCHAR AS stats, true AS data_change`,
    [path, file.bytes, file.stats],
  )
  await ledger.run(
    'CREATE TABLE ops.file_period AS SELECT file, 1::BIGINT AS from_publication, NULL::BIGINT AS until_publication FROM ops.lake_file',
  )
  await ledger.run(
    "CREATE TABLE ops.publication AS SELECT 1::BIGINT AS publication_id, 'test-run' AS run_id, TIMESTAMPTZ '2025-03-14 12:00:00+00' AS published_at",
  )
  const [symbol, ...others] = columns
  const relation = {
    name: 'market.sample',
    comment: 'One row per symbol.',
    table_id: '00000000-0000-4000-8000-000000000000',
    columns: [{ ...symbol, comment: 'Symbol.' }, ...others],
  }
  const writer = { warehouse: ledger, home: dirname(lake), lake, effects: systemEffects }
  await writeDuckLake(writer, { publication: 1, relations: [relation] } as unknown as Manifest, undefined)
  return duckLakeOf(lake)
}

/** Columns of ids, and of what is new each time or only known to the extension. */
const LEFT_OUT = new Set([
  'mapping_id',
  'begin_snapshot',
  'path',
  'schema_uuid',
  'table_uuid',
  'column_size_bytes',
  'footer_size',
  'file_size_bytes',
])

test('the DuckLake has the tables that its extension creates, and the rows that it writes for the same file', async () => {
  const lake = await opened(await publishedSample(), true)
  const tables = await lake.rows<{ name: string; sql: string }>(
    'SELECT table_name AS name, sql FROM duckdb_tables() ORDER BY 1',
  )
  expect(Object.fromEntries(tables.map(({ name, sql }) => [name, sql]))).toEqual(
    // The extension stages small inserts in tables of its own, which a frozen catalog never has.
    Object.fromEntries(Object.entries(written.tables).filter(([name]) => !/inlined_data_\d/.test(name))),
  )
  const compared = [
    'column',
    'column_tag',
    'tag',
    'data_file',
    'file_column_stats',
    'table_stats',
    'name_mapping',
    'column_mapping',
    'table',
    'schema_versions',
  ]
  for (const table of compared) {
    const rows = await lake.rows<Record<string, unknown>>(`FROM ducklake_${table}`)
    const expected = written.content[`ducklake_${table}`] ?? []
    expect(comparable(rows), table).toEqual(comparable(expected))
  }
  const paths = await lake.rows<{ path: string }>(
    `SELECT value || s.path || t.path || f.path AS path FROM ducklake_metadata, ducklake_data_file f
     JOIN ducklake_table t USING (table_id) JOIN ducklake_schema s USING (schema_id) WHERE key = 'data_path'`,
  )
  expect(await lake.rows(`SELECT count(*)::INTEGER AS n FROM read_parquet('${paths[0]?.path}')`)).toEqual([
    { n: 3 },
  ])
  const metadata = await lake.rows(
    "FROM ducklake_metadata WHERE key IN ('version', 'encrypted') ORDER BY key",
  )
  expect(metadata).toEqual(
    written.content.ducklake_metadata?.filter(({ key }) => key === 'version' || key === 'encrypted'),
  )
  expect(await lake.rows('SELECT changes_made AS text FROM ducklake_snapshot_changes')).toEqual([
    { text: 'created_schema:"market",created_table:"market"."sample",inserted_into_table:2' },
  ])
})

function comparable(rows: readonly Record<string, unknown>[]): string[] {
  return rows
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .filter(([name]) => !LEFT_OUT.has(name))
          .map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value])
          .sort(),
      ),
    )
    .sort()
}
