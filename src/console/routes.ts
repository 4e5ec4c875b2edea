import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Effects } from '../effects.js'
import { readOwnPages } from '../mine/own-pages/own-page-files.js'
import type { LiveCatalog } from '../read/live-catalog.js'
import type { Trace } from '../read/trace/trace.js'
import type { StatementCatalog } from '../read/user-statement.js'
import type { PaletteName } from '../settings/index.js'
import { type AccountsView, accountsQueryOf } from './accounts.js'
import { type CandleQuery, candlesText } from './candles.js'
import { chartBytes } from './chart.js'
import type { Downloads } from './downloads.js'
import type { Limits } from './limits.js'
import { lineage, statedRules } from './reference.js'
import { JsonLines, Refusal, send, sendJson, sendText } from './response.js'
import type { FirstView, ResultCache } from './result-cache.js'
import { answerText } from './sql-answer.js'
import type { TonightView } from './tonight.js'
import type { StatementList, UserStatements } from './user-statements.js'
import type { UserWatchlist } from './user-watchlist.js'
import { readView } from './views.js'

/** What the routes answer from. */
export interface Services {
  readonly home: string
  readonly palette: PaletteName
  readonly limits: Limits
  readonly effects: Effects
  /** The catalog for the statements of the pages. */
  readonly pages: LiveCatalog
  /** Catalogs for the user's statements: a long one does not hold up the pages. */
  readonly statements: StatementCatalog
  readonly results: ResultCache
  /** The user's statements; undefined: they are kept nowhere. */
  readonly kept: UserStatements | undefined
  readonly watchlist: UserWatchlist | undefined
  readonly downloads: Downloads
  readonly tonight: TonightView
  readonly accounts: AccountsView
}

/** A request that may be answered. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly query: URLSearchParams
  /** Parts of the path that a route leaves open. */
  readonly parts: readonly string[]
  readonly services: Services
}

type Route = (exchange: Exchange) => Promise<void>

/** A route whose answer is sent as JSON. */
function json(answerOf: (exchange: Exchange) => unknown): Route {
  return async (exchange) => sendJson(exchange.response, await answerOf(exchange))
}

/** Rows of one page of a kept result. */
const PAGE_ROWS = 5_000

const ROUTES: readonly (readonly [method: string, path: RegExp, route: Route])[] = [
  ['POST', /^\/api\/sql$/, postSql],
  ['GET', /^\/api\/candles$/, getCandles],
  ['GET', /^\/api\/chart$/, getChart],
  ['GET', /^\/api\/accounts$/, json(({ services, query }) => services.accounts.read(accountsQueryOf(query)))],
  ['GET', /^\/api\/tonight$/, json(({ services }) => services.tonight.read())],
  [
    'GET',
    /^\/api\/views\/([a-z_]+)$/,
    json(({ services, parts, query }) => readView(services.pages, parts[0] ?? '', query)),
  ],
  ['GET', /^\/api\/rules$/, json(({ services }) => statedRules(services.home))],
  ['GET', /^\/api\/lineage$/, json(lineage)],
  ['GET', /^\/api\/pages$/, json(({ services }) => readOwnPages(services.home))],
  ['GET', /^\/api\/trace$/, json(traceOf)],
  ['POST', /^\/api\/results$/, json(startResult)],
  ['GET', /^\/api\/results\/(\d+)$/, json(({ parts, services }) => services.results.view(Number(parts[0])))],
  ['GET', /^\/api\/results\/(\d+)\/rows$/, json(resultRows)],
  ['POST', /^\/api\/results\/cancel$/, cancelResult],
  ['GET', /^\/api\/statements$/, json(listStatements)],
  ['POST', /^\/api\/statements\/save$/, json(saveStatement)],
  ['POST', /^\/api\/statements\/remove$/, json(removeStatement)],
  ['GET', /^\/api\/watchlist$/, json(({ services }) => services.watchlist?.read() ?? [])],
  ['POST', /^\/api\/watchlist$/, json(saveWatchlist)],
  ['POST', /^\/api\/downloads$/, postDownload],
  [
    'GET',
    /^\/api\/downloads\/(\d+)$/,
    ({ response, parts, services }) => services.downloads.send(Number(parts[0]), response),
  ],
]

export async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  address: URL,
  services: Services,
): Promise<void> {
  const { pathname, searchParams: query } = address
  const matching = ROUTES.filter(([, path]) => path.test(pathname))
  const [, path, route] = matching.find(([method]) => method === request.method) ?? []
  if (!path || !route) {
    throw matching.length > 0
      ? new Refusal(405, `${request.method} is not possible here`)
      : new Refusal(404, `there is no ${pathname}`)
  }
  const parts = path.exec(pathname)?.slice(1) ?? []
  await route({ request, response, query, parts, services })
}

async function postSql({ request, response, services }: Exchange): Promise<void> {
  const { statements, limits, effects } = services
  const signal = untilGone(response)
  const { sql, limit = 1_000 } = await bodyOf(request)
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 0) {
    throw new Refusal(400, 'limit is not a whole number', 'send {"sql": "select 1", "limit": 1000}')
  }
  sendText(response, await answerText(statements, textOf(sql, 'sql'), limit, limits, signal, effects))
}

async function getCandles({ response, query, services }: Exchange): Promise<void> {
  sendText(response, await candlesText(services.pages, candleQueryOf(query)))
}

async function getChart({ response, query, services }: Exchange): Promise<void> {
  const wordOf = (name: string): string => query.get(name) ?? ''
  const [symbol, timeframe] = [wordOf('symbol'), wordOf('timeframe')]
  const [adjusted, other, indicators] = [wordOf('adjusted'), wordOf('other'), wordOf('indicators')]
  const asked = { symbol, timeframe, adjusted, other, indicators }
  const bytes = await chartBytes(services.pages, asked)
  send(response, 200, 'application/octet-stream', bytes)
}

function candleQueryOf(query: URLSearchParams): CandleQuery {
  const wordOf = (name: string): string => query.get(name) ?? ''
  const [symbol, timeframe] = [wordOf('symbol'), wordOf('timeframe')]
  return { symbol, timeframe, from: wordOf('from'), to: wordOf('to'), adjusted: wordOf('adjusted') }
}

async function traceOf({ query, services }: Exchange): Promise<Trace> {
  const { traceRow } = await import('../read/trace/trace.js')
  return await traceRow(services.home, query.get('relation') ?? '', [query.get('key') ?? ''])
}

async function startResult({ request, services }: Exchange): Promise<FirstView> {
  const { sql, page = '' } = await bodyOf(request)
  const text = textOf(sql, 'sql')
  const started = services.results.start(text, textOf(page, 'page'))
  // The history takes no time from the first rows.
  await services.kept?.add(text)
  return await started
}

async function listStatements({ services }: Exchange): Promise<StatementList> {
  return (await services.kept?.list()) ?? { history: [], saved: [] }
}

async function saveStatement({ request, services }: Exchange): Promise<StatementList> {
  const { name, sql } = await bodyOf(request)
  await keepingOf(services).save(textOf(name, 'name'), textOf(sql, 'sql'))
  return await keepingOf(services).list()
}

async function removeStatement({ request, services }: Exchange): Promise<StatementList> {
  keepingOf(services).remove(textOf((await bodyOf(request)).name, 'name'))
  return await keepingOf(services).list()
}

async function saveWatchlist({ request, services }: Exchange): Promise<string[]> {
  if (!services.watchlist) throw new Refusal(409, 'this console keeps no watchlist')
  return await services.watchlist.write((await bodyOf(request)).symbols)
}

function keepingOf({ kept }: Services): UserStatements {
  if (kept) return kept
  throw new Refusal(409, 'this console keeps no statements')
}

async function resultRows({ query, parts, services }: Exchange): Promise<unknown[][]> {
  const [from, count] = [wholeOf(query, 'from'), wholeOf(query, 'count')]
  const order = query.has('sort')
    ? { column: wholeOf(query, 'sort'), descending: query.get('descending') === 'true' }
    : undefined
  return await services.results.rows(Number(parts[0]), from, Math.min(count, PAGE_ROWS), order)
}

function wholeOf(query: URLSearchParams, name: string): number {
  const value = Number(query.get(name))
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new Refusal(400, `${name} is not a whole number`)
}

async function cancelResult({ request, response, services }: Exchange): Promise<void> {
  const { page = '' } = await bodyOf(request)
  await services.results.cancel(textOf(page, 'page'))
  sendJson(response, {})
}

/** Lines of JSON: the progress, then the file that is ready. A client that closes its connection stops the work. */
async function postDownload({ request, response, services }: Exchange): Promise<void> {
  const signal = untilGone(response)
  const { sql, format } = await bodyOf(request)
  const lines = new JsonLines(response)
  try {
    const prepared = await services.downloads.prepare(
      textOf(sql, 'sql'),
      textOf(format, 'format'),
      signal,
      (progress) => lines.write(progress),
    )
    lines.end(prepared)
  } catch (error) {
    lines.fail(error)
  }
}

/** Aborts where the client closes its connection before the answer; called before anything is awaited, so that no close is missed. */
function untilGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return gone.signal
}

/** Longest statement, in bytes. */
const LONGEST = 1024 * 1024

/** The JSON object of a request. @throws Refusal for anything else */
async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > LONGEST) throw new Refusal(413, `the request is longer than ${LONGEST} bytes`)
    pieces.push(piece)
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(pieces).toString('utf8'))
    if (value !== null && typeof value === 'object' && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // Said below.
  }
  throw new Refusal(400, 'the request is not a JSON object', 'send {"sql": "select 1", "limit": 1000}')
}

function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value
  throw new Refusal(400, `${name} is missing`, 'send {"sql": "select 1"}')
}
