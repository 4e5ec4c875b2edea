import { StorageError } from 'candlehouse-foundation/errors'
import { counted } from 'candlehouse-foundation/number-text'
import { knownPages, type LedgerPage, publishedLedger } from '../../lake/page-ledger.js'
import { closedWalks, journalFolder, journalledRuns, type PageRecord } from '../../land/journal.js'
import { readJournalLines } from '../../land/journal-lines.js'
import { compareRaw } from '../../land/loss.js'
import { loadJournal } from '../../load/load-journal.js'
import { suffixesOf } from '../../settings/index.js'
import { killedRuns, markInterrupted } from '../../warehouse/runs.js'
import { recordJournalledRun } from './journal-row.js'
import { describeLines, describeLoss, lostPages } from './raw-loss.js'
import type { Run } from './run.js'

/**
 * Loads what earlier runs landed and did not commit. A run whose row is closed has committed all of it; a run that was
 * killed, or whose row was lost with the warehouse, is loaded from its journal.
 *
 * @throws StorageError where the published lake has pages that this warehouse lacks, and that are gone or changed in raw/
 */
export async function resumeRuns(run: Run): Promise<void> {
  const { warehouse, home, identity } = run
  const rows = await warehouse.rows<{ run_id: string; state: string }>('SELECT run_id, state FROM ops.run')
  const states = new Map(rows.map(({ run_id, state }) => [run_id, state]))
  const isOpen = (id: string): boolean => (states.get(id) ?? 'running') === 'running'
  const resumed: OpenRun[] = []
  for (const id of journalledRuns(home))
    if (id !== identity.id && isOpen(id)) resumed.push(await lookAt(run, id, states.has(id)))
  const [page] = await warehouse.rows('SELECT 1 AS page FROM ops.request LIMIT 1')
  if (!page) await requireWholeRaw(run, 'new', resumed, () => true)
  else if (resumed.some(({ hasRow, isDamaged }) => !hasRow || isDamaged))
    await requireWholeRaw(run, 'older', resumed, isOpen)
  for (const each of resumed) await resumeRun(run, each)
  for (const id of await killedRuns(warehouse)) if (id !== identity.id) await markInterrupted(warehouse, id)
}

/** A run that has not committed all that it landed. */
interface OpenRun {
  readonly id: string
  /** Whether it has a row in ops.run. */
  readonly hasRow: boolean
  /** Its page walks that are stored. */
  readonly loaded: ReadonlySet<string>
  /** Pages of its other walks that are gone or changed. */
  readonly lost: readonly PageRecord[]
  /** Whether there are such pages, or lines that cannot be read. */
  readonly isDamaged: boolean
}

async function lookAt({ warehouse, home }: Run, id: string, hasRow: boolean): Promise<OpenRun> {
  const loaded = new Set(
    await warehouse.column<string>('SELECT DISTINCT walk FROM ops.request WHERE run_id = ?', [id]),
  )
  const { pages, damaged } = readJournalLines<PageRecord>(journalFolder(home), id)
  const lost = lostPages(
    home,
    pages.filter(({ walk }) => !loaded.has(walk)),
  )
  return { id, hasRow, loaded, lost, isDamaged: lost.length + damaged.length > 0 }
}

/**
 * What the published lake alone has would go with the next publication: of every run where the warehouse is new, of later runs
 * where it came from a backup.
 *
 * @param isOpen whether a run of the lake is not, or not as a whole, in the warehouse
 */
async function requireWholeRaw(
  { warehouse, home }: Run,
  age: 'new' | 'older',
  resumed: readonly OpenRun[],
  isOpen: (run: string) => boolean,
): Promise<void> {
  const published = await publishedLedger(home, warehouse)
  if (typeof published !== 'object') return
  const { runs, pagesOf } = await knownPages([published])
  const loaded = new Map(resumed.map((run) => [run.id, run.loaded]))
  const onlyPublished = async (run: string): Promise<Map<string, LedgerPage>> => {
    const pages = isOpen(run) ? [...(await pagesOf(run))] : []
    return new Map(pages.filter(([, { walk }]) => !loaded.get(run)?.has(walk)))
  }
  const lost = new Set(resumed.flatMap((run) => run.lost.map(({ id }) => id)))
  const { losses } = await compareRaw(home, runs, onlyPublished, ({ id }) => !lost.has(id))
  if (losses.length === 0) return
  throw new StorageError(
    `the warehouse is ${age === 'new' ? 'new' : 'older than the lake'}, and the published lake has pages that are gone or not as received in raw/: ${describeLoss(losses)}; nothing was replaced`,
    {
      hint: `restore ${warehouse.file} or raw/ from a backup${journalledRuns(home).length > 0 ? '; or rebuild without it, for good: candlehouse replay --without-missing' : ', or choose another home with CANDLEHOUSE_HOME'}`,
    },
  )
}

/** A damaged line or page costs the walk that it belongs to: the run is closed, and the walk is requested again. */
async function resumeRun(run: Run, { id, hasRow, loaded, lost }: OpenRun): Promise<void> {
  const { warehouse, home, calendar } = run
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
          `not loaded, gone or not as received: ${counted(lost.length, 'page')} of run ${id}, such as ${first.file}; see candlehouse raw verify`,
        ]
      : []),
  ])
}
