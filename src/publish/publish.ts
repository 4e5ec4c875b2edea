import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../duckdb/open.js'
import type { Effects } from '../effects.js'
import { StorageError } from '../errors.js'
import { readsLiveFiles, writeCatalog } from './catalog.js'
import { writeParquet } from './parquet.js'
import { type FilePlan, planFiles } from './partitions.js'
import { sweep } from './sweep.js'

/** What a publication wrote. */
export interface Publication {
  /** Number of the publication; that of the latest one when nothing had changed. */
  id: number
  partitions: number
  rows: number
  /** Absolute path of the catalog. */
  catalog: string
}

/**
 * Publishes what has changed: Parquet files under names of their own, then the ledger in one transaction,
 * then the catalog by rename. Readers see the former state whole until the rename; a kill before the
 * transaction leaves only orphans, a kill after it leaves an old catalog that the next publication replaces.
 * The cost follows what changed, not what is held.
 */
export async function publish(
  warehouse: Database,
  home: string,
  run: { runId: string },
  effects: Effects,
): Promise<Publication> {
  const lake = join(home, 'lake')
  const catalog = join(home, 'catalog.duckdb')
  const [latest] = await warehouse.rows<{ id: bigint | null }>(
    'SELECT max(publication_id) AS id FROM ops.publication',
  )
  const latestId = Number(latest?.id ?? 0)
  const plans = await planFiles(warehouse, lake)
  if (plans.length === 0) {
    if (!(await readsLiveFiles(catalog, warehouse, home))) await writeCatalog(warehouse, home, catalog)
    await sweep(warehouse, home, effects)
    return { id: latestId, partitions: 0, rows: 0, catalog }
  }
  const id = latestId + 1
  let rows = 0
  await warehouse.transaction(async () => {
    // Its own row first: the ledger files below tell of it. A rollback takes it back; orphans are swept.
    await warehouse.run('INSERT INTO ops.publication VALUES (?, ?, ?::TIMESTAMPTZ, ?)', [
      id,
      run.runId,
      new Date(effects.now()).toISOString(),
      JSON.stringify(versions(plans, id)),
    ])
    await openFolders(lake, plans)
    for (const plan of plans) rows += await writePlan(warehouse, lake, plan, id, effects)
    await warehouse.run('DELETE FROM ops.dirty_partition')
  })
  await writeCatalog(warehouse, home, catalog)
  await sweep(warehouse, home, effects)
  return { id, partitions: plans.length, rows, catalog }
}

/** Folders of the relations to write, open to the analysts of the machine. */
async function openFolders(lake: string, plans: readonly FilePlan[]): Promise<void> {
  const folders = new Set<string>([lake])
  for (const { relation } of plans) {
    const [schema = '', name = ''] = relation.name.split('.')
    folders.add(join(lake, schema)).add(join(lake, schema, name))
  }
  try {
    for (const folder of folders) {
      const made = await mkdir(folder, { recursive: true })
      if (made) await chmod(folder, 0o755)
    }
  } catch (cause) {
    throw new StorageError(`cannot make a folder of the lake: ${(cause as Error).message}`, {
      hint: 'free some space or make the folder writable, then: candlehouse publish',
      cause,
    })
  }
}

async function writePlan(
  warehouse: Database,
  lake: string,
  plan: FilePlan,
  id: number,
  effects: Effects,
): Promise<number> {
  const { name } = plan.relation
  const file = join(...name.split('.'), `${plan.partition}-${String(id).padStart(6, '0')}.parquet`)
  const written = await writeParquet(warehouse, plan.query, join(lake, file))
  for (const partition of plan.replaces) {
    await warehouse.run(
      `UPDATE ops.lake_file SET removed_at = ?::TIMESTAMPTZ
       WHERE relation = ? AND partition = ? AND removed_at IS NULL AND file <> ?`,
      [new Date(effects.now()).toISOString(), name, partition, file],
    )
  }
  await warehouse.run('DELETE FROM ops.lake_file WHERE file = ?', [file])
  await warehouse.run('INSERT INTO ops.lake_file VALUES (?, ?, ?, ?, ?, NULL)', [
    name,
    plan.partition,
    file,
    written.rows,
    written.bytes,
  ])
  return written.rows
}

function versions(plans: readonly FilePlan[], id: number): Record<string, number> {
  return Object.fromEntries(
    [...new Set(plans.map((plan) => plan.relation.name))].sort().map((name) => [name, id]),
  )
}
