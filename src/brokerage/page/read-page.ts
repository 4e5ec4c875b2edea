import type { ApiFault, Endpoint, PageFacts } from '../contract.js'
import { factsOf } from '../endpoints.js'
import { excerpt } from '../excerpt.js'
import { Fault, ShapeFault } from '../fault.js'
import { member, readCounts } from './envelope.js'
import { errorBody } from './error-body.js'
import { countFlat, cutList } from './scan-records.js'

/** Content of a 200 body: records (or an object), or an error code in their place. */
export type PageReading =
  | { readonly page: PageFacts; readonly error?: undefined }
  | { readonly page?: undefined; readonly error: ApiFault }

export const NO_PAGE: PageFacts = {
  shape: 'none',
  rows: 0,
  list: undefined,
  pageSize: undefined,
  pageIndex: undefined,
  pageCount: undefined,
  itemsCount: undefined,
  knownWhole: 0,
}

/**
 * Reads the shape of one body: cheaply where records are flat, by JSON.parse when in doubt.
 *
 * @param believeArray accept a bare array where the specification has an envelope
 * @throws Fault when the body is not JSON or not an answer to this endpoint
 */
export function readPage(endpoint: Endpoint, body: Uint8Array, believeArray = false): PageReading {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const { answer } = factsOf(endpoint)
  if (answer === 'array' || answer === 'data') {
    const cut = cutList(text)
    const rows = cut && countFlat(text, cut)
    if (cut && rows !== undefined) {
      if (cut.envelope === undefined) return bareArray(endpoint, rows, [cut.start, cut.end], believeArray)
      return { page: facts('data', rows, [cut.start, cut.end], cut.envelope) }
    }
  }
  return readWhole(endpoint, text, believeArray)
}

function readWhole(endpoint: Endpoint, text: Buffer, believeArray: boolean): PageReading {
  let value: unknown
  try {
    value = JSON.parse(text.toString('utf8'))
  } catch (cause) {
    const start = excerpt(text.toString('utf8', 0, 800))
    throw new Fault('content', `not whole JSON (${text.length} bytes): ${start}`, { cause })
  }
  if (Array.isArray(value)) return bareArray(endpoint, value.length, outside(text, 0), believeArray)
  if (typeof value !== 'object' || value === null)
    throw new Fault('content', `not an answer: ${excerpt(text.toString('utf8', 0, 800))}`)
  const data = member(value, 'data')
  const error = errorBody(value)
  const { answer } = factsOf(endpoint)
  if (Array.isArray(data)) {
    const list = outside(text, text.toString('latin1').search(/"data"/i))
    return { page: facts('data', data.length, list, value) }
  }
  if (answer === 'orderList' || answer === 'fcoList') {
    const holder = member(value, answer) === undefined && data !== undefined ? data : value
    const records = member(holder, answer)
    if (Array.isArray(records)) {
      const at = text.toString('latin1').search(new RegExp(`"${answer}"`, 'i'))
      return { page: facts('none', records.length, outside(text, at), { ...value, ...(holder as object) }) }
    }
    if (records === null) return { page: facts('none', 0, undefined, holder) }
  }
  if (error && (data === undefined || data === null)) return { error }
  if (answer === 'data' && data === null) return { page: facts('data', 0, undefined, value) }
  if (answer === 'object' && Object.keys(value).length > 0)
    return { page: facts('none', objectRows(value, data), undefined, undefined) }
  throw new Fault('content', `not an answer of ${endpoint}: ${excerpt(text.toString('utf8', 0, 800))}`)
}

function bareArray(
  endpoint: Endpoint,
  rows: number,
  list: readonly [number, number] | undefined,
  believe: boolean,
): PageReading {
  const { answer } = factsOf(endpoint)
  if (answer === 'object' && !(believe && rows === 0))
    throw new ShapeFault(`an array where ${endpoint} answers an object`)
  if (answer !== 'array' && !believe) throw new ShapeFault(`an array where ${endpoint} answers an envelope`)
  return { page: facts('array', rows, list, undefined) }
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

function outside(text: Buffer, from: number): readonly [number, number] | undefined {
  const open = from < 0 ? -1 : text.indexOf('[', from)
  const close = text.lastIndexOf(']')
  return open >= 0 && close > open ? [open + 1, close] : undefined
}

function facts(
  shape: PageFacts['shape'],
  rows: number,
  list: readonly [number, number] | undefined,
  envelope: unknown,
): PageFacts {
  return { shape, rows, list, ...readCounts(envelope), knownWhole: 0 }
}
