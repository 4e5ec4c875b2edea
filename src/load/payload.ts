import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Database } from '../duckdb/open.js'
import type { ClosedWalk } from '../land/journal.js'
import { recordTexts } from '../land/source.js'

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
  for (const { id, ordinal } of rejected) {
    const page = pages.get(id)
    if (!page) continue
    if (texts?.id !== id) {
      texts = { id, records: recordTexts(gunzipSync(readFileSync(join(home, page.file))).toString('utf8')) }
    }
    const text = texts.records[Number(ordinal) - 1] ?? null
    await database.run('UPDATE staged SET payload = ? WHERE request_id = ? AND ordinal = ?', [
      text,
      id,
      ordinal,
    ])
  }
}
