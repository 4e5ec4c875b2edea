import { Fault } from '../fault.js'

/** Connection never made: wrong address, service down, or certificate not accepted. */
const UNREACHABLE = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Of these, what only connecting can meet; the others may also end a request that had left. */
const NEVER_CONNECTED = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'])

const TLS = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO)/

/** An error of the HTTP library as a Fault that names host and cause. */
export function networkFault(error: unknown, host: string, answered: boolean): Fault {
  const code = codeOf(error)
  const message = messageOf(error)
  if (UNREACHABLE.has(code) || TLS.test(code))
    return new Fault('unreachable', `cannot reach ${host}: ${message}${code ? ` (${code})` : ''}`, {
      unsent: NEVER_CONNECTED.has(code),
      cause: error,
    })
  const what = answered ? 'the answer broke off' : 'the connection closed before an answer'
  return new Fault('reset', `${host}: ${what}: ${message}${code ? ` (${code})` : ''}`, {
    beforeAnswer: !answered,
    cause: error,
  })
}

function codeOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const code = (at as NodeJS.ErrnoException).code
    if (typeof code === 'string') return code
  }
  return ''
}

/** Node tries every address of a host and hides the reasons in an AggregateError without a message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0)
    return error.errors.map((cause) => (cause as Error).message).join('; ')
  return error instanceof Error ? error.message : String(error)
}
