import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CandlehouseError } from 'candlehouse-foundation/errors'
import { counted } from 'candlehouse-foundation/number-text'
import { sqlFile } from '../../duckdb/sqlfile.js'
import type { HistoryFacts } from '../../import/file-facts.js'
import { type History, landHistory } from '../../import/index.js'
import type { Loaded } from '../../load/batch.js'
import { NOTHING_BLOCKED } from '../../load/blocking-sessions.js'
import { createLoader, type Loader } from '../../load/loader.js'
import { datasets } from '../../plan/datasets.js'
import type { Settings } from '../../settings/index.js'
import type { Run } from '../lifecycle/run.js'

/**
 * Lands the records of a file and loads them, as a stage lands and loads responses: what was landed before a failure is
 * loaded before the failure is thrown.
 */
export async function loadHistory(run: Run, history: History): Promise<void> {
  const { progress, signal } = run.io
  const loading = new HistoryLoading(run, history)
  progress.phase('import', history.facts.rows, 'records')
  const landed = await loading.land().then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  signal.throwIfAborted()
  await loading.flush()
  progress.done()
  if (landed) throw landed.error
  run.report.notes.push(...fileNotes(history), ...loading.notes(), ...(await rejectedRecords(run)))
}

/** Rejected records that the summary names: the others are in `ops.quarantine`. */
const NAMED_RECORDS = 5

/** The first records that were rejected, each with its reason. */
async function rejectedRecords(run: Run): Promise<string[]> {
  const { warehouse, identity } = run
  const rows = await warehouse.column<string>(sqlFile('import/rejected_records.sql'), [identity.id])
  const lines = rows.slice(0, NAMED_RECORDS)
  const others = rows.length - lines.length
  return others > 0 ? [...lines, `and ${counted(others, 'other rejected record')}`] : lines
}

/** A file while it is landed and loaded, with what of it is skipped. */
class HistoryLoading {
  private readonly loader: Loader
  /** Records that others of the file repeat word for word. */
  private repeated = 0
  private blocked = NOTHING_BLOCKED

  constructor(
    private readonly run: Run,
    private readonly history: History,
  ) {
    const onLoaded = (loaded: Loaded): Promise<void> => this.addLoaded(loaded)
    this.loader = createLoader(run.warehouse, run.home, run.calendar, onLoaded)
  }

  async land(): Promise<void> {
    const { home, identity, tradingDate, io } = this.run
    const { id: run, job } = identity
    await this.run.withJournal(async (journal) => {
      const onLanded = this.loader.landed
      const context = { home, journal, run, job, tradingDate, onLanded, signal: io.signal }
      const onWalk: Parameters<typeof landHistory>[2] = (walk) => this.addWalk(walk)
      this.repeated = await landHistory(this.history, context, onWalk, io.effects)
    })
  }

  async flush(): Promise<void> {
    await this.loader.flush()
  }

  notes(): string[] {
    const { rows, sessions } = this.blocked
    return [
      ...(this.repeated > 0
        ? [`skipped ${counted(this.repeated, 'record')}: the file has the same record more than once`]
        : []),
      ...(rows > 0
        ? [
            `skipped ${counted(rows, 'row')} of ${counted(sessions, 'session')}: already stored from the service`,
          ]
        : []),
    ]
  }

  private async addWalk(walk: Parameters<Loader['add']>[0]): Promise<void> {
    this.run.tally.addWindows(this.history.dataset)
    await this.loader.add(walk)
    const records = walk.pages.reduce((sum, page) => sum + page.rows, 0)
    this.run.io.progress.advance(records, `${walk.window.key} ${walk.window.to}`)
  }

  private async addLoaded(loaded: Loaded): Promise<void> {
    const { rows, sessions } = this.blocked
    this.blocked = { rows: rows + loaded.blocked.rows, sessions: sessions + loaded.blocked.sessions }
    await this.run.addLoaded(loaded)
  }
}

/** What an import would load; as `--json` gives it. */
export interface ImportView extends Omit<HistoryFacts, 'derived'> {
  readonly dataset: string
  readonly relation: string
  readonly file: string
  readonly bytes: number
  readonly sha256: string
  /** Why records would go to quarantine, in the order of the file; null where only loading can decide. */
  readonly rejected: readonly string[] | null
  /** Blocking rows: stored rows of the service, which the import would not replace; null if the warehouse cannot be read. */
  readonly standing: number | null
  readonly notes: string[]
}

/** What an import of the file would load. Writes nothing, and does not wait for a run that has the warehouse locked. */
export async function viewImport({ home }: Settings, history: History): Promise<ImportView> {
  const { dataset, file, facts } = history
  const { derived: _, ...shownFacts } = facts
  const blocking = await countBlocking(home, history)
  return {
    dataset,
    relation: datasets[dataset].relation,
    file: file.name,
    bytes: file.bytes,
    sha256: file.sha256,
    ...shownFacts,
    rejected: await history.rejected(),
    standing: blocking.rows,
    notes: [...fileNotes(history), ...blocking.notes],
  }
}

async function countBlocking(
  home: string,
  history: History,
): Promise<{ rows: number | null; notes: string[] }> {
  const warehouse = join(home, 'warehouse.duckdb')
  if (!existsSync(warehouse)) return { rows: 0, notes: [] }
  try {
    return { rows: await history.countStoredIn(warehouse), notes: [] }
  } catch (error) {
    const why =
      error instanceof CandlehouseError || error instanceof Error ? error.message.split('\n')[0] : error
    return { rows: null, notes: [`rows stored from the service could not be counted: ${why}`] }
  }
}

/** What of the file is skipped before anything is compared. */
function fileNotes({ file, mapping, facts }: History): string[] {
  const { unknown } = mapping
  const names = unknown.map((name) => `'${name}'`).join(', ')
  return [
    ...(unknown.length > 0
      ? [`${file.name}: ignored unknown ${unknown.length === 1 ? 'column' : 'columns'} ${names}`]
      : []),
    ...closedNotes(facts),
    ...(facts.derived > 0
      ? [`skipped ${counted(facts.derived, 'bar')}: derived bars are derived again from what is stored`]
      : []),
  ]
}

/** Rows are imported on closed days too: a calendar may be wrong, and a file may know better. */
function closedNotes({ closed }: History['facts']): string[] {
  const [first] = closed
  if (!first) return []
  const rows = closed.reduce((sum, day) => sum + day.rows, 0)
  const days = closed.length === 1 ? first.day : `${counted(closed.length, 'day')}, the first is ${first.day}`
  return [`${counted(rows, 'row')} on days without trading by the calendar: ${days}`]
}
