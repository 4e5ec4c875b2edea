import { reasonOf } from 'candlehouse-foundation/system-fault'
import type { ResultColumn } from '../duckdb/reader.js'
import { ResultStore, type RowOrder, type StoredResult } from '../duckdb/result-store.js'
import type { Effects } from '../effects.js'
import { type ResultSink, runStatement, type StatementCatalog } from '../read/user-statement.js'
import type { Limits } from './limits.js'
import { Refusal } from './response.js'

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

/** A result and its first rows: a page that shows them asks once. */
export interface FirstView extends ResultView {
  head: unknown[][]
}

interface Kept {
  view: ResultView
  /** The page in the browser that asked. */
  page: string
  stored: StoredResult | undefined
  stop: AbortController
  startedAt: number
  /** Resolves with the first rows, or with the end. */
  first: Promise<void>
  ended: Promise<void>
}

/** Results remembered at a time: each open page has one. */
const MOST = 8

/** Rows that come with the start of a result: more than a screen shows. */
const HEAD_ROWS = 500

const SETTLE_MS = 20

/** Rows can be read when chunks are flushed: after the first, after a screen or two, then once per group of rows of DuckDB. */
const FLUSHES = { first: 1, second: 8, every: 60 }

/** Results of statements: their rows are read page by page. A new statement of a page stops the one that runs for it. */
export class ResultCache {
  private readonly kept = new Map<number, Kept>()
  private next = 1
  private store: Promise<ResultStore> | undefined

  constructor(
    private readonly catalog: StatementCatalog,
    private readonly folder: string,
    private readonly limits: Limits,
    private readonly effects: Effects,
  ) {}

  /** Starts a statement and returns with its first rows. */
  async start(sql: string, page: string): Promise<FirstView> {
    const former = [...this.kept].filter(([, kept]) => kept.page === page).map(([id]) => id)
    const id = this.next++
    const kept = this.begin(id, sql, page)
    this.kept.set(id, kept)
    for (const old of former) await this.remove(old)
    for (const old of [...this.kept.keys()].slice(0, -MOST)) await this.remove(old)
    await kept.first
    // A short result is whole in a moment: its page need not ask again.
    await Promise.race([kept.ended, this.effects.sleep(SETTLE_MS)])
    const head = this.kept.has(id) ? await this.rows(id, 0, HEAD_ROWS) : []
    return { ...this.shown(kept), head }
  }

  view(id: number): ResultView {
    return this.shown(this.find(id))
  }

  /** @throws Refusal where rows of a result that still grows are to be in another order than its own */
  async rows(id: number, from: number, count: number, order?: RowOrder): Promise<unknown[][]> {
    const { view, stored } = this.find(id)
    if (!order) return (await stored?.read(from, count)) ?? []
    if (view.state === 'running')
      throw new Refusal(409, 'rows are sorted when all of them are stored', 'wait until the statement ends')
    if (order.column >= view.columns.length) throw new Refusal(400, `there is no column ${order.column}`)
    return (await stored?.read(from, count, order)) ?? []
  }

  /** Stops the statement that runs for a page, also before its first row. */
  async cancel(page: string): Promise<void> {
    for (const kept of this.kept.values()) {
      if (kept.page !== page) continue
      kept.stop.abort()
      await kept.ended
    }
  }

  async close(): Promise<void> {
    for (const { stop } of this.kept.values()) stop.abort()
    for (const id of [...this.kept.keys()]) await this.remove(id)
    await this.store?.then(
      (store) => store.close(),
      () => undefined,
    )
  }

  private find(id: number): Kept {
    const kept = this.kept.get(id)
    if (!kept) throw new Refusal(404, 'this result is no longer stored', 'run the statement again')
    return kept
  }

  private shown({ view, startedAt }: Kept): ResultView {
    return view.state === 'running' ? { ...view, ms: this.elapsed(startedAt) } : { ...view }
  }

  private elapsed(startedAt: number): number {
    return Math.round(this.effects.monotonic() - startedAt)
  }

  private begin(id: number, sql: string, page: string): Kept {
    const view: ResultView = { id, columns: [], rows: 0, state: 'running', truncated: false, ms: 0 }
    const startedAt = this.effects.monotonic()
    let onFirst = (): void => undefined
    const first = new Promise<void>((resolve) => {
      onFirst = resolve
    })
    const kept = { view, page, stored: undefined, stop: new AbortController(), startedAt, first }
    const filled = Object.assign(kept, { ended: Promise.resolve() })
    filled.ended = this.fill(sql, filled, onFirst)
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
    return filled
  }

  /** @returns whether all rows are stored */
  private async fill(sql: string, kept: Kept, onFirst: () => void): Promise<boolean> {
    const { resultRows, resultBytes, resultMemory } = this.limits
    this.store ??= ResultStore.open(this.folder, resultMemory, resultBytes * MOST)
    const store = await this.store
    const { view } = kept
    let chunks = 0
    let before = 0
    const show = async (stored: StoredResult): Promise<boolean> => {
      stored.flush()
      view.rows = stored.rows
      onFirst()
      return (await stored.bytes()) - before < resultBytes
    }
    const sink: ResultSink = {
      columns: async (columns) => {
        view.columns = columns
        kept.stored = store.create(columns.map(({ type }) => type))
        before = await kept.stored.bytes()
      },
      chunk: async (chunk, rows) => {
        const { stored } = kept
        if (!stored) return false
        const room = resultRows - stored.arrived
        try {
          await stored.append(chunk, Math.min(rows, room))
          chunks += 1
          const { first, second, every } = FLUSHES
          const isDue = chunks === first || chunks === second || chunks % every === 0 || rows > room
          return (!isDue || (await show(stored))) && rows <= room
        } catch (error) {
          // The store is full: the rows before are shown.
          if (view.rows > 0 && /^Out of Memory/.test((error as Error).message)) return false
          throw error
        }
      },
    }
    const isWhole = await runStatement(this.catalog, sql, sink, this.limits, kept.stop.signal, this.effects)
    if (isWhole && kept.stored) await show(kept.stored)
    return isWhole
  }

  private async remove(id: number): Promise<void> {
    const kept = this.kept.get(id)
    this.kept.delete(id)
    kept?.stop.abort()
    await kept?.ended
    await kept?.stored?.remove()
  }
}
