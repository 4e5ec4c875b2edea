import { StorageError } from '../../errors.js'
import { closedWalks, journalledPages, journalledRuns } from '../../land/journal.js'
import { loadJournal } from '../../load/journal.js'
import { suffixesOf } from '../../settings/index.js'
import { killedRuns, markInterrupted } from '../../warehouse/runs.js'
import { recordJournalledRun } from './journal-row.js'
import { compareWithLedgers, describeLines, describeLoss, lostPages } from './raw-loss.js'
import type { Run } from './run.js'

/**
 * Loads what earlier runs landed and did not commit. A run whose row is closed has committed all of it; a run that was
 * killed, or whose row was lost with the warehouse, is loaded from its journal.
 *
 * @throws StorageError where the warehouse is new, and the published lake names pages that are gone or changed in raw/
 */
export async function resumeRuns(run: Run): Promise<void> {
  const { warehouse, home, identity } = run
  const rows = await warehouse.rows<{ run_id: string; state: string }>('SELECT run_id, state FROM ops.run')
  const states = new Map(rows.map(({ run_id, state }) => [run_id, state]))
  const [page] = await warehouse.rows('SELECT 1 AS page FROM ops.request LIMIT 1')
  const unusable = page ? undefined : await requireWholeRaw(run)
  for (const id of journalledRuns(home)) {
    const state = states.get(id)
    if (id !== identity.id && (state === undefined || state === 'running')) {
      await resumeRun(run, id, { hasRow: state !== undefined, unusable })
    }
  }
  for (const id of await killedRuns(warehouse)) if (id !== identity.id) await markInterrupted(warehouse, id)
}

/**
 * A new warehouse is made from raw/ alone: what only the published lake still has would go with the next publication.
 *
 * @returns ids of pages that are gone or changed, and that the published lake does not have
 */
async function requireWholeRaw({ warehouse, home }: Run): Promise<ReadonlySet<string>> {
  const { losses, unusable } = await compareWithLedgers(home, warehouse)
  if (losses.length === 0) return unusable
  throw new StorageError(
    `the warehouse is new, and the published lake has pages that are gone or not as received in raw/: ${describeLoss(losses)}; nothing was replaced`,
    {
      hint: `restore ${warehouse.file} or raw/ from a backup${journalledRuns(home).length > 0 ? '; or rebuild without it, for good: candlehouse replay --without-missing' : ', or choose another home with CANDLEHOUSE_HOME'}`,
    },
  )
}

/** What is known of a run that is resumed. */
interface Resumed {
  readonly hasRow: boolean
  /** Ids of all pages that are gone or changed; undefined where they were not looked for. */
  readonly unusable: ReadonlySet<string> | undefined
}

/** A damaged line or page costs the walk that it belongs to: the run is closed, and the walk is requested again. */
async function resumeRun(run: Run, id: string, { hasRow, unusable }: Resumed): Promise<void> {
  const { warehouse, home, calendar } = run
  const walks = await warehouse.rows<{ walk: string }>(
    'SELECT DISTINCT walk FROM ops.request WHERE run_id = ?',
    [id],
  )
  const loaded = new Set(walks.map(({ walk }) => walk))
  const pages = journalledPages(home, id).filter(({ walk }) => !loaded.has(walk))
  const lost = unusable ? pages.filter((page) => unusable.has(page.id)) : lostPages(home, pages)
  const journal = closedWalks(home, id, new Set(lost.map((page) => page.id)))
  const loading = { home, calendar, suffixes: suffixesOf(run.settings), loaded }
  await loadJournal(warehouse, journal, loading, (batch) => run.addLoaded(batch))
  await run.weighEvidence({ run: id })
  if (!hasRow) await recordJournalledRun(warehouse, id, journal)
  const [first] = lost
  run.report.addProblems([
    ...(journal.damaged.length > 0
      ? [`not loaded, the line is damaged: ${describeLines(journal.damaged)}; see candlehouse raw verify`]
      : []),
    ...(first
      ? [
          `not loaded, gone or not as received: ${lost.length} ${lost.length === 1 ? 'page' : 'pages'} of run ${id}, such as ${first.file}; see candlehouse raw verify`,
        ]
      : []),
  ])
}
