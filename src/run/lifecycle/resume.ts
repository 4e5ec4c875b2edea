import { closedWalks, journalledRuns } from '../../land/journal.js'
import { loadJournal } from '../../load/journal.js'
import { suffixesOf } from '../../settings/index.js'
import { killedRuns, markInterrupted } from '../../warehouse/runs.js'
import { recordJournalledRun } from './journal-row.js'
import type { Run } from './run.js'

/**
 * Loads what earlier runs landed and did not commit. A run whose row is closed has committed all of it; a run that was
 * killed, or whose row was lost with the warehouse, is loaded from its journal.
 */
export async function resumeRuns(run: Run): Promise<void> {
  const { warehouse, home, identity } = run
  const rows = await warehouse.rows<{ run_id: string; state: string }>('SELECT run_id, state FROM ops.run')
  const states = new Map(rows.map(({ run_id, state }) => [run_id, state]))
  for (const id of journalledRuns(home)) {
    const state = states.get(id)
    if (id !== identity.id && (state === undefined || state === 'running')) {
      await resumeRun(run, id, state !== undefined)
    }
  }
  for (const id of await killedRuns(warehouse)) if (id !== identity.id) await markInterrupted(warehouse, id)
}

async function resumeRun(run: Run, id: string, hasRow: boolean): Promise<void> {
  const { warehouse, home, calendar } = run
  const journal = closedWalks(home, id)
  const walks = await warehouse.rows<{ walk: string }>(
    'SELECT DISTINCT walk FROM ops.request WHERE run_id = ?',
    [id],
  )
  const loaded = new Set(walks.map(({ walk }) => walk))
  const loading = { home, calendar, suffixes: suffixesOf(run.settings), loaded }
  await loadJournal(warehouse, journal, loading, (batch) => run.addLoaded(batch))
  await run.weighEvidence({ run: id })
  if (!hasRow) await recordJournalledRun(warehouse, id, journal)
}
