import { readPageText } from '../page-text.js'
import type { ProvenPage } from '../proven-pages.js'
import type { WalkBatch } from '../walk-batch.js'
import type { LandedColumns } from './landed-columns.js'
import { type BarColumns, expectedBars, readColumns } from './read-columns.js'

/** What of a batch was read as columns. */
export interface ColumnPages {
  /** Ids of these pages. */
  readonly ids: ReadonlySet<string>
  /** Whether it is known that no two of their bars have one key. */
  readonly isDistinct: boolean
}

export const NO_COLUMNS: ColumnPages = { ids: new Set(), isDistinct: false }

/**
 * Reads plain pages of candles into temp table `candle_column`, whose pages are numbered as the batch has them. Pages with any
 * bar that is not an ordinary one are left to be read as text.
 *
 * @param landed bars of pages that need not be read again
 */
export async function readAsColumns(
  { steps, home }: WalkBatch,
  pages: readonly ProvenPage[],
  landed: LandedColumns | undefined,
): Promise<ColumnPages> {
  await steps.run('load/candles/columns')
  const appender = await steps.appender('candle_column')
  const ids = new Set<string>()
  const spans: BarSpan[] = []
  const numbers = new RowNumbers()
  pages.forEach((page, number) => {
    if (!page.plain || page.rows === 0) return
    const bars = landed?.take(page.id) ?? readBars(home, page)
    if (!bars) return
    appender.append([...numbers.of(number, bars.rows), ...bars.columns], bars.rows)
    ids.add(page.id)
    spans.push({ key: `${page.window.key} ${page.window.timeframe}`, ...bars.span })
  })
  appender.close()
  return { ids, isDistinct: areApart(spans) }
}

function readBars(home: string, page: ProvenPage): BarColumns | undefined {
  const bars = readPageText(home, page, (text) => readColumns(text, expectedBars(page)))
  return bars && 'problem' in bars ? undefined : bars
}

/** The columns before those of the bars: the page's number, and positions from 1. */
class RowNumbers {
  private pages = new Int32Array()
  private ordinals = new Int32Array()

  of(page: number, rows: number): [Int32Array, Int32Array] {
    if (this.pages.length < rows) {
      this.pages = new Int32Array(rows)
      this.ordinals = Int32Array.from({ length: rows }, (_, row) => row + 1)
    }
    this.pages.fill(page, 0, rows)
    return [this.pages, this.ordinals]
  }
}

/** The times of a page's bars, all different where they are known, and the symbol and timeframe that they are of. */
interface BarSpan {
  readonly key: string
  readonly first?: number
  readonly last?: number
}

/** Whether the times of no two pages of one symbol and timeframe overlap. */
function areApart(spans: readonly BarSpan[]): boolean {
  const latest = new Map<string, number>()
  const ordered = spans.toSorted((a, b) => (a.first ?? 0) - (b.first ?? 0))
  return ordered.every(({ key, first, last }) => {
    if (first === undefined || last === undefined) return false
    const isApart = first > (latest.get(key) ?? -1)
    latest.set(key, last)
    return isApart
  })
}
