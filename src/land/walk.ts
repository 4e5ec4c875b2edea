import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { sha256 } from '../home/sha256.js'
import type { DatasetName, Window } from '../plan/datasets.js'
import type { PartName } from '../plan/parts.js'
import { DEFAULT_KEY_NAME } from '../settings/key-name.js'
import type { ClosedWalk, Journal, PageRecord, WalkEnd } from './journal.js'

const compress = promisify(gzip)

/** The run that lands pages: its home and journal, and the fields that all its journal lines have. */
export interface LandingRun {
  readonly home: string
  readonly journal: Journal
  readonly run: string
  readonly job: string
  /** Trading date the run works for. */
  readonly tradingDate: string
  /** Name of the API key that requests the pages. @default `DEFAULT_KEY_NAME` */
  readonly keyName?: string
  /** Called with each page and its text after its line is in the journal. */
  readonly onLanded?: (page: PageRecord, body: Uint8Array) => void
}

/** What the pages of one walk are filed under. */
export interface WalkSubject<Asked extends DatasetName | PartName> {
  readonly window: Window<Asked>
  /** Endpoint of the service, or `IMPORT`. */
  readonly endpoint: string
  /** Account that a part of a snapshot is asked of; absent for market data. */
  readonly account?: string
}

/** One page before it is landed. */
export interface WalkPage
  extends Pick<PageRecord, 'query' | 'status' | 'attempts' | 'rows' | 'told' | 'shape' | 'fields' | 'plain'> {
  readonly body: Uint8Array
  /** The body in gzip, as received; undefined if it was sent uncompressed. */
  readonly wire: Uint8Array | undefined
  /** Milliseconds since 1970. */
  readonly receivedAt: number
  /** A body that is not a page, if no attempt returned a page: stored for inspection (`Journal.storeRefused`); `body` is empty. */
  readonly refused?: Uint8Array
  /** How the walk ended; null if more pages follow, or if the walk is left open. */
  readonly end: WalkEnd | null
  /** On the last page of a snapshot. */
  readonly closes?: PageRecord['closes']
  readonly of_other_keys?: PageRecord['of_other_keys']
}

/** Numbers of a walk and its pages within the run, from 1: their ids are made of them. */
export interface WalkNumbers {
  readonly walk: number
  nextPage(): number
}

/**
 * Lands one page walk: each page is written, then its line is appended to the journal, and only then is the next page taken.
 * Gzip bodies are landed as received; uncompressed bodies are compressed at level 1 (level 6 costs 2.3 CPU-seconds per million
 * candles, more than everything else). Only this function makes ids, paths and journal lines of pages.
 *
 * @returns undefined if no page had an end: the walk stays open and is never loaded
 * @throws StorageError · what taking the next page throws
 */
export async function landWalk<Asked extends DatasetName | PartName>(
  subject: WalkSubject<Asked>,
  pages: AsyncIterable<WalkPage>,
  numbers: WalkNumbers,
  context: LandingRun,
): Promise<ClosedWalk<Asked> | undefined> {
  const { window, endpoint, account } = subject
  const { journal, run, job, tradingDate, keyName = DEFAULT_KEY_NAME } = context
  const walk = `${run}-w${sixDigits(numbers.walk)}`
  const records: PageRecord[] = []
  for await (const page of pages) {
    const id = `${run}-${sixDigits(numbers.nextPage())}`
    if (page.refused) await journal.storeRefused(id, page.refused)
    const bytes = page.wire ?? (await compress(page.body, { level: constants.Z_BEST_SPEED }))
    const record: PageRecord = {
      id,
      run,
      job,
      trading_date: tradingDate,
      endpoint,
      query: page.query,
      window,
      walk,
      page: records.length + 1,
      status: page.status,
      attempts: page.attempts,
      received_at: new Date(page.receivedAt).toISOString(),
      bytes: page.body.length,
      rows: page.rows,
      ...(page.told && { told: page.told }),
      sha256: sha256(bytes),
      file: `raw/${window.dataset}/${run}/${id}.json.gz`,
      shape: page.shape,
      fields: page.fields,
      ...(page.plain !== undefined && { plain: page.plain }),
      ...(account !== undefined && { account }),
      ...(keyName !== DEFAULT_KEY_NAME && { key_name: keyName }),
      ...(page.closes && { closes: page.closes }),
      ...(page.of_other_keys?.length && { of_other_keys: page.of_other_keys }),
      end: page.end,
    }
    await journal.land(record, bytes)
    context.onLanded?.(record, page.body)
    records.push(record)
    if (record.end) return { id: walk, window, end: record.end, pages: records }
  }
  return undefined
}

function sixDigits(number: number): string {
  return String(number).padStart(6, '0')
}
