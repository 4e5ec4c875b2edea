import { type ClosedWalk, IMPORT, keyNameOf, type PageRecord } from '../land/journal.js'
import type { Dataset } from '../plan/datasets.js'
import { boundRows } from './bound-rows.js'
import type { Steps } from './steps.js'

/** Writes the pages of the batch to `ops.request`, in the transaction that loads their rows. */
export async function recordRequests(
  steps: Steps,
  dataset: Dataset,
  walks: readonly ClosedWalk[],
): Promise<void> {
  const pages = walks.flatMap((walk) => walk.pages)
  await recordPages(
    steps,
    pages.map((page) => ({ page, dataset: dataset.name, drift: drift(dataset, page) })),
  )
}

/** As `recordRequests`, for pages whose drift is known. */
export async function recordPages(
  steps: Steps,
  pages: readonly { page: PageRecord; dataset: string; drift: readonly string[] }[],
): Promise<void> {
  const rows = pages.map(({ page, dataset, drift: unknown }) => ({
    request_id: page.id,
    run_id: page.run,
    dataset,
    endpoint: page.endpoint,
    query: boundRows([page.query]).slice(1, -1),
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
    key_name: page.endpoint === IMPORT ? null : keyNameOf(page),
  }))
  await steps.run('load/batch/recorded_pages', { values: [boundRows(rows)] })
  await steps.run('load/batch/requests')
}

/** Field names that the specification does not have. They are recorded, and never an error; `raw/` has their values. */
function drift(dataset: Dataset, page: PageRecord): string[] {
  const known = new Set(dataset.fields.map((name) => name.toLowerCase()))
  return (page.fields ?? []).filter((name) => !known.has(name.toLowerCase()))
}
