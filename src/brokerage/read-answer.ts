import type { Answer, Endpoint, Query } from './contract.js'
import { Fault } from './fault.js'
import { errorBody, isPassing, statusOfCode } from './page/error-body.js'
import { NO_PAGE, readPage } from './page/read-page.js'
import { describe, isHtml, jsonOf } from './page/response.js'
import { readableText } from './transport/decode-body.js'
import type { HttpResponse } from './transport/transport.js'

/** An answer without what only the sender knows, or word that the token was not accepted. */
export type Judged = Omit<Answer, 'attempts'> & { readonly unauthorized: boolean }

/**
 * Reads one HTTP answer: records, nothing, or an error the service will repeat.
 *
 * @throws Fault for what another attempt may change: 5xx, 408, 425, 429, HTML, bodies that are not whole
 */
export function judge(
  endpoint: Endpoint,
  query: Query,
  response: HttpResponse,
  believeArray: boolean,
): Judged {
  const { status, receivedAt } = response
  const bare = {
    endpoint,
    query,
    status,
    receivedAt,
    body: response.body,
    wire: response.wire,
    page: NO_PAGE,
    error: undefined,
    unauthorized: false,
  } as const
  if (isPassing(status)) throw new Fault('status', describe(response), { status })
  if (status === 204) return { ...bare, outcome: 'empty', body: new Uint8Array(), wire: undefined }
  if (status >= 300) return refusal(bare, response)
  if (isHtml(response)) throw new Fault('content', describe(response), { status })

  const { body, wire } = readableText(response)
  const reading = readPage(endpoint, body, believeArray)
  if (reading.page) {
    // `rows` of a lone object is 1: only lists can be empty.
    return { ...bare, body, wire, page: reading.page, outcome: reading.page.rows > 0 ? 'rows' : 'empty' }
  }
  const error = reading.error
  if (error.code === '204') return { ...bare, body, wire, outcome: 'empty' }
  const meant = statusOfCode(error.code)
  const said = `HTTP ${status} with code ${error.code}: ${error.message}`
  if (meant !== undefined && isPassing(meant)) throw new Fault('status', said, { status: meant })
  if (meant !== undefined && meant < 400) throw new Fault('content', said, { status })
  return { ...bare, body, wire, outcome: 'refused', error, unauthorized: meant === 401 }
}

function refusal(bare: Omit<Judged, 'outcome'>, response: HttpResponse): Judged {
  const { status } = response
  const error = errorBody(jsonOf(response.body))
  if (error) return { ...bare, outcome: 'refused', error, unauthorized: status === 401 }
  if (status === 401)
    return { ...bare, outcome: 'refused', error: { code: '401', message: '' }, unauthorized: true }
  // A firewall's page may be gone a moment later; a page that is not there will stay away.
  throw new Fault(status === 403 ? 'status' : 'final', describe(response), { status })
}
