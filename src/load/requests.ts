import { IMPORT, keyNameOf, type PageRecord } from '../land/journal.js'
import { boundRows } from './bound-rows.js'
import { absentFields, unknownFields } from './fields/read-fields.js'
import type { Steps } from './steps.js'
import type { WalkBatch } from './walk-batch.js'

interface RecordedPage {
  readonly page: PageRecord
  readonly dataset: string
  readonly drift: readonly string[]
  readonly absent?: readonly string[]
}

/** Writes the pages of the batch to `ops.request`, in the transaction that loads their rows. */
export async function recordRequests({ steps, dataset, pages }: WalkBatch): Promise<void> {
  await recordPages(
    steps,
    pages.map((page) => ({
      page,
      dataset: dataset.name,
      drift: unknownFields(dataset, page.fields),
      absent: page.endpoint === IMPORT ? [] : absentFields(dataset, page.fields),
    })),
  )
}

/**
 * As `recordRequests`, for pages whose drift is known: fields that the specification does not have, and fields of the
 * specification that the first record does not have. Neither is an error by itself; `raw/` has the values.
 */
export async function recordPages(steps: Steps, pages: readonly RecordedPage[]): Promise<void> {
  const rows = pages.map(({ page, dataset, drift, absent = [] }) => ({
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
    drift: drift.length > 0 ? drift.join(', ') : null,
    absent: absent.length > 0 ? absent.join(', ') : null,
    items_count: page.told?.items ?? null,
    pages_count: page.told?.pages ?? null,
    page_size: page.told?.size ?? null,
    key_name: page.endpoint === IMPORT ? null : keyNameOf(page),
  }))
  await steps.run('load/batch/recorded_pages', {}, [boundRows(rows)])
  await steps.run('load/batch/requests')
}
