import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import type { Effects } from '../effects.js'
import { appendRawIndex, type Deletion, deletionOf, readRawIndex } from './archives.js'
import { journalledPages, journalledRuns, type PageRecord } from './journal.js'
import { removePages } from './pack.js'

/** Pages of one dataset and month that can be deleted. */
export interface DeletableMonth
  extends Pick<Deletion, 'dataset' | 'month' | 'runs' | 'pages' | 'from' | 'to'> {
  /** Size of its files and archives on disk, bytes. */
  readonly bytes: number
}

/** Journalled pages of months before `month`, by dataset and month, that are not deleted yet. @throws StorageError */
export function deletableMonths(home: string, month: string): DeletableMonth[] {
  const index = readRawIndex(home)
  const months = new Map<string, DeletableMonth>()
  for (const run of journalledRuns(home)) {
    for (const page of journalledPages(home, run)) {
      const pageMonth = page.trading_date.slice(0, 7)
      if (pageMonth >= month || deletionOf(index, page)) continue
      const { dataset, from, to } = page.window
      const key = `${dataset} ${pageMonth}`
      const known = months.get(key)
      const file = statSync(join(home, page.file), { throwIfNoEntry: false })
      months.set(key, {
        dataset,
        month: pageMonth,
        runs: known?.runs.at(-1) === run ? known.runs : [...(known?.runs ?? []), run],
        pages: (known?.pages ?? 0) + 1,
        from: known && known.from < from ? known.from : from,
        to: known && known.to > to ? known.to : to,
        bytes: (known?.bytes ?? archiveBytes(home, dataset, pageMonth)) + (file?.size ?? 0),
      })
    }
  }
  return [...months.keys()].sort().flatMap((key) => months.get(key) ?? [])
}

/**
 * Deletes raw pages for good: first the index is written, then archives and files are removed. A kill in between leaves files
 * that are never read again; the next call removes them.
 *
 * @throws StorageError when the disk refuses
 */
export async function deleteMonths(
  home: string,
  months: readonly DeletableMonth[],
  effects: Effects,
): Promise<void> {
  const deleted_at = new Date(effects.now()).toISOString()
  const entries = months.map(
    ({ bytes: _, ...month }): Deletion => ({ kind: 'deleted', ...month, runs: [...month.runs], deleted_at }),
  )
  if (entries.length > 0) await appendRawIndex(home, entries, effects)
  removeDeleted(home, effects)
}

/** Removes files of deleted pages that a kill left. @throws StorageError when the disk refuses */
export function removeDeleted(home: string, effects: Effects): void {
  const index = readRawIndex(home)
  try {
    for (const { archive } of index.obsolete) effects.disk.remove(join(home, archive))
    for (const run of leftoverRuns(home)) removePages(home, deletedPages(home, run), effects)
  } catch (cause) {
    if (cause instanceof StorageError) throw cause
    throw new StorageError(`cannot remove deleted pages: ${(cause as Error).message}`, {
      hint: 'check the permissions of raw/, then run the same command again',
      cause,
    })
  }
}

/** Runs with deleted pages whose folder still exists. */
function leftoverRuns(home: string): Set<string> {
  const runs = readRawIndex(home).deletions.flatMap(({ dataset, runs }) =>
    runs.filter((run) => existsSync(join(home, 'raw', dataset, run))),
  )
  return new Set(runs)
}

function deletedPages(home: string, run: string): PageRecord[] {
  const index = readRawIndex(home)
  return journalledPages(home, run).filter((page) => deletionOf(index, page))
}

function archiveBytes(home: string, dataset: string, month: string): number {
  return readRawIndex(home)
    .archives.filter((archive) => archive.dataset === dataset && archive.month === month)
    .reduce((sum, { bytes }) => sum + bytes, 0)
}
