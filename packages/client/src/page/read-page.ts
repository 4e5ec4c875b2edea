import { arrayMember, elementsAt, membersAt } from 'candlehouse-foundation/json/members'
import { type PageText, provePage } from 'candlehouse-foundation/json/page'
import { JsonFault, skipSpace } from 'candlehouse-foundation/json/scan'
import type { ApiFault, Endpoint, PageFacts } from '../contract.js'
import { factsOf } from '../endpoints.js'
import { PageFault, ShapeFault } from '../fault.js'
import { member, readCounts } from './envelope.js'
import { errorBody } from './error-body.js'

/** What a 200 body says: records (or an object), or an error code in their place. */
export type PageReading =
  | { readonly page: PageFacts; readonly error?: undefined }
  | { readonly page?: undefined; readonly error: ApiFault }

export const NO_PAGE: PageFacts = {
  shape: 'none',
  rows: 0,
  list: undefined,
  fields: null,
  plain: false,
  pageSize: undefined,
  pageIndex: undefined,
  pageCount: undefined,
  itemsCount: undefined,
}

/** The records of a page. */
type Records = Pick<PageFacts, 'rows' | 'list' | 'fields' | 'plain'>

const NO_RECORDS: Records = { rows: 0, list: undefined, fields: null, plain: false }

/**
 * Decides whether a body is an answer: every byte of it is proven first (docs/decisions/0037-proof-before-the-journal.md).
 *
 * @param believeArray accept a bare array where the specification has an envelope
 * @throws PageFault when the body is not one whole JSON document, or not an answer to this endpoint
 */
export function readPage(endpoint: Endpoint, body: Uint8Array, believeArray = false): PageReading {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const { envelope, list } = prove(text)
  const records: Records | undefined = list && { ...list, list: [list.start, list.end] }
  if (records && envelope === undefined) return bareArray(endpoint, records, believeArray)
  if (typeof envelope !== 'object' || envelope === null) throw new PageFault('not an answer', text)
  if (records) return { page: facts('data', records, envelope) }
  const data = member(envelope, 'data')
  const { answer } = factsOf(endpoint)
  if (answer === 'orderList' || answer === 'fcoList') {
    const holder = member(envelope, answer) === undefined && data !== undefined ? data : envelope
    const orders = ordersOf(text, answer.toLowerCase())
    if (orders) return { page: facts('none', orders, { ...envelope, ...(holder as object) }) }
    if (member(holder, answer) === null) return { page: facts('none', NO_RECORDS, holder) }
  }
  const error = errorBody(envelope)
  if (error && (data === undefined || data === null)) return { error }
  if (answer === 'data' && data === null) return { page: facts('data', NO_RECORDS, envelope) }
  if (answer === 'object' && Object.keys(envelope).length > 0)
    return { page: facts('none', { ...NO_RECORDS, rows: objectRows(envelope, data) }, undefined) }
  throw new PageFault(`not an answer of ${endpoint}`, text)
}

function prove(text: Buffer): PageText {
  try {
    return provePage(text)
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    throw new PageFault(`not one whole JSON document: ${error.message}`, text)
  }
}

function bareArray(endpoint: Endpoint, records: Records, believe: boolean): PageReading {
  const { answer } = factsOf(endpoint)
  if (answer === 'object' && !(believe && records.rows === 0))
    throw new ShapeFault(`an array where ${endpoint} answers an object`)
  if (answer !== 'array' && !believe) throw new ShapeFault(`an array where ${endpoint} answers an envelope`)
  return { page: facts('array', records, undefined) }
}

/** Records of a list at the top of a proven document or in its `data`; undefined where there is none. */
function ordersOf(text: Buffer, listName: string): Records | undefined {
  const top = skipSpace(text, 0)
  const data = [...membersAt(text, top)].find(
    ({ name, start }) => name.toLowerCase() === 'data' && text[start] === 0x7b,
  )
  const list = arrayMember(text, top, listName) ?? (data && arrayMember(text, data.start, listName))
  if (!list) return undefined
  return {
    ...NO_RECORDS,
    rows: [...elementsAt(text, list.start)].length,
    list: [list.start + 1, list.end - 1],
  }
}

/** Positions are two or three lists in one object; any other object is one record. */
function objectRows(value: object, data: unknown): number {
  const holder = data ?? value
  const equity = member(holder, 'equity')
  if (!Array.isArray(equity)) return 1
  const derivative = member(holder, 'derivative')
  const lists = [
    equity,
    derivative,
    member(derivative, 'derOpenPositions'),
    member(derivative, 'derClosePositions'),
  ]
  return lists.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0)
}

function facts(shape: PageFacts['shape'], records: Records, envelope: unknown): PageFacts {
  const { rows, list, fields, plain } = records
  return { shape, rows, list, fields, plain, ...readCounts(envelope) }
}
