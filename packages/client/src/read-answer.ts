import type { Answer, Endpoint, Query } from './contract.js'
import { Fault, PageFault } from './fault.js'
import { errorBody, isPassing, statusOfCode } from './page/error-body.js'
import { NO_PAGE, readPage } from './page/read-page.js'
import { describe, isHtml, jsonOf } from './page/response.js'
import { readHttpDate } from './throttle/retry-after.js'
import { readableText } from './transport/decode-body.js'
import type { HttpResponse } from './transport/transport.js'

/** An answer as read from one response, before the number of attempts is known. `unauthorized`: the token was refused. */
export type AnswerReading = Omit<Answer, 'attempts'> & { readonly unauthorized: boolean }

/**
 * Reads an HTTP response: records, no records, or an error that the service would repeat.
 *
 * @throws Fault when another attempt may give another answer: 5xx, 408, 425, 429, HTML · PageFault for other bodies that
 *   are not whole
 */
export function readAnswer(
  endpoint: Endpoint,
  query: Query,
  response: HttpResponse,
  believeArray: boolean,
): AnswerReading {
  const { status, receivedAt } = response
  const reading = {
    endpoint,
    query,
    status,
    receivedAt,
    serviceTime: readHttpDate(response.headers.date),
    body: response.body,
    wire: response.wire,
    page: NO_PAGE,
    error: undefined,
    unauthorized: false,
  } as const
  if (isPassing(status)) throw new Fault('status', describe(response), { status })
  if (status === 204) return { ...reading, outcome: 'empty', body: new Uint8Array(), wire: undefined }
  if (status >= 300) return readRefusal(reading, response)
  if (isHtml(response)) throw new Fault('content', describe(response), { status })

  const { body, wire } = readableText(response)
  const pageReading = readPage(endpoint, body, believeArray)
  if (pageReading.page) {
    // An object counts as one row: only lists can be empty.
    return {
      ...reading,
      body,
      wire,
      page: pageReading.page,
      outcome: pageReading.page.rows > 0 ? 'rows' : 'empty',
    }
  }
  const error = pageReading.error
  if (error.code === '204') return { ...reading, body, wire, outcome: 'empty' }
  const codeStatus = statusOfCode(error.code)
  const message = `HTTP ${status} with code ${error.code}: ${error.message}`
  if (codeStatus !== undefined && isPassing(codeStatus))
    throw new Fault('status', message, { status: codeStatus })
  if (codeStatus !== undefined && codeStatus < 400)
    throw new PageFault(`code ${error.code} in place of records`, body)
  return { ...reading, body, wire, outcome: 'refused', error, unauthorized: codeStatus === 401 }
}

function readRefusal(reading: Omit<AnswerReading, 'outcome'>, response: HttpResponse): AnswerReading {
  const { status } = response
  const error = errorBody(jsonOf(response.body))
  if (error) return { ...reading, outcome: 'refused', error, unauthorized: status === 401 }
  if (status === 401)
    return { ...reading, outcome: 'refused', error: { code: '401', message: '' }, unauthorized: true }
  // 403 may be the page of a firewall, which may let the next attempt pass. Other statuses stay the same.
  throw new Fault(status === 403 ? 'status' : 'final', describe(response), { status })
}
