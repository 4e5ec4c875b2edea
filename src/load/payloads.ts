import { recordTexts } from 'candlehouse-foundation/json/source'
import { boundRows } from './bound-rows.js'
import { pageText } from './page-text.js'
import type { WalkBatch } from './walk-batch.js'

/** Texts per statement: one statement per record took a minute for a file of which every record was rejected. */
const PAYLOADS_AT_ONCE = 5000

/**
 * Writes the text of every record that goes to quarantine to its row of `staged_record`: it is rejected, or is loaded without a
 * field. The text is cut from the page, because DuckDB's STRUCT has rewritten it. Returns the number of these records; a rejected
 * page counts as one.
 */
export async function cutPayloads({ steps, home, ...batch }: WalkBatch): Promise<number> {
  const rejected = await steps.rows<{ id: string; ordinal: bigint }>('load/batch/rejected_records')
  const pages = new Map(batch.pages.map((page) => [page.id, page]))
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
