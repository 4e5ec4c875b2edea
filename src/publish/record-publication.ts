import { join } from 'node:path'
import { listLog } from '../lake/delta/delta-log.js'
import type { LakeWriter } from '../lake/lake-writer.js'
import { tablePath } from '../lake/manifest.js'
import { isOwnTable } from '../lake/own-views.js'
import { tablesOf } from '../lake/table-names.js'
import type { WithheldRows } from '../lake/withheld-rows.js'
import { type LakeMart, lakeMarts, relationOf, relations } from '../relations.js'
import type { PublicationId } from './commit.js'
import { type LakeFile, recordFiles, removeFiles } from './lake-tables.js'
import { recordDefinitions } from './marts/described.js'
import { areMartsCurrent, writeMarts } from './marts/plan.js'
import { areOwnTablesCurrent, recordOwnTables, type WrittenTable } from './own-tables.js'
import { type FilePlan, wholePlan } from './partitions.js'
import { recordPeriods } from './periods.js'
import { type ComputeOwn, type FailedTable, type Refresh, refreshOwnTables } from './refresh-own-tables.js'
import type { Start } from './start.js'
import { manifestDay, manifestRule } from './update.js'
import { clearDirty } from './withheld.js'
import { Writing } from './writing.js'

export interface PendingChanges extends Start {
  readonly plans: readonly FilePlan[]
  readonly live: readonly LakeFile[]
  readonly withheld: readonly WithheldRows[]
  readonly compute: ComputeOwn
}

export interface Recorded {
  readonly files: number
  readonly rows: number
  readonly published: boolean
  /** Tables of the user's own as they are now. */
  readonly own: readonly WrittenTable[]
  readonly failedTables: readonly FailedTable[]
}

/**
 * Writes files and their rows in the ledger, in one transaction; a rollback leaves orphan files, which are swept. Tables that
 * follow from views come after the relations, whose new files they read. The row of the publication itself is written last,
 * to the file of `ops.publication`, because it lists all new versions.
 */
export async function recordPublication(
  writer: LakeWriter,
  pending: PendingChanges,
  published: PublicationId,
): Promise<Recorded> {
  const { warehouse, lake } = writer
  const { plans, live, latest, changedSchema, partitioned, withheld, marts, own, state } = pending
  // The first publication is recorded even if there are no files to write.
  const first = latest === undefined
  const writing = new Writing(writer, pending.described, live, published)
  const facts = JSON.stringify([state.userDays, state.userRules])
  const isCurrent = areMartsCurrent(lake, marts, live) && areOwnTablesCurrent(lake, own, live, facts)
  for (const name of [...changedSchema, ...partitioned]) writing.changed.add(name)
  if (plans.length === 0 && !first && writing.changed.size === 0 && isCurrent)
    return { files: 0, rows: 0, published: false, own: own.written, failedTables: [] }
  const publications = relationOf('ops.publication')
  let isPublished = false
  const refreshed = await warehouse.transaction(async () => {
    for (const plan of plans) if (plan.relation !== publications) await writing.write(plan, warehouse)
    await writing.settle()
    await writeDerived(writing, pending)
    await writing.settle()
    const tables = await refreshOwnTables(writing, { ...refreshOf(pending), facts })
    await recordOwnTables(warehouse, tables.written, own.written)
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
    if (isPublished)
      await recordPeriods(warehouse, published.publication, changedSchema.size > 0 || tables.isNewShape)
    await clearDirty(warehouse, withheld)
    return tables
  })
  return {
    files: writing.added.length,
    rows: writing.rows,
    published: isPublished,
    own: refreshed.written,
    failedTables: refreshed.failed,
  }
}

/** What the tables of the user's own are computed from. */
function refreshOf({ own, described, state, compute }: PendingChanges): Omit<Refresh, 'facts'> {
  const { timeframes, userDays, userRules } = state
  return {
    own,
    described: described.filter(({ relation }) => !isOwnTable(relation.name)),
    shown: {
      fetched_timeframes: [...timeframes],
      calendar_days: userDays.map(manifestDay),
      market_rules: userRules.map(manifestRule),
    },
    compute,
  }
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
    relations: described.filter(
      ({ relation }) => !lakeMarts.includes(relation as LakeMart) && !isOwnTable(relation.name),
    ),
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
  for (const name of tablesOf(lake)) {
    const { entries, checkpoints } = listLog(join(lake, tablePath(name)))
    const head = Math.max(-1, entries.at(-1) ?? -1, checkpoints.at(-1) ?? -1)
    if (head >= 0 || changed.has(name) || relations.some((relation) => relation.name === name))
      versions[name] = head < 0 ? 0 : head + (changed.has(name) ? 1 : 0)
  }
  return versions
}
