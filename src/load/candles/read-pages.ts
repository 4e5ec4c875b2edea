import { readPageText } from '../page-text.js'
import type { ProvenPage } from '../proven-pages.js'
import type { Steps } from '../steps.js'
import { readColumns } from './read-columns.js'

/**
 * Reads plain pages of candles into temp table `candle_column`, whose pages are numbered as the batch has them. Returns the
 * ids of these pages; pages with any bar that is not an ordinary one are left to be read as text.
 */
export async function readAsColumns(
  steps: Steps,
  home: string,
  pages: readonly ProvenPage[],
): Promise<Set<string>> {
  await steps.run('load/candles/columns')
  const appender = await steps.appender('candle_column')
  const read = new Set<string>()
  pages.forEach((page, number) => {
    if (!page.plain || page.rows === 0) return
    const { key: symbol, timeframe, from, to } = page.window
    const question = { symbol, timeframe, from, to, rows: page.rows }
    const columns = readPageText(home, page, (text) => readColumns(text, number, question))
    if (!columns || 'problem' in columns) return
    appender.append(columns, page.rows)
    read.add(page.id)
  })
  appender.close()
  return read
}
