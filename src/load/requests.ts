import type { Database } from '../duckdb/open.js'
import type { ClosedWalk, PageRecord } from '../land/journal.js'
import type { Dataset } from '../plan/datasets.js'

/** Pages of the batch → `ops.request`, in the transaction that loads their rows. */
export async function recordRequests(
  database: Database,
  dataset: Dataset,
  walks: readonly ClosedWalk[],
): Promise<void> {
  const pages = walks.flatMap((walk) => walk.pages)
  const row = `(${Array.from({ length: 15 }, () => '?').join(', ')})`
  for (let at = 0; at < pages.length; at += 100) {
    const slice = pages.slice(at, at + 100)
    await database.run(
      `INSERT INTO ops.request VALUES ${slice.map(() => row).join(', ')}`,
      slice.flatMap((page) => [
        page.id,
        page.run,
        dataset.name,
        page.endpoint,
        JSON.stringify(page.query),
        page.walk,
        page.page,
        page.attempts,
        page.status,
        page.received_at,
        page.bytes,
        page.rows,
        page.sha256,
        page.file,
        drift(dataset, page),
      ]),
    )
  }
}

/** Fields that the specification does not know: kept in raw/, named here, never a failure. */
function drift(dataset: Dataset, page: PageRecord): string | null {
  const known = new Set(dataset.fields.map((name) => name.toLowerCase()))
  const unknown = (page.fields ?? []).filter((name) => !known.has(name.toLowerCase()))
  return unknown.length > 0 ? unknown.join(', ') : null
}
