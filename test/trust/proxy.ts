import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A record of an answer, every value as the service wrote it. */
export type Wire = Record<string, unknown>

/** An answer on its way to the client. */
export interface Passing {
  /** Last part of the path: `securitiesSummary`, `ohlc`, `orderBook` … */
  readonly endpoint: string
  readonly query: Readonly<Record<string, string>>
  /** The whole body, to be changed in place. */
  readonly body: Wire | Wire[]
  /** Its list of records, wherever the envelope has it; changed in place. */
  readonly records: Wire[]
  /** Records of a day that the same question was answered with before any lie. */
  of(day: string): Wire[]
}

/** Changes an answer in place. @returns whether it changed anything */
export type Mutate = (passing: Passing) => boolean

export interface LyingProxy {
  readonly url: string
  /** What is done to every answer from now on; undefined: nothing. */
  mutate: Mutate | undefined
  /** Answers changed since `mutate` was set. */
  hits: number
  close(): Promise<void>
}

/** Stands between the client and a service, and lies in its answers. */
export async function startProxy(target: string): Promise<LyingProxy> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      void forward(Buffer.concat(chunks)).catch((error: Error) => {
        response.writeHead(502).end(error.message)
      })
    })
    async function forward(sent: Buffer): Promise<void> {
      const { authorization, 'content-type': type = 'application/json' } = request.headers
      const answer = await fetch(`${target}${request.url}`, {
        method: request.method ?? 'GET',
        headers: { 'content-type': type, ...(authorization ? { authorization } : {}) },
        ...(sent.length > 0 ? { body: sent } : {}),
      })
      const text = await answer.text()
      const passed = answer.ok ? lie(request.url ?? '', text) : text
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'application/json',
      })
      response.end(passed)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: LyingProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mutate: undefined,
    hits: 0,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  const seen = new Map<string, Wire[]>()
  function lie(url: string, text: string): string {
    const { pathname, searchParams } = new URL(url, proxy.url)
    const body = JSON.parse(text) as Wire | Wire[]
    const endpoint = pathname.split('/').at(-1) ?? ''
    const query = Object.fromEntries(searchParams)
    const records = recordsOf(body)
    const question = [endpoint, query.symbol, query.timeFrame, query.index].join(' ')
    if (!proxy.mutate) {
      for (const record of records) {
        const name = `${question} ${String(record.tradingDate).slice(0, 10)}`
        seen.set(name, [...(seen.get(name) ?? []), { ...record }])
      }
      return text
    }
    const of = (day: string): Wire[] =>
      (seen.get(`${question} ${day}`) ?? []).map((record) => ({ ...record }))
    if (!proxy.mutate({ endpoint, query, body, records, of })) return text
    proxy.hits += 1
    return JSON.stringify(body)
  }
  return proxy
}

function recordsOf(body: Wire | Wire[]): Wire[] {
  if (Array.isArray(body)) return body
  const { data, orderList, fcoList, equity } = body
  for (const list of [orderList, fcoList, data]) if (Array.isArray(list)) return list as Wire[]
  if (typeof data === 'object' && data !== null) return recordsOf(data as Wire)
  const open = (body.derivative as Wire | undefined)?.derOpenPositions
  for (const list of [equity, open]) if (Array.isArray(list) && list.length > 0) return list as Wire[]
  return []
}
