import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../duckdb/open.js'
import { CandlehouseError } from '../../errors.js'
import { type History, landHistory } from '../../import/index.js'
import type { Journal } from '../../land/journal.js'
import type { Loaded } from '../../load/batch.js'
import { createLoader } from '../../load/loader.js'
import { NOTHING_LEFT } from '../../load/standing.js'
import { loadCalendar } from '../../market/calendar.js'
import type { Day } from '../../market/day.js'
import { datasets } from '../../plan/datasets.js'
import type { Settings } from '../../settings/index.js'
import type { RunIo } from '../lifecycle/run-io.js'
import type { Tally } from '../lifecycle/tally.js'

/** What a run lends to the import that is its work. */
export interface Bringing {
  readonly warehouse: Database
  readonly journal: Journal
  readonly home: string
  readonly run: string
  readonly job: string
  readonly tradingDate: Day
  readonly tally: Tally
  onLoaded(loaded: Loaded): Promise<void>
}

/**
 * Lands the records of a file and loads them, as a stage lands and loads answers: what was closed is loaded before a
 * failure is passed on.
 *
 * @returns notes for the summary
 */
export async function bringHistory(history: History, bringing: Bringing, io: RunIo): Promise<string[]> {
  const { warehouse, journal, home, run, job, tradingDate, tally } = bringing
  const left = { ...NOTHING_LEFT }
  const loader = createLoader(warehouse, home, loadCalendar(), {
    verify: false,
    async onLoaded(loaded) {
      left.rows += loaded.left.rows
      left.sessions += loaded.left.sessions
      await bringing.onLoaded(loaded)
    },
  })
  io.progress.phase('import', history.facts.rows, 'records')
  let failure: { error: unknown } | undefined
  let repeated = 0
  try {
    const context = { home, journal, run, job, tradingDate, signal: io.signal }
    const onWalk: Parameters<typeof landHistory>[2] = async (walk) => {
      tally.window(history.dataset)
      await loader.add(walk)
      const records = walk.pages.reduce((sum, page) => sum + page.rows, 0)
      io.progress.advance(records, `${walk.window.key} ${walk.window.to}`)
    }
    repeated = await landHistory(history, context, onWalk, io.effects)
  } catch (error) {
    failure = { error }
  }
  io.signal.throwIfAborted()
  await loader.flush()
  io.progress.done()
  if (failure) throw failure.error
  return [
    ...fileNotes(history),
    ...(repeated > 0
      ? [`${counted(repeated, 'record')} left out: others of the file say the same word for word`]
      : []),
    ...(left.rows > 0 ? [standingNote(left.rows, left.sessions)] : []),
  ]
}

/** What an import would bring; as `--json` gives it. */
export interface ImportView {
  readonly dataset: string
  readonly relation: string
  readonly file: string
  readonly bytes: number
  readonly sha256: string
  readonly rows: number
  /** Symbols or indexes. */
  readonly subjects: number
  readonly sessions: number
  readonly from: Day | null
  readonly to: Day | null
  /** Records without a day that can be read: they would wait in quarantine. */
  readonly undated: number
  /** Rows that are held from the service and would stay as they are; null where the warehouse cannot be read. */
  readonly standing: number | null
  readonly notes: string[]
}

/** What an import of the file would bring. Writes nothing, and does not wait for a run that holds the warehouse. */
export async function viewImport({ home }: Settings, history: History): Promise<ImportView> {
  const { dataset, file, facts } = history
  const warehouse = join(home, 'warehouse.duckdb')
  const notes = fileNotes(history)
  let standing: number | null = 0
  if (existsSync(warehouse)) {
    standing = await history.heldIn(warehouse).catch((error: unknown) => {
      const why =
        error instanceof CandlehouseError || error instanceof Error ? error.message.split('\n')[0] : error
      notes.push(`what is held from the service could not be counted: ${why}`)
      return null
    })
  }
  const { derived: _, ...told } = facts
  return {
    dataset,
    relation: datasets[dataset].relation,
    file: file.name,
    bytes: file.bytes,
    sha256: file.sha256,
    ...told,
    standing,
    notes,
  }
}

function standingNote(rows: number, sessions: number): string {
  return `${counted(rows, 'row')} of ${counted(sessions, 'session')} ${rows === 1 ? 'is' : 'are'} already held from the service: left as they are`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** What of the file is left out before anything is compared. */
function fileNotes({ file, mapping, facts }: History): string[] {
  const { unknown } = mapping
  return [
    ...(unknown.length > 0
      ? [
          `${file.name}: left out, since nobody knows it: ${unknown.map((name) => `column '${name}'`).join(', ')}`,
        ]
      : []),
    ...(facts.derived > 0
      ? [`${counted(facts.derived, 'bar')} left out: derived from 1m, and derived again`]
      : []),
  ]
}
