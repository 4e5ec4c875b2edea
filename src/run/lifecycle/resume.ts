import type { Database } from '../../duckdb/open.js'
import { closedWalks, journalledRuns } from '../../land/journal.js'
import type { Suffixes } from '../../load/account/fields.js'
import type { Loaded } from '../../load/batch.js'
import { loadJournal } from '../../load/journal.js'
import type { Calendar } from '../../market/calendar.js'
import { killedRuns, markInterrupted } from '../../warehouse/runs.js'
import { recordJournalled } from './journal-row.js'

/**
 * Loads what former runs landed and did not live to commit. A run whose row is closed has committed all of
 * it; a run that was killed, or whose row was lost with the warehouse, is read from its journal.
 */
export async function adoptLanded(
  database: Database,
  home: string,
  calendar: Calendar,
  current: string,
  suffixes: Suffixes,
  onLoaded: (loaded: Loaded) => Promise<void>,
): Promise<void> {
  const known = await database.rows<{ run_id: string; state: string }>('SELECT run_id, state FROM ops.run')
  const closed = new Set(known.filter(({ state }) => state !== 'running').map((row) => row.run_id))
  for (const run of journalledRuns(home)) {
    if (closed.has(run) || run === current) continue
    const loaded = new Set(
      (
        await database.rows<{ walk: string }>('SELECT DISTINCT walk FROM ops.request WHERE run_id = ?', [run])
      ).map((row) => row.walk),
    )
    const journalled = closedWalks(home, run)
    await loadJournal(database, journalled, { home, calendar, suffixes, loaded }, onLoaded)
    if (!known.some(({ run_id }) => run_id === run)) {
      await recordJournalled(database, run, journalled)
    }
  }
  for (const run of await killedRuns(database)) if (run !== current) await markInterrupted(database, run)
}
