import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { CalendarDay } from 'candlehouse-foundation/market/calendar'
import type { MarketRule } from 'candlehouse-foundation/market/rulebook'
import type { Database } from '../duckdb/open.js'
import type { Effects } from '../effects.js'
import { listLog } from '../lake/delta/delta-log.js'
import { DUCKLAKE } from '../lake/ducklake.js'
import { openFolder } from '../lake/lake-files.js'
import { type LakeWriter, lakeWriter } from '../lake/lake-writer.js'
import { type Manifest, tablePath } from '../lake/manifest.js'
import type { OwnView } from '../lake/own-views.js'
import type { WithheldRows } from '../lake/withheld-rows.js'
import { refreshMaterialized } from '../mart/materialized.js'
import { type LakeMart, lakeMarts, relationOf, tableNames } from '../relations.js'
import { writeBeside } from './beside.js'
import type { PublicationId } from './commit.js'
import { forgetReplaced, keepsWithheld, mayBeDamage, removeDamaged } from './damage.js'
import { isLive, type LakeFile, recordedFiles, recordFiles, removeFiles, withFiles } from './lake-tables.js'
import { damagedLogs } from './log-state.js'
import { recordDefinitions } from './marts/described.js'
import { areMartsCurrent, writeMarts } from './marts/plan.js'
import { type FilePlan, planFiles, wholePlan } from './partitions.js'
import { beginPeriods, recordPeriods } from './periods.js'
import { recoverLake } from './recover.js'
import { NOTHING_REPAIRED, type Repairs } from './repairs.js'
import { CATALOG, SEALED_MANIFEST, Seals } from './seals.js'
import { nextPublication, readStart, type Start } from './start.js'
import { expire, removeExpired } from './sweep-lake.js'
import { updateLake } from './update.js'
import { clearDirty, releaseWithheld, withheldWithDerived } from './withheld.js'
import { Writing } from './writing.js'

export interface Publication {
  /** Number of the publication; if nothing had changed, that of the latest one. */
  id: number
  /** Files written. */
  partitions: number
  rows: number
  /** Absolute path of the catalog. */
  catalog: string
  repaired: Repairs
}

export interface PublishOptions {
  runId: string
  /** Days to keep removed files, for time travel and for readers of an older catalog. */
  retainDays: number
  /** Days of the user's own calendar; none by default. */
  userDays?: readonly CalendarDay[]
  /** Rules of the user's own rulebook; none by default. */
  userRules?: readonly MarketRule[]
  /** Views of the user's own that bind, in their order; none by default. */
  ownViews?: readonly OwnView[]
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
  const written = await recordPublication(writer, { ...start, plans, live, withheld }, next)
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
            tables: withFiles(start.described, await recordedFiles(warehouse)),
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
    duckLake: seals.isBroken(DUCKLAKE),
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
  }
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

interface PendingChanges extends Start {
  readonly plans: readonly FilePlan[]
  readonly live: readonly LakeFile[]
  readonly withheld: readonly WithheldRows[]
}

/**
 * Writes files and their rows in the ledger, in one transaction; a rollback leaves orphan files, which are swept. Tables that
 * follow from views come after the relations, whose new files they read. The row of the publication itself is written last,
 * to the file of `ops.publication`, because it lists all new versions.
 */
async function recordPublication(
  writer: LakeWriter,
  pending: PendingChanges,
  published: PublicationId,
): Promise<{ files: number; rows: number; published: boolean }> {
  const { warehouse, lake } = writer
  const { plans, live, latest, changedSchema, partitioned, withheld, marts } = pending
  // The first publication is recorded even if there are no files to write.
  const first = latest === undefined
  const writing = new Writing(writer, pending.described, live, published)
  const isCurrent = areMartsCurrent(lake, marts, live)
  for (const name of [...changedSchema, ...partitioned]) writing.changed.add(name)
  if (plans.length === 0 && !first && writing.changed.size === 0 && isCurrent)
    return { files: 0, rows: 0, published: false }
  const publications = relationOf('ops.publication')
  let isPublished = false
  await warehouse.transaction(async () => {
    for (const plan of plans) if (plan.relation !== publications) await writing.write(plan, warehouse)
    await writing.settle()
    await writeDerived(writing, pending)
    if (writing.changed.size > 0 || first) {
      writing.changed.add(publications.name)
      isPublished = true
      await warehouse.run('INSERT INTO ops.publication VALUES (?, ?, ?::TIMESTAMPTZ, ?)', [
        published.publication,
        published.runId,
        published.publishedAt,
        JSON.stringify(await nextVersions(lake, writing.changed)),
      ])
      await writing.write(wholePlan(publications), warehouse)
    } else if (plans.some((plan) => plan.relation === publications))
      await writing.write(wholePlan(publications), warehouse)
    await writing.settle()
    await removeFiles(warehouse, writing.replaced, published.publishedAt)
    await recordFiles(warehouse, writing.added)
    if (isPublished) await recordPeriods(warehouse, published.publication, changedSchema.size > 0)
    await clearDirty(warehouse, withheld)
  })
  return { files: writing.added.length, rows: writing.rows, published: isPublished }
}

/** Writes the tables that follow from views, and removes the files of those that are no longer chosen. */
async function writeDerived(
  writing: Writing,
  { described, dirty, changedSchema, withheld, marts }: PendingChanges,
): Promise<void> {
  const { chosen, retired, added, written } = marts
  const isWithheld = (mark: Start['dirty'][number]): boolean =>
    withheld.some(
      ({ relation, tradingDate, keys }) =>
        keys === null && relation === mark.relation && tradingDate === mark.partition,
    )
  const changes = {
    lake: writing.writer.lake,
    relations: described.filter(({ relation }) => !lakeMarts.includes(relation as LakeMart)),
    marts: chosen,
    written,
    before: writing.live,
    after: writing.filesAfter(),
    changed: new Set(writing.changed),
    changedSchema,
    marks: dirty.filter((mark) => !isWithheld(mark)),
  }
  await writeMarts(changes, async (plan, state) => await writing.write(plan, state))
  for (const name of added) writing.changed.add(name)
  for (const { name } of retired) writing.remove(name)
  await recordDefinitions(writing.writer.warehouse, chosen, written)
}

/** Version of every table after this publication. */
async function nextVersions(lake: string, changed: ReadonlySet<string>): Promise<Record<string, number>> {
  const versions: Record<string, number> = {}
  for (const name of tableNames) {
    const { entries, checkpoints } = listLog(join(lake, tablePath(name)))
    const head = Math.max(-1, entries.at(-1) ?? -1, checkpoints.at(-1) ?? -1)
    if (head >= 0 || changed.has(name) || !lakeMarts.some((mart) => mart.name === name))
      versions[name] = head < 0 ? 0 : head + (changed.has(name) ? 1 : 0)
  }
  return versions
}

/** What a manifest has of the user's own files. */
function userFacts(manifest: Manifest | undefined): string {
  return JSON.stringify([manifest?.calendar_days, manifest?.market_rules, manifest?.own_views])
}
