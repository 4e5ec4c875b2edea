import { join } from 'node:path'
import { reasonOf } from 'candlehouse-foundation/system-fault'
import type { ResultColumn } from '../duckdb/reader.js'
import type { Effects } from '../effects.js'
import type { LiveCatalog } from '../read/live-catalog.js'
import type { Limits } from './limits.js'
import { Refusal } from './response.js'
import { ResultFile } from './result-file.js'
import { runStatement } from './statement.js'

/** A result that the SQL page scrolls in. */
export interface ResultView {
  id: number
  columns: ResultColumn[]
  /** Rows so far. */
  rows: number
  state: 'running' | 'done' | 'failed'
  /** Whether it was cut at a limit. */
  truncated: boolean
  error?: string
  hint?: string
  /** Milliseconds from the first to the last row, or until now. */
  ms: number
}

interface Kept {
  view: ResultView
  file: ResultFile
  stop: AbortController
  startedAt: number
  /** Resolves with the first rows, or with the end. */
  first: Promise<void>
  ended: Promise<void>
}

/** Results remembered at a time: those of a few open pages. */
const MOST = 4

/** Results of statements in files: their rows are read page by page. A new statement stops the one that runs. */
export class ResultCache {
  private readonly kept = new Map<number, Kept>()
  private next = 1
  /** Stops the latest statement, also one whose file is not there yet. */
  private stop = new AbortController()

  constructor(
    private readonly catalog: LiveCatalog,
    private readonly folder: string,
    private readonly limits: Limits,
    private readonly effects: Effects,
  ) {}

  /** Starts a statement and returns with its first rows. */
  async start(sql: string): Promise<ResultView> {
    this.stop.abort()
    const stop = new AbortController()
    this.stop = stop
    const id = this.next++
    const kept = await this.begin(id, sql, stop)
    this.kept.set(id, kept)
    for (const old of [...this.kept.keys()].slice(0, -MOST)) await this.remove(old)
    await kept.first
    return this.view(id)
  }

  view(id: number): ResultView {
    const { view, startedAt } = this.find(id)
    return view.state === 'running' ? { ...view, ms: this.elapsed(startedAt) } : view
  }

  async rows(id: number, from: number, count: number): Promise<unknown[][]> {
    return await this.find(id).file.read(from, count)
  }

  /** Stops the statement that runs, also before its first row. */
  async cancel(): Promise<void> {
    this.stop.abort()
    for (const { ended } of this.kept.values()) await ended
  }

  async close(): Promise<void> {
    this.stop.abort()
    for (const id of [...this.kept.keys()]) await this.remove(id)
  }

  private find(id: number): Kept {
    const kept = this.kept.get(id)
    if (!kept) throw new Refusal(404, 'this result is no longer stored', 'run the statement again')
    return kept
  }

  private elapsed(startedAt: number): number {
    return Math.round(this.effects.monotonic() - startedAt)
  }

  private async begin(id: number, sql: string, stop: AbortController): Promise<Kept> {
    const file = await ResultFile.create(join(this.folder, `result-${id}`))
    const view: ResultView = { id, columns: [], rows: 0, state: 'running', truncated: false, ms: 0 }
    const startedAt = this.effects.monotonic()
    let onFirst = (): void => undefined
    const first = new Promise<void>((resolve) => {
      onFirst = resolve
    })
    const ended = this.fill(sql, file, view, stop.signal, onFirst)
      .then((isWhole) => Object.assign(view, { state: 'done', truncated: !isWhole }))
      .catch((error: unknown) => {
        Object.assign(view, {
          state: 'failed',
          error: error instanceof Error ? error.message : reasonOf(error),
        })
        const { hint } = error as { hint?: string }
        if (hint !== undefined) view.hint = hint
      })
      .then(() => {
        view.ms = this.elapsed(startedAt)
        onFirst()
      })
    return { view, file, stop, startedAt, first, ended }
  }

  private async fill(
    sql: string,
    file: ResultFile,
    view: ResultView,
    cancel: AbortSignal,
    onFirst: () => void,
  ): Promise<boolean> {
    const { resultRows, resultBytes } = this.limits
    const sink = {
      columns: (columns: ResultColumn[]) => {
        view.columns = columns
      },
      rows: async (rows: unknown[][]) => {
        await file.append(rows.slice(0, resultRows - file.rows))
        const isWhole = view.rows + rows.length === file.rows
        view.rows = file.rows
        onFirst()
        return isWhole && file.bytes < resultBytes
      },
    }
    return await runStatement(this.catalog, sql, sink, this.limits, cancel, this.effects)
  }

  private async remove(id: number): Promise<void> {
    const kept = this.kept.get(id)
    this.kept.delete(id)
    kept?.stop.abort()
    await kept?.ended
    await kept?.file.remove()
  }
}
