import { JsonFault } from 'candlehouse-foundation/json/scan'
import type { PageRecord } from '../../land/journal.js'
import { type BarColumns, expectedBars, readColumns } from './read-columns.js'

/** Bars that are kept at most: 60 bytes each. Those of other pages are read from raw/ when they are loaded. */
const MOST_BARS = 500_000

/**
 * Bars of pages that this process has just landed, as columns until they are loaded: reading their files again and
 * decompressing them costs a tenth of landing and loading. What a page brings follows from its bytes, so nothing else is
 * loaded than a replay finds.
 */
export class LandedColumns {
  private readonly pages = new Map<string, BarColumns>()
  private bars = 0

  /** @param body text of a page whose line is in the journal */
  keep(page: PageRecord, body: Uint8Array): void {
    if (page.window.dataset !== 'ohlc' || page.plain !== true || this.bars + page.rows > MOST_BARS) return
    const bars = columnsOf(page, body)
    if (!bars) return
    this.pages.set(page.id, bars)
    this.bars += bars.rows
  }

  /** The bars of a page, once; undefined where they are not kept. */
  take(id: string): BarColumns | undefined {
    const bars = this.pages.get(id)
    if (!bars) return undefined
    this.pages.delete(id)
    this.bars -= bars.rows
    return bars
  }
}

function columnsOf(page: PageRecord, body: Uint8Array): BarColumns | undefined {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  try {
    return page.rows === 0 ? undefined : readColumns(text, expectedBars(page))
  } catch (error) {
    // Loading says what is wrong with the page.
    if (error instanceof JsonFault) return undefined
    throw error
  }
}
