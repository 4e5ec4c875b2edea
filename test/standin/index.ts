// An independent brokerage service for end-to-end tests: written from the specification alone, sharing no code
// with the program or with its sandbox, so that the two can disagree.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildAccounts, type StandInAccounts } from './accounts.js'
import { slashed } from './dates.js'
import { deliver, deliverReplacement, replacement } from './deliver.js'
import { faultPicker } from './faults.js'
import { matches, type RequestLog } from './log.js'
import { buildMarket, type StandInMarket } from './market.js'
import { defaultOptions, type StandInOptions } from './options.js'
import { rateGate } from './rate.js'
import { answerTo } from './service.js'
import { Tokens } from './tokens.js'

export { position, type StandInAccounts } from './accounts.js'
export { fall, hideSymbol, omitSummaries, renameSymbol, withdrawDay } from './edits.js'
export type { Fault } from './faults.js'
export type { RequestLog } from './log.js'
export { buildMarket, type MarketPlan, type StandInMarket } from './market.js'
export type { Dataset, StandInKey, StandInOptions } from './options.js'
export type * from './rows.js'
export { DELISTED, defaultSymbols, NEVER_TRADED, ODD_SYMBOLS, type SymbolSeed } from './symbols.js'

export type RequestHook = (ordinal: number, request: RequestLog) => void | Promise<void>

export interface StandIn {
  url: string
  apiKey: string
  apiSecret: string
  otp: string
  market: StandInMarket
  accounts: StandInAccounts
  requests: RequestLog[]
  /** Every token that was ever given out. */
  tokens: readonly string[]
  count(pathSuffix: string, where?: Record<string, string>): number
  setOptions(partial: Partial<Omit<StandInOptions, 'market'>>): void
  /** Awaited before a request is answered. */
  onRequest?: RequestHook | undefined
  /** The access token counts as expired from now on; its refresh token still works. */
  expireToken(): void
  /** The session is gone, as after a login elsewhere. */
  revokeSession(): void
  /** Stops listening: connections are refused until `plug`. */
  unplug(): Promise<void>
  /** Listens again, at the same address. */
  plug(): Promise<void>
  /** Answers a request that came without a connection. What a hook throws is answered with 599. */
  serve(request: RequestLog, response: ServerResponse): Promise<void>
  close(): Promise<void>
}

/** Five sessions of one week, when no market is given. */
const defaultSessions = ['2025-03-03', '2025-03-04', '2025-03-05', '2025-03-06', '2025-03-07']

const received = async (incoming: IncomingMessage): Promise<RequestLog> => {
  const url = new URL(incoming.url ?? '/', 'http://stand.in')
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const)
  return {
    at: 0,
    method: incoming.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(headers),
    body: Buffer.concat(chunks).toString('utf8'),
    status: 0,
  }
}

export async function startStandIn(given: Partial<StandInOptions> = {}): Promise<StandIn> {
  const options: StandInOptions = {
    ...defaultOptions(given.market ?? buildMarket({ sessions: defaultSessions })),
    ...given,
  }
  const { market } = options
  const [tokens, gate, pick] = [new Tokens(options), rateGate(options), faultPicker()]
  const accounts = buildAccounts(market.sessions)

  const handle = async (request: RequestLog, response: ServerResponse): Promise<void> => {
    const key = tokens.keyOf(request.headers.authorization, request.body)
    if (key !== undefined) request.key = key
    await standIn.onRequest?.(request.at, request)
    const fault = pick(options.faults, request)
    if (fault) request.fault = fault.kind
    if (fault?.kind === 'hang') return
    response.setHeader('Date', new Date(options.now()).toUTCString())
    const instead = replacement(fault)
    if (instead) {
      request.status = instead.status
      deliverReplacement(response, instead)
      return
    }
    const today = slashed(options.today ?? market.sessions.at(-1) ?? '9999-12-31')
    const answer = answerTo({ request, options, market, today, fault }, tokens, accounts, gate())
    request.status = answer.status
    deliver(
      response,
      answer,
      fault,
      options.gzip && /\bgzip\b/.test(request.headers['accept-encoding'] ?? ''),
    )
  }

  const serve = async (request: RequestLog, response: ServerResponse): Promise<void> => {
    request.at = standIn.requests.push(request)
    await handle(request, response).catch((error: unknown) => {
      // A mistake of the stand-in or of a hook: loud, and never mistaken for a planned fault.
      request.status = 599
      if (!response.headersSent) response.writeHead(599, { 'Content-Type': 'text/plain' })
      response.end(`stand-in: ${error instanceof Error ? error.stack : String(error)}`)
    })
  }
  const server = createServer(async (incoming, response) => {
    const request = await received(incoming).catch(() => undefined)
    if (request) await serve(request, response)
  })
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  const stop = (): Promise<void> =>
    new Promise((resolve, reject) => {
      server.close((error) => (error ? reject(error) : resolve()))
      server.closeAllConnections()
    })
  if (options.listens) await listen(0)
  const { port } = (server.address() ?? { port: 80 }) as AddressInfo

  const standIn: StandIn = {
    url: `http://127.0.0.1:${port}`,
    apiKey: options.apiKey,
    apiSecret: options.apiSecret,
    otp: options.otp,
    market,
    accounts,
    requests: [],
    tokens: tokens.given,
    count: (pathSuffix, where) => standIn.requests.filter((one) => matches(one, pathSuffix, where)).length,
    setOptions: (partial) => {
      Object.assign(options, partial)
    },
    expireToken: () => tokens.expire(),
    revokeSession: () => tokens.revoke(),
    unplug: stop,
    plug: () => listen(port),
    serve,
    close: () => (server.listening ? stop() : Promise.resolve()),
  }
  return standIn
}
