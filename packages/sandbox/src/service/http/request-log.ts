import type { Effects } from 'candlehouse-foundation/effects'
import { visible } from 'candlehouse-foundation/visible'
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** Why it was refused, for the developer; undefined for all others. */
    problem: string | undefined
  }
}

/** Parameters whose values are shown. A secret that strays into the address has another name. */
const SHOWN = new Set([
  'symbol',
  'board',
  'index',
  'from',
  'to',
  'tradingDate',
  'timeFrame',
  'pageIndex',
  'pageSize',

  'accountNo',
  'clientId',
  'querySummary',
  'price',
  'orderStatus',
  'processStatus',
  'fcoId',
  'type',
  'side',
])

const LONGEST_PATH = 120

/**
 * Reports each request as one line: when, what, the status, how long it took, and why it was refused. Headers and bodies,
 * where keys, passwords, tokens and signatures are, are never read for it.
 */
export function logRequests(app: FastifyInstance, effects: Effects, log: (line: string) => void): void {
  app.addHook('onResponse', async (request, reply) => {
    const status = request.faults?.some(({ kind }) => kind === 'reset') ? 'reset' : String(reply.statusCode)
    const size = reply.getHeader('content-length')
    const parts = [
      new Date(effects.now()).toISOString(),
      status,
      `${request.method} ${shownAddress(request)}`,
      `${reply.elapsedTime.toFixed(1)} ms`,
      ...(size === undefined ? [] : [`${String(size)} bytes`]),
    ]
    const reasons = [...planned(request), ...(request.problem ? [request.problem] : [])]
    log(`${parts.join('  ')}${reasons.length > 0 ? `  (${reasons.join('; ')})` : ''}`)
  })
}

function planned({ faults }: FastifyRequest): string[] {
  return (faults ?? []).map(({ kind }) => `planned fault ${kind}`)
}

function shownAddress({ url }: FastifyRequest): string {
  const [path = '', query = ''] = url.split('?', 2)
  const shown = [...new URLSearchParams(query)].map(
    ([name, value]) => `${name.slice(0, 40)}=${SHOWN.has(name) ? value.slice(0, 40) : '…'}`,
  )
  const text = `${path.slice(0, LONGEST_PATH)}${shown.length > 0 ? `?${shown.join('&')}` : ''}`
  // Something like a token in the path is of nobody's request; it is not shown either.
  const clean = text.replace(/eyJ[\w-]*\.[\w.-]*/g, '[token]')
  // Without line ends and tabs, which `visible` leaves, so that a request is one line.
  return visible(clean.replace(/[\r\n\t]/g, ' '))
}
