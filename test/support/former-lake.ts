import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Database } from '../../src/duckdb/open.js'
import type { Manifest } from '../../src/lake/manifest.js'

/** A log action, as far as it is changed here. */
interface Line {
  add?: { path: string; partitionValues: Record<string, string> }
  remove?: { path: string; partitionValues: Record<string, string> }
  metaData?: { partitionColumns: string[]; schemaString: string }
}

/**
 * Changes a published lake into what candlehouse 0.2 wrote: tables partitioned by month, with `month=` folders. The lake
 * must have neither checkpoints nor files of years.
 */
export async function asPartitionedByMonth(
  home: string,
  warehouse: Database,
  dated: ReadonlySet<string>,
): Promise<void> {
  const lake = join(home, 'lake')
  const file = join(lake, 'manifest.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
  for (const relation of manifest.relations.filter(({ name }) => dated.has(name))) {
    const table = relation.name.replace('.', '/')
    relation.partitioned_by = ['month']
    for (const parquet of relation.files) {
      const path = `${table}/${formerPath(parquet.path.slice(table.length + 1))}`
      mkdirSync(dirname(join(lake, path)), { recursive: true })
      renameSync(join(lake, parquet.path), join(lake, path))
      await warehouse.run('UPDATE ops.lake_file SET file = ? WHERE file = ?', [path, parquet.path])
      parquet.path = path
    }
    for (const name of readdirSync(join(lake, table, '_delta_log'))) {
      const entry = join(lake, table, '_delta_log', name)
      const lines = readFileSync(entry, 'utf8').trim().split('\n').map(formerLine)
      writeFileSync(entry, `${lines.join('\n')}\n`)
      const sha256 = createHash('sha256').update(readFileSync(entry)).digest('hex')
      for (const log of relation.log) if (log.path.endsWith(name)) log.sha256 = sha256
    }
  }
  writeFileSync(file, `${JSON.stringify(manifest)}\n`)
  await warehouse.run('DELETE FROM ops.sealed_file')
}

function formerLine(text: string): string {
  const line = JSON.parse(text) as Line
  for (const action of [line.add, line.remove]) {
    if (!action) continue
    action.path = formerPath(action.path)
    action.partitionValues = { month: action.path.slice('month='.length, 'month=2025-03'.length) }
  }
  if (line.metaData) {
    const schema = JSON.parse(line.metaData.schemaString) as { fields: object[] }
    schema.fields.push({ name: 'month', type: 'string', nullable: true, metadata: {} })
    line.metaData.schemaString = JSON.stringify(schema)
    line.metaData.partitionColumns = ['month']
  }
  return JSON.stringify(line)
}

/** `2025/2025-03-14-….parquet` → `month=2025-03/2025-03-14-….parquet`. */
function formerPath(path: string): string {
  const [, name = ''] = path.split('/')
  return `month=${name.slice(0, 7)}/${name}`
}
