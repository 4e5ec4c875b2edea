import type { Service } from '../service.js'
import { invalidRequest } from './refusal.js'

export interface PageAsked {
  pageIndex?: number | undefined
  pageSize?: number | undefined
}

export interface Page {
  index: number
  size: number
}

/** Defaults 1 and 10; the maximum is not in the specification, so capping and refusing are options. */
export function pageOf(
  { pageIndex = 1, pageSize = 10 }: PageAsked,
  { options }: Pick<Service, 'options'>,
): Page {
  if (options.pageSizeRefusedAbove !== undefined && pageSize > options.pageSizeRefusedAbove) {
    throw invalidRequest()
  }
  return { index: pageIndex, size: Math.min(pageSize, options.pageCap ?? pageSize) }
}

/** Rows that come in groups (sessions): how many each has, and how to write some of them. */
export interface Groups {
  /** Group keys in answer order. */
  keys: readonly number[]
  count(key: number): number
  /** Rows `from` (inclusive) to `to` (exclusive) of a group, as JSON texts. */
  rows(key: number, from: number, to: number): string[]
}

/** The rows of one page: only the groups it touches are computed. */
export function cutPage(
  { keys, count, rows }: Groups,
  { index, size }: Page,
): { total: number; rows: string[] } {
  const start = (index - 1) * size
  const end = start + size
  const pageRows: string[] = []
  let total = 0
  for (const key of keys) {
    const groupSize = count(key)
    if (total + groupSize > start && total < end) {
      pageRows.push(...rows(key, Math.max(0, start - total), Math.min(groupSize, end - total)))
    }
    total += groupSize
  }
  return { total, rows: pageRows }
}

/** Envelope of securities summary and master data. */
export function referenceEnvelope({ index, size }: Page, total: number, rows: readonly string[]): string {
  const pages = Math.ceil(total / size)
  return `{"pageSize":${size},"pageIndex":${index},"pagesCount":${pages},"itemsCount":${total},"data":[${rows.join(',')}]}`
}

/** Envelope of candles, whose names differ; some deployments do not send the counts. */
export function candleEnvelope(page: Page, total: number, rows: readonly string[], counts: boolean): string {
  const { index, size } = page
  const pages = Math.ceil(total / size)
  const counted = counts ? `"itemsCount":${total},"pageCount":${pages},` : ''
  return `{"pageSize":${size},"pageNumber":${index},${counted}"data":[${rows.join(',')}]}`
}
