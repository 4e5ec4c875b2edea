import { mkdtempSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Effects } from '../effects.js'
import { makeReaderFolder, removeTempFolder } from '../home/home.js'
import { LiveCatalog } from '../read/live-catalog.js'
import { StatementLanes } from '../read/statement-lanes.js'
import type { PaletteName } from '../settings/index.js'
import { Access } from './access.js'
import { AccountsView } from './accounts.js'
import { Downloads } from './downloads.js'
import { LIMITS, type Limits } from './limits.js'
import { listenOnLoopback } from './loopback.js'
import { Refusal, send, sendFailure } from './response.js'
import { ResultCache } from './result-cache.js'
import { answer, type Services } from './routes.js'
import { sendPage } from './static-files.js'
import { TonightView } from './tonight.js'
import { type StatementKeeping, UserStatements } from './user-statements.js'
import { UserWatchlist } from './user-watchlist.js'

export interface ConsoleOptions {
  home: string
  /** 0: any free one. */
  port: number
  /** Colours of prices. @default 'vietnam' */
  palette?: PaletteName
  /** @default LIMITS */
  limits?: Limits
  /** Where the user's statements are kept. @default nowhere */
  keeping?: StatementKeeping
}

export interface RunningConsole {
  /** With the token: opening it sets the cookie. */
  url: string
  token: string
  /** For temporary files, private to the user; removed with the console. */
  folder: string
  close(): Promise<void>
}

/**
 * Serves the console on loopback. It only reads: the published catalog, raw pages and the files of `logs/`.
 *
 * @throws UsageError where the port is taken
 */
export async function startConsole(options: ConsoleOptions, effects: Effects): Promise<RunningConsole> {
  const { home, port, palette = 'vietnam', limits = LIMITS, keeping } = options
  const folder = makeReaderFolder(home) ?? mkdtempSync(join(tmpdir(), 'candlehouse-console-'))
  const access = new Access()
  const pages = new LiveCatalog(home, { memoryLimit: limits.memory })
  const statements = new StatementLanes(home, { memoryLimit: limits.memory }, limits.statements)
  const accounts = new AccountsView(pages)
  const services: Services = {
    home,
    palette,
    limits,
    effects,
    pages,
    statements,
    results: new ResultCache(statements, folder, limits, effects),
    kept: keeping && new UserStatements(keeping, effects),
    watchlist: keeping && new UserWatchlist(keeping.environment, effects),
    downloads: new Downloads(home, folder, effects),
    tonight: new TonightView(home, effects, () => accounts.margins()),
    accounts,
  }
  const server = createServer((request, response) => {
    handle(request, response, access, services).catch((error: unknown) => sendFailure(response, error))
  })
  try {
    access.port = await listenOnLoopback(server, port)
  } catch (error) {
    removeTempFolder(folder)
    throw error
  }
  return {
    url: `${access.origin}/?token=${access.token}`,
    token: access.token,
    folder,
    async close() {
      await services.results.close()
      server.close()
      server.closeAllConnections()
      await Promise.all([pages.close(), statements.close()])
      removeTempFolder(folder)
    },
  }
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  access: Access,
  services: Services,
): Promise<void> {
  if (!access.isLocal(request))
    throw new Refusal(403, 'the console answers only to its own address and its own pages')
  if (!URL.canParse(request.url ?? '/', access.origin)) throw new Refusal(400, 'the path is not an address')
  const address = new URL(request.url ?? '/', access.origin)
  if (address.pathname === '/' && access.isToken(address.searchParams.get('token'))) {
    enter(request, response, access)
    return
  }
  if (!access.isAllowed(request)) {
    throw new Refusal(
      401,
      'the token is missing or wrong',
      'open the address that candlehouse console printed',
    )
  }
  if (address.pathname.startsWith('/api/')) await answer(request, response, address, services)
  else await sendPage(request, response, address.pathname, services.palette)
}

/**
 * Sets the cookie and leads to the page without the token. A browser that comes from another page (`--open` begins in a
 * file) would not send the cookie with a redirect, so it gets a page of this server that leads on.
 */
function enter({ headers }: IncomingMessage, response: ServerResponse, access: Access): void {
  const cookie = { 'set-cookie': access.setCookie }
  if (headers['sec-fetch-site'] === 'cross-site')
    send(response, 200, 'text/html', '', { ...cookie, refresh: '0; url=/' })
  else send(response, 303, 'text/plain', '', { ...cookie, location: '/' })
}
