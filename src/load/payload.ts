import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Database } from '../duckdb/open.js'
import { sqlFile } from '../duckdb/sqlfile.js'
import type { ClosedWalk } from '../land/journal.js'
import { recordTexts } from '../land/source.js'

/** A statement a record took a minute for a file of which every record was rejected. */
const PAYLOADS_AT_ONCE = 5000

/** Puts the text of every rejected record beside its reason, cut from the page: a STRUCT would rewrite it. */
export async function cutPayloads(
  database: Database,
  home: string,
  walks: readonly ClosedWalk[],
): Promise<void> {
  const rejected = await database.rows<{ id: string; ordinal: bigint }>(
    'SELECT request_id AS id, ordinal FROM staged WHERE reason IS NOT NULL ORDER BY ALL',
  )
  const pages = new Map(walks.flatMap((walk) => walk.pages).map((page) => [page.id, page]))
  let texts: { id: string; records: string[] } | undefined
  let cut: { id: string; ordinal: number; payload: string }[] = []
  const write = async (): Promise<void> => {
    if (cut.length > 0) await database.run(sqlFile('load/payload.sql'), [JSON.stringify(cut)])
    cut = []
  }
  for (const { id, ordinal } of rejected) {
    const page = pages.get(id)
    if (!page) continue
    if (texts?.id !== id) {
      texts = { id, records: recordTexts(gunzipSync(readFileSync(join(home, page.file))).toString('utf8')) }
    }
    const payload = texts.records[Number(ordinal) - 1]
    if (payload !== undefined) cut.push({ id, ordinal: Number(ordinal), payload })
    if (cut.length === PAYLOADS_AT_ONCE) await write()
  }
  await write()
}
