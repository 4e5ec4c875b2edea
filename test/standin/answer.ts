// What a route says: a status and a JSON value, before any fault touches the bytes.

import type { Fault } from './faults.js'
import type { RequestLog } from './log.js'
import type { StandInMarket } from './market.js'
import type { StandInOptions } from './options.js'

export interface Answer {
  status: number
  /** Absent: no body at all. */
  value?: unknown
  headers?: Record<string, string>
}

export interface Call {
  request: RequestLog
  options: StandInOptions
  market: StandInMarket
  /** 'YYYY/MM/DD' */
  today: string
  fault: Fault | undefined
}

export const serve = (value: unknown): Answer => ({ status: 200, value })

/** An error; `code` is text or a number as the options say. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly numeric = false,
  ) {
    super(message)
  }
}

export const invalid = (message = 'Invalid request', code = '400'): Refusal => new Refusal(400, code, message)

export const refusalAnswer = (refusal: Refusal, options: StandInOptions): Answer => {
  const numeric = refusal.numeric || options.errorCode === 'number'
  const code = numeric ? Number(refusal.code) : refusal.code
  return { status: refusal.status, value: { code, msg: refusal.message } }
}

/** Nothing to serve, in the way this deployment says so. */
export const nothing = (options: StandInOptions, envelope: unknown): Answer => {
  if (options.emptyAs === 'http204') return { status: 204 }
  if (options.emptyAs === '204') return serve({ code: 204 })
  return serve(options.emptyAs === '[]' ? [] : envelope)
}

/** A query parameter; an empty one counts as absent. */
export const param = (call: Call, name: string): string | undefined => call.request.query[name] || undefined

export const required = (call: Call, name: string): string => {
  const value = param(call, name)
  if (value === undefined) throw invalid(`${name} is required`)
  return value
}
