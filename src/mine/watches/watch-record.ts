import { join } from 'node:path'
import { z } from 'zod'
import type { Effects } from '../../effects.js'
import { appendLines } from '../../home/files.js'
import { readRecordLines } from '../../home/record-lines.js'
import { sha256 } from '../../home/sha256.js'
import type { WatchedRow, WatchedRows } from '../../night/watched-rows.js'

/** Rows of one batch, or of one report, that are named; the others are counted. */
const NAMED = 20

const NOUN = 'a record of a watch'

const batch = z.object({
  watch: z.string(),
  /** Names the batch: the same ids of the same watch are the same batch. */
  batch: z.string(),
  /** The first batch of a watch, and the first since its key has changed: its rows are not reported. */
  begins: z.boolean(),
  key: z.array(z.string()),
  run: z.string(),
  /** ISO 8601. */
  recorded_at: z.string(),
  ids: z.array(z.string()),
  /** The first of them. */
  rows: z.array(z.object({ id: z.string(), text: z.string(), trace: z.string().nullable() })),
})

/** Rows of a watch that one evaluation was the first to find. */
export type WatchBatch = z.infer<typeof batch>

/** What an evaluation found. */
export interface Evaluation {
  readonly watch: string
  readonly key: readonly string[]
  readonly rows: readonly WatchedRow[]
  readonly run: string
  readonly at: string
}

const delivery = z.object({ batch: z.string(), delivered_at: z.string() })

/** Every row that was found, in `raw/`: a later publication may no longer have it. */
function batchFile(home: string): string {
  return join(home, 'raw', 'watches.ndjson')
}

/** Which batches were delivered. A file of its own: it is written after the run has released its lock. */
function deliveryFile(home: string): string {
  return join(home, 'raw', 'watches-delivered.ndjson')
}

/** All batches, the oldest first. @throws StorageError */
export function readBatches(home: string): WatchBatch[] {
  return readRecordLines(batchFile(home), (value) => batch.parse(value), NOUN)
}

/** Appends batches; they are on disk on return. @throws StorageError */
export async function appendBatches(
  home: string,
  batches: readonly WatchBatch[],
  { disk }: Pick<Effects, 'disk'>,
): Promise<void> {
  if (batches.length > 0) await appendLines(batchFile(home), batches, disk)
}

/** Marks what was delivered: no later run reports it. @throws StorageError */
export async function markDelivered(
  home: string,
  watches: readonly WatchedRows[],
  { disk, now }: Pick<Effects, 'disk' | 'now'>,
): Promise<void> {
  const delivered_at = new Date(now()).toISOString()
  const marks = watches.flatMap(({ batches }) => batches.map((id) => ({ batch: id, delivered_at })))
  if (marks.length > 0) await appendLines(deliveryFile(home), marks, disk)
}

/** @returns the batch to record; undefined where the record has every row already */
export function newBatch(
  record: readonly WatchBatch[],
  { watch, key, rows, run, at }: Evaluation,
): WatchBatch | undefined {
  const former = record.filter((each) => each.watch === watch)
  const known = new Set(former.flatMap(({ ids }) => ids))
  const distinct = new Map(rows.map((row) => [row.id, row]))
  const fresh = [...distinct.values()].filter(({ id }) => !known.has(id))
  const begun = former.findLast(({ begins }) => begins)
  const begins = begun === undefined || begun.key.join() !== key.join()
  if (fresh.length === 0 && !begins) return undefined
  const ids = fresh.map(({ id }) => id)
  const name = sha256(JSON.stringify([watch, key, ids])).slice(0, 16)
  const named = begins ? [] : fresh.slice(0, NAMED)
  return { watch, batch: name, begins, key: [...key], run, recorded_at: at, ids, rows: named }
}

/** Rows of these watches that are recorded and not delivered. @throws StorageError */
export function undelivered(home: string, titles: ReadonlyMap<string, string>): WatchedRows[] {
  const marks = readRecordLines(deliveryFile(home), (value) => delivery.parse(value), NOUN)
  const delivered = new Set(marks.map((mark) => mark.batch))
  const waiting = readBatches(home).filter(({ batch: id, begins }) => !begins && !delivered.has(id))
  return [...titles].flatMap(([name, title]) => {
    const batches = waiting.filter(({ watch }) => watch === name)
    if (batches.length === 0) return []
    const rows = batches.flatMap((each) => each.rows).slice(0, NAMED)
    const count = batches.reduce((sum, { ids }) => sum + ids.length, 0)
    return [{ name, title, rows, more: count - rows.length, batches: batches.map((each) => each.batch) }]
  })
}
