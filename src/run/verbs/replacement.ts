import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../duckdb/open.js'
import { installParsers } from '../../duckdb/parse.js'
import { literal } from '../../duckdb/sqlfile.js'
import { LockedError } from '../../errors.js'
import type { Day } from '../../market/day.js'
import { relations } from '../../relations.js'
import { openWarehouse } from '../../warehouse/open.js'
import type { OpenedWarehouse } from '../lifecycle/with-run.js'

/** Tables that only the old warehouse knows: how runs went, what was published. Copied where it can be read. */
const COPIED = ['ops.run', 'ops.publication', 'ops.lake_file']

/** First and last session to replace; all of them where both are undefined. */
export interface SessionRange {
  readonly from: Day | undefined
  readonly to: Day | undefined
}

/**
 * Opens an empty warehouse beside the old one, which stays locked. `finish` renames it over the old one, so that a kill
 * leaves the old one; with a range it copies the rows of those sessions into the old one instead.
 */
export async function openReplacement(home: string, range: SessionRange): Promise<OpenedWarehouse> {
  const replacement = new Replacement(join(home, 'warehouse.duckdb'), range)
  try {
    return {
      database: await replacement.open(),
      finish: () => replacement.finish(),
      close: () => replacement.close(),
    }
  } catch (error) {
    replacement.close()
    throw error
  }
}

class Replacement {
  readonly #file: string
  readonly #beside: string
  readonly #range: SessionRange
  #old: Database | undefined
  #fresh: Database | undefined

  constructor(file: string, range: SessionRange) {
    this.#file = file
    this.#beside = `${file}.replay`
    this.#range = range
  }

  async open(): Promise<Database> {
    this.#old = await openOld(this.#file)
    await rm(this.#beside, { force: true })
    await rm(`${this.#beside}.wal`, { force: true })
    const fresh = await openWarehouse(this.#beside)
    this.#fresh = fresh
    await installParsers(fresh)
    if (this.#old) await copyTables(this.#old, fresh)
    return fresh
  }

  async finish(): Promise<void> {
    const { from, to } = this.#range
    const old = this.#old
    await this.#fresh?.run('CHECKPOINT')
    this.#closeFresh()
    if (old && (from || to)) await takeRange(old, this.#beside, this.#range)
    this.close()
    if (old && (from || to)) {
      await rm(this.#beside, { force: true })
      return
    }
    // A log left by the old file must not be applied to the new one.
    await rm(`${this.#file}.wal`, { force: true })
    await rename(this.#beside, this.#file)
  }

  close(): void {
    this.#closeFresh()
    this.#old?.close()
    this.#old = undefined
  }

  #closeFresh(): void {
    this.#fresh?.close()
    this.#fresh = undefined
  }
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
    const rows = await old
      .rows<Record<string, string | bigint | number | null>>(`FROM ${table}`)
      .catch(() => [])
    for (const row of rows) {
      const names = Object.keys(row)
      await fresh.run(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        Object.values(row),
      )
    }
  }
  // Also partitions for which the replay loads nothing: one that is empty now must go from the lake.
  await fresh.run(
    'INSERT INTO ops.dirty_partition SELECT relation, partition FROM ops.lake_file WHERE removed_at IS NULL',
  )
}

/** Replaces the sessions of the range by those of the rebuilt file; everything else stays as it is. */
async function takeRange(old: Database, rebuilt: string, { from, to }: SessionRange): Promise<void> {
  const within = `trading_date BETWEEN ${literal(from ?? '0001-01-01')} AND ${literal(to ?? '9999-12-31')}`
  await old.run(`ATTACH ${literal(rebuilt)} AS rebuilt (READ_ONLY)`)
  await old.transaction(async () => {
    for (const { name } of relations.filter((relation) => relation.layout === 'session')) {
      await old.run(`INSERT INTO ops.dirty_partition SELECT DISTINCT ${literal(name)}, CAST(trading_date AS VARCHAR)
        FROM (SELECT trading_date FROM ${name} WHERE ${within} UNION SELECT trading_date FROM rebuilt.${name} WHERE ${within})`)
      await old.run(`DELETE FROM ${name} WHERE ${within}`)
      await old.run(`INSERT INTO ${name} SELECT * FROM rebuilt.${name} WHERE ${within}`)
    }
  })
  await old.run('DETACH rebuilt')
}
