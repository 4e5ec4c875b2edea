import type { Service } from '../service.js'
import type { AsciiText } from './ascii-text.js'
import { invalidRequest } from './refusal.js'

export interface PageAsked {
  pageIndex?: number | undefined
  pageSize?: number | undefined
}

export interface Page {
  index: number
  size: number
}

/**
 * Rows of the largest page. All requests share one thread: a page of all summaries since 2020 (105,000 rows, 14 MB) took
 * seconds in which nobody else was answered, 2,000 rows take a fiftieth of that.
 */
const DEFAULT_PAGE_CAP = 2_000

/** Defaults 1 and 10; the maximum is not in the specification, so capping and refusing are options. */
export function pageOf(
  { pageIndex = 1, pageSize = 10 }: PageAsked,
  { options }: Pick<Service, 'options'>,
): Page {
  if (options.pageSizeRefusedAbove !== undefined && pageSize > options.pageSizeRefusedAbove) {
    throw invalidRequest(`query pageSize: expected at most ${options.pageSizeRefusedAbove}`)
  }
  return { index: pageIndex, size: Math.min(pageSize, options.pageCap ?? DEFAULT_PAGE_CAP) }
}

/** Smaller pages cost nothing to write again. */
const WORTH_KEEPING = 100

/** What names a page of the whole market, for `lasting` of a read; undefined for small pages and while its last session runs. */
export function lastingPage(
  asked: PageAsked & { from?: string | undefined; to?: string | undefined },
  last: number,
  { clock, world }: Pick<Service, 'clock' | 'world'>,
): string | undefined {
  const { from = '', to = '', pageIndex = 1, pageSize = 10 } = asked
  const end = to === '' ? last : Math.min(last, world.time.at(to))
  if (pageSize < WORTH_KEEPING || clock.until(end) !== undefined) return undefined
  return `${from} ${to} ${pageIndex} ${pageSize} ${last}`
}

/** Rows that come in groups (sessions): how many each has. */
export interface Groups {
  /** Group keys in answer order. */
  keys: readonly number[]
  count(key: number): number
}

/**
 * Calls `take` with the part of each group that a page touches: rows `from` (inclusive) to `to` (exclusive). Other groups
 * are only counted.
 *
 * @returns the number of rows of all groups
 */
export function eachPart(
  { keys, count }: Groups,
  { index, size }: Page,
  take: (key: number, from: number, to: number) => void,
): number {
  const start = (index - 1) * size
  const end = start + size
  let total = 0
  for (const key of keys) {
    const groupSize = count(key)
    if (total + groupSize > start && total < end)
      take(key, Math.max(0, start - total), Math.min(groupSize, end - total))
    total += groupSize
  }
  return total
}

/** Envelope of securities summary and master data. */
export function referenceEnvelope({ index, size }: Page, total: number, rows: AsciiText): Buffer {
  const pages = Math.ceil(total / size)
  return rows.between(
    `{"pageSize":${size},"pageIndex":${index},"pagesCount":${pages},"itemsCount":${total},"data":[`,
    ']}',
  )
}

/** Envelope of candles, whose names differ; some deployments do not send the counts. */
export function candleEnvelope(page: Page, total: number, rows: AsciiText, counts: boolean): Buffer {
  const { index, size } = page
  const pages = Math.ceil(total / size)
  const counted = counts ? `"itemsCount":${total},"pageCount":${pages},` : ''
  return rows.between(`{"pageSize":${size},"pageNumber":${index},${counted}"data":[`, ']}')
}
