import type { Database } from '../duckdb/open.js'
import { literal, sqlFile } from '../duckdb/sqlfile.js'
import type { ClosedWalk, PageRecord } from '../land/journal.js'
import type { Dataset } from '../plan/datasets.js'
import { markMonths } from '../warehouse/dirty.js'

/** Pages of the batch → `ops.request`, in the transaction that loads their rows. */
export async function recordRequests(
  database: Database,
  dataset: Dataset,
  walks: readonly ClosedWalk[],
): Promise<void> {
  const pages = walks.flatMap((walk) => walk.pages)
  await recordPages(
    database,
    pages.map((page) => ({ page, dataset: dataset.name, drift: drift(dataset, page) })),
  )
}

/** The same for pages whose drift is known. */
export async function recordPages(
  database: Database,
  pages: readonly { page: PageRecord; dataset: string; drift: readonly string[] }[],
): Promise<void> {
  const rows = pages.map(({ page, dataset, drift: unknown }) => ({
    request_id: page.id,
    run_id: page.run,
    dataset,
    endpoint: page.endpoint,
    query: JSON.stringify(page.query),
    walk: page.walk,
    page: page.page,
    attempts: page.attempts,
    status: page.status,
    received_at: page.received_at,
    bytes: page.bytes,
    row_count: page.rows,
    sha256: page.sha256,
    raw_file: page.file,
    drift: unknown.length > 0 ? unknown.join(', ') : null,
    items_count: page.told?.items ?? null,
    pages_count: page.told?.pages ?? null,
    page_size: page.told?.size ?? null,
  }))
  await database.run(sqlFile('load/request.sql'), [JSON.stringify(rows)])
  // Whatever judged these runs before has not seen these pages.
  const runs = [...new Set(pages.map(({ page }) => page.run))].map(literal).join(', ')
  await database.run(
    `UPDATE ops.run SET judged_at = NULL WHERE judged_at IS NOT NULL AND run_id IN (${runs})`,
  )
  const received = [...new Set(pages.map(({ page }) => page.received_at))].map(literal).join(', ')
  await markMonths(database, 'ops.request', `(SELECT unnest([${received}]::TIMESTAMPTZ[]) AS received_at)`)
}

/** Fields that the specification does not know: kept in raw/, named here, never a failure. */
function drift(dataset: Dataset, page: PageRecord): string[] {
  const known = new Set(dataset.fields.map((name) => name.toLowerCase()))
  return (page.fields ?? []).filter((name) => !known.has(name.toLowerCase()))
}
