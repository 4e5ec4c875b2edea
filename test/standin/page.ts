// Which rows make a page, and the envelope around them.

import { type Answer, type Call, invalid, nothing, param, serve } from './answer.js'
import { dialectRow } from './dialect.js'
import type { Dataset } from './options.js'
import type { Row } from './rows.js'

const positive = (call: Call, name: string, absent: number): number => {
  const text = param(call, name)
  if (text === undefined) return absent
  if (!/^[1-9]\d{0,8}$/.test(text)) throw invalid(`${name} is invalid`)
  return Number(text)
}

export interface Page {
  index: number
  size: number
  items: number
  pages: number
  rows: Row[]
}

export const pageOf = (call: Call, dataset: Dataset, truths: object[], defaultSize = 10): Page => {
  const { options, fault } = call
  const asked = positive(call, 'pageSize', defaultSize)
  if (options.pageSizeRefusedAbove !== undefined && asked > options.pageSizeRefusedAbove) {
    throw invalid('pageSize is too large')
  }
  const size = Math.min(asked, options.pageCap ?? asked)
  const index = positive(call, 'pageIndex', 1)
  const start = (fault?.kind === 'samePage' ? 0 : index - 1) * size
  const rows = truths.slice(start, start + size).map((truth) => dialectRow(call, dataset, truth))
  const before = truths[start - 1]
  if (fault?.kind === 'dup' && before) {
    const repeated = dialectRow(call, dataset, before)
    rows.unshift(fault.edit ? fault.edit(repeated) : repeated)
    if (fault.shift) rows.pop()
  }
  if (fault?.kind === 'short') rows.splice(Math.max(0, rows.length - (fault.rows ?? 1)))
  return { index, size, items: truths.length, pages: Math.ceil(truths.length / size), rows }
}

const count = (call: Call, value: number): number | string =>
  call.options.countsAsStrings ? String(value) : value

/** `{pageSize, pageIndex, pagesCount, itemsCount, data}` */
export const paged = (call: Call, dataset: Dataset, truths: object[]): Answer => {
  const page = pageOf(call, dataset, truths)
  const envelope = {
    pageSize: count(call, page.size),
    pageIndex: count(call, page.index),
    pagesCount: count(call, page.pages),
    itemsCount: count(call, page.items),
    data: page.rows,
  }
  return page.rows.length === 0 ? nothing(call.options, envelope) : serve(envelope)
}

/** `{pageSize, pageNumber, itemsCount, pageCount, data}`, or less of it. */
export const pagedOhlc = (call: Call, truths: object[]): Answer => {
  const { options } = call
  const page = pageOf(call, 'ohlc', truths)
  const full = {
    pageSize: count(call, page.size),
    pageNumber: count(call, page.index),
    itemsCount: count(call, page.items),
    pageCount: count(call, page.pages),
    data: page.rows,
  }
  const bare = options.ohlcEnvelope === 'array'
  const counted = options.ohlcEnvelope === 'spec' && options.ohlcCounts
  const envelope = bare ? page.rows : counted ? full : { data: page.rows }
  return page.rows.length === 0 ? nothing(options, envelope) : serve(envelope)
}

/** A plain JSON array. */
export const listed = (call: Call, dataset: Dataset, truths: object[]): Answer => {
  const rows = truths.map((truth) => dialectRow(call, dataset, truth))
  if (call.fault?.kind === 'short') rows.pop()
  return rows.length === 0 ? nothing(call.options, []) : serve(rows)
}
