import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LockedError, StorageError } from 'candlehouse-foundation/errors'
import type { Day } from 'candlehouse-foundation/market/day'
import { type Bind, type Database, openDatabase } from '../../duckdb/open.js'
import { installParsers } from '../../duckdb/parse.js'
import { literal } from '../../duckdb/sqlfile.js'
import type { Effects } from '../../effects.js'
import { removeDatabase, settleFiles } from '../../home/files.js'
import { relations } from '../../relations.js'
import { migrate } from '../../warehouse/migrate.js'
import { openWarehouse } from '../../warehouse/open-warehouse.js'
import { type ComparedRaw, compareWithLedgers } from '../lifecycle/raw-loss.js'
import type { OpenedWarehouse } from '../lifecycle/with-run.js'
import type { DeletedMonths } from './deleted-months.js'

/** Tables that only the old warehouse knows: how runs went, what was published. Copied where it can be read. */
const COPIED = ['ops.run', 'ops.publication', 'ops.lake_file', 'ops.file_period']

/** First and last session to replace; all of them where both are undefined. */
export interface SessionRange {
  readonly from: Day | undefined
  readonly to: Day | undefined
}

/**
 * Writes a warehouse beside the old one, which stays locked. Where the run succeeds, it is renamed over the old one, so that a
 * kill leaves the old one. With a range, or where the old one has rows of deleted raw pages, the rows of the sessions that are
 * to be replaced are copied into the old one instead.
 */
export class Replacement {
  private readonly file: string
  private readonly beside: string
  /** `raw/` compared with what was loaded. Known when it is open. */
  compared: ComparedRaw | undefined
  private old: Database | undefined
  private fresh: Database | undefined
  /** Whether the old warehouse has rows of deleted raw pages: then it stays. Known when it is open. */
  keepsDeleted = false

  /** @param accept throws where raw/ lacks what must not be lost */
  constructor(
    private readonly home: string,
    private readonly range: SessionRange,
    private readonly deleted: DeletedMonths,
    private readonly accept: (compared: ComparedRaw) => void,
    private readonly effects: Effects,
  ) {
    this.file = join(home, 'warehouse.duckdb')
    this.beside = `${this.file}.replay`
  }

  /**
   * Opens an empty warehouse.
   *
   * @throws LockedError · StorageError where raw pages were deleted and the old warehouse cannot be read
   */
  async open(): Promise<OpenedWarehouse> {
    try {
      const database = await this.openBeside()
      return { database, finish: () => this.finish(), close: () => this.close() }
    } catch (error) {
      this.close()
      throw error
    }
  }

  private async openBeside(): Promise<Database> {
    this.old = await openOld(this.file)
    this.compared = await compareWithLedgers(this.home, this.old)
    this.accept(this.compared)
    const { runs } = this.deleted
    if (!this.old && runs.length > 0 && existsSync(this.file)) throw onlyPlace(this.file)
    this.keepsDeleted = this.old !== undefined && (await hasRequests(this.old, runs))
    removeDatabase(this.beside, this.effects.disk)
    const fresh = await openWarehouse(this.beside, this.effects)
    this.fresh = fresh
    await installParsers(fresh)
    if (this.old) await copyTables(this.old, fresh)
    const { from, to } = this.range
    if (this.old && (from || to || this.keepsDeleted)) await migrate(this.old)
    return fresh
  }

  private async finish(): Promise<void> {
    const { from, to } = this.range
    const { disk } = this.effects
    const old = this.old
    const intoOld = old && (from || to || this.keepsDeleted)
    await this.fresh?.run('CHECKPOINT')
    this.closeFresh()
    if (intoOld) await takeSessions(old, this.beside, this.range, this.keepsDeleted ? this.deleted.days : [])
    this.close()
    if (intoOld) {
      disk.remove(this.beside)
      return
    }
    // A log left by the old file must not be applied to the new one.
    disk.remove(`${this.file}.wal`)
    await settleFiles([{ temp: this.beside, file: this.file }], undefined, disk)
  }

  private close(): void {
    this.closeFresh()
    this.old?.close()
    this.old = undefined
  }

  private closeFresh(): void {
    this.fresh?.close()
    this.fresh = undefined
  }
}

function onlyPlace(file: string): StorageError {
  return new StorageError(
    `${file} cannot be read, raw pages were deleted (candlehouse raw delete), and it may be the only place that has their rows`,
    {
      hint: `restore the file or the deleted archives from a backup; or move the file away and replay what the other pages hold: mv ${file} ${file}.damaged && candlehouse replay`,
    },
  )
}

/** Whether a warehouse has loaded pages of these runs. */
async function hasRequests(warehouse: Database, runs: readonly string[]): Promise<boolean> {
  if (runs.length === 0) return false
  const ids = new Set(await warehouse.column<string>('SELECT DISTINCT run_id FROM ops.request'))
  return runs.some((run) => ids.has(run))
}

/** The old warehouse, left open as the lock; undefined when there is none or it cannot be read. */
async function openOld(file: string): Promise<Database | undefined> {
  if (!existsSync(file)) return undefined
  try {
    return await openDatabase(file)
  } catch (error) {
    if (error instanceof LockedError) throw error
    return undefined
  }
}

async function copyTables(old: Database, fresh: Database): Promise<void> {
  for (const table of COPIED) {
    const rows = await old.rows<Record<string, Bind>>(`FROM ${table}`).catch(() => [])
    const [first] = rows
    if (!first) continue
    // One statement per table: the publications of a month have hundreds of files, at a millisecond per row.
    const record = JSON.stringify([Object.fromEntries(Object.keys(first).map((name) => [name, 'VARCHAR']))])
    await fresh.run(
      `INSERT INTO ${table} BY NAME SELECT unnest(from_json(CAST(? AS VARCHAR), ${literal(record)}), max_depth := 2)`,
      [JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))],
    )
  }
  // Also partitions for which the replay loads nothing: one that is empty now must go from the lake.
  await fresh.run(
    'INSERT INTO ops.dirty_partition SELECT relation, partition FROM ops.lake_file WHERE removed_at IS NULL',
  )
}

/** Replaces sessions of the range by those of the rebuilt file, except `kept` days; everything else stays as it is. */
async function takeSessions(
  old: Database,
  rebuilt: string,
  { from, to }: SessionRange,
  kept: readonly Day[],
): Promise<void> {
  const within = `trading_date BETWEEN ${literal(from ?? '0001-01-01')} AND ${literal(to ?? '9999-12-31')}
    AND trading_date NOT IN (SELECT day FROM kept_day)`
  await old.run(
    `CREATE OR REPLACE TEMP TABLE kept_day AS SELECT unnest(CAST([${kept.map(literal).join(', ')}] AS DATE[])) AS day`,
  )
  await old.run(`ATTACH ${literal(rebuilt)} AS rebuilt (READ_ONLY)`)
  await old.transaction(async () => {
    for (const { name } of relations.filter((relation) => relation.layout === 'session')) {
      await old.run(`INSERT INTO ops.dirty_partition SELECT DISTINCT ${literal(name)}, CAST(trading_date AS VARCHAR)
        FROM (SELECT trading_date FROM ${name} WHERE ${within} UNION SELECT trading_date FROM rebuilt.${name} WHERE ${within})`)
      await old.run(`DELETE FROM ${name} WHERE ${within}`)
      await old.run(`INSERT INTO ${name} SELECT * FROM rebuilt.${name} WHERE ${within}`)
    }
    await old.run('DELETE FROM ops.latest_answer')
  })
  await old.run('DETACH rebuilt')
  await old.run('DROP TABLE kept_day')
}
