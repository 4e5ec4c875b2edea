import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CalendarDay } from 'candlehouse-foundation/market/calendar'
import type { MarketRule } from 'candlehouse-foundation/market/rulebook'
import type { Database } from '../duckdb/open.js'
import type { Effects } from '../effects.js'
import { DUCKLAKE } from '../lake/ducklake.js'
import { openFolder } from '../lake/lake-files.js'
import { type LakeWriter, lakeWriter } from '../lake/lake-writer.js'
import type { Manifest } from '../lake/manifest.js'
import type { OwnSql } from '../lake/own-views.js'
import { refreshMaterialized } from '../mart/materialized.js'
import { writeBeside } from './beside.js'
import { forgetReplaced, keepsWithheld, mayBeDamage, removeDamaged } from './damage.js'
import { isLive, type LakeFile, recordedFiles, withFiles } from './lake-tables.js'
import { damagedLogs } from './log-state.js'
import { definedOwnTables, withOwnTables } from './own-tables.js'
import { planFiles } from './partitions.js'
import { beginPeriods } from './periods.js'
import { recordPublication } from './record-publication.js'
import { recoverLake } from './recover.js'
import type { ComputeOwn, FailedTable, OwnComputed } from './refresh-own-tables.js'
import { NOTHING_REPAIRED, type Repairs } from './repairs.js'
import { CATALOG, SEALED_MANIFEST, Seals } from './seals.js'
import { nextPublication, readStart, type Start } from './start.js'
import { expire, removeExpired } from './sweep-lake.js'
import { updateLake } from './update.js'
import { releaseWithheld, withheldWithDerived } from './withheld.js'

export interface Publication {
  /** Number of the publication; if nothing had changed, that of the latest one. */
  id: number
  /** Files written. */
  partitions: number
  rows: number
  /** Absolute path of the catalog. */
  catalog: string
  repaired: Repairs
  /** Tables of the user's own that could not be computed. */
  failedTables: readonly FailedTable[]
}

export interface PublishOptions {
  runId: string
  /** Days to keep removed files, for time travel and for readers of an older catalog. */
  retainDays: number
  /** Days of the user's own calendar; none by default. */
  userDays?: readonly CalendarDay[]
  /** Rules of the user's own rulebook; none by default. */
  userRules?: readonly MarketRule[]
  /** Views and tables of the user's own that bind, in their order; none by default. */
  ownSql?: readonly OwnSql[]
  /** Computes a table of the user's own; without it none is. */
  compute?: ComputeOwn
  /** Views of schema `mart` that are published as tables too, by their names without the schema; none by default. */
  marts?: readonly string[]
  /** Whether every file of the lake is compared with its SHA-256 first. */
  deep?: boolean
}

/**
 * Publishes what has changed: Parquet files with new names, then the ledger in one transaction, then the Delta logs,
 * the manifest, and the catalog by rename. Readers of the catalog see the whole former state until that last rename. A
 * kill before the transaction leaves only orphan files; after a kill later on, the next publication does the missing
 * steps. The cost depends on what changed, not on what is stored.
 *
 * What is damaged of the former publication is written again. A damaged file that has its size is noticed when it is read: then
 * every file is compared with its SHA-256, and the publication begins anew.
 */
export async function publish(
  warehouse: Database,
  home: string,
  options: PublishOptions,
  effects: Effects,
): Promise<Publication> {
  const writer = lakeWriter(warehouse, home, effects)
  await openFolder(writer.lake, effects)
  try {
    return await publishOnce(writer, options)
  } catch (error) {
    if (!mayBeDamage(error)) throw error
    const recorded = await recordedFiles(warehouse)
    const damaged = await removeDamaged(writer, recorded, () => true)
    if (damaged.length === 0) throw error
    return await publishOnce(writer, options)
  }
}

async function publishOnce(writer: LakeWriter, options: PublishOptions): Promise<Publication> {
  const { warehouse, home, lake, effects } = writer
  const catalog = join(home, CATALOG)
  await releaseWithheld(warehouse)
  await refreshMaterialized(warehouse)
  const seals = await Seals.break(warehouse, home)
  for (const file of [SEALED_MANIFEST, DUCKLAKE] as const)
    if (seals.isBroken(file)) effects.disk.remove(join(home, file))
  const start = await readStart(warehouse, lake, options)
  const { former, latest } = start
  if (latest) await beginPeriods(warehouse, latest.publication)
  const damaged = await damagedLogs(lake, former)
  const isCatalogMissing = !existsSync(catalog)
  const completed = await completeFormer(writer, start, damaged)
  const withheld = await withheldWithDerived(warehouse)
  const keeps = keepsWithheld(withheld)
  const recorded = latest ? start.recorded : await recordedFiles(warehouse)
  const isRead = (file: LakeFile): boolean => options.deep === true || keeps(file)
  const lost = await removeDamaged(writer, recorded, isRead)
  const plans = await planFiles(warehouse, lake, recorded, lost, start, withheld)
  const live = recorded.filter(isLive)
  const next = nextPublication(start, options.runId, effects)
  const compute = options.compute ?? noComputing
  const written = await recordPublication(writer, { ...start, plans, live, withheld, compute }, next)
  const described = withOwnTables(start.described, written.own, start.own.retired, former)
  const overdue = await expire(writer, options.retainDays)
  await forgetReplaced(warehouse, lost)
  const current = written.published || !latest ? next : latest
  const manifest =
    completed && written.files === 0
      ? completed
      : await updateLake(
          writer,
          {
            ...start.state,
            ownTables: definedOwnTables(written.own),
            tables: withFiles(described, await recordedFiles(warehouse)),
            manifest: completed ?? former,
            damaged: completed ? new Set() : damaged,
          },
          current,
        )
  const isCatalogNew = await writeBeside(writer, manifest, seals, written.published)
  // Without new data the catalog was current, unless it was damaged, a kill came before its rename, or the user changed
  // the calendar, the rules or the views.
  const isSameOfUser = userFacts(manifest) === userFacts(former)
  const isCatalogRepaired = isCatalogNew && !written.published && isSameOfUser
  await removeExpired(writer, overdue)
  const repaired = {
    files: lost.length,
    logs: [...damaged],
    manifest: former === undefined,
    catalog: isCatalogMissing || seals.isBroken(CATALOG) || isCatalogRepaired,
    duckLake: seals.isBroken(DUCKLAKE) || seals.isGone(DUCKLAKE),
    withheld: withheld
      .filter((session) => lost.some(keepsWithheld([session])))
      .map(({ relation, tradingDate }) => `${relation} of ${tradingDate}`),
  }
  return {
    id: current.publication,
    partitions: written.files,
    rows: written.rows,
    catalog,
    repaired: latest ? repaired : NOTHING_REPAIRED,
    failedTables: written.failedTables,
  }
}

async function noComputing(): Promise<OwnComputed> {
  return { wrong: 'this publication computes no tables' }
}

/**
 * Completes an interrupted publication, so that the next versions follow its versions; where the ledger knows none, records the
 * files that the lake has.
 *
 * @returns the manifest of the former publication, whole; undefined where there is none, or where all its tables get a new version
 */
async function completeFormer(
  writer: LakeWriter,
  { former, latest, described, recorded, marts, changedSchema, partitioned, state }: Start,
  damaged: ReadonlySet<string>,
): Promise<Manifest | undefined> {
  if (!latest) {
    await recoverLake(writer)
    return undefined
  }
  if (!former || changedSchema.size > 0 || partitioned.size > 0) return undefined
  const tables = withFiles(described, recorded)
  const begun = tables.filter(({ relation, live }) => live.length > 0 || !marts.added.has(relation.name))
  return await updateLake(writer, { ...state, tables: begun, manifest: former, damaged }, latest)
}

/** What a manifest has of the user's own files. */
function userFacts(manifest: Manifest | undefined): string {
  return JSON.stringify([
    manifest?.calendar_days,
    manifest?.market_rules,
    manifest?.own_views,
    manifest?.own_tables,
  ])
}
