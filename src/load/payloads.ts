import { recordTexts } from '../json/source.js'
import type { ClosedWalk } from '../land/journal.js'
import { boundRows } from './bound-rows.js'
import { pageText } from './page-text.js'
import type { Steps } from './steps.js'

/** One statement per record took a minute for a file of which every record was rejected. */
const PAYLOADS_AT_ONCE = 5000

/**
 * Puts the text of every rejected record beside its reason, cut from the page: a STRUCT would rewrite it. Returns how many
 * records and pages were rejected.
 */
export async function cutPayloads(steps: Steps, home: string, walks: readonly ClosedWalk[]): Promise<number> {
  const rejected = await steps.rows<{ id: string; ordinal: bigint }>('load/batch/rejected_records')
  const pages = new Map(walks.flatMap((walk) => walk.pages).map((page) => [page.id, page]))
  let texts: { id: string; records: string[] } | undefined
  let cut: { id: string; ordinal: number; payload: string }[] = []
  const write = async (): Promise<void> => {
    if (cut.length > 0) await steps.run('load/batch/payloads', { values: [boundRows(cut)] })
    cut = []
  }
  for (const { id, ordinal } of rejected) {
    const page = pages.get(id)
    if (!page || ordinal === 0n) continue
    if (texts?.id !== id) {
      texts = { id, records: recordTexts(pageText(home, page)) }
    }
    const payload = texts.records[Number(ordinal) - 1]
    if (payload !== undefined) cut.push({ id, ordinal: Number(ordinal), payload })
    if (cut.length === PAYLOADS_AT_ONCE) await write()
  }
  await write()
  return rejected.length
}
