import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, relative, sep } from 'node:path'
import { UsageError } from 'candlehouse-foundation/errors'
import { packageRoot } from '../package.js'
import { Access } from './access.js'
import { listenOnLoopback } from './loopback.js'
import { Refusal, send, sendFailure } from './response.js'

/** Written by the build from `docs/`. */
const SITE = join(packageRoot, 'dist', 'site')

/** Stand once in the package: the pages of the site name them as `images/NAME`. */
const IMAGES = join(packageRoot, 'docs', 'images')

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

export interface ServedDocs {
  readonly url: string
  close(): void
}

/**
 * Serves the documentation on loopback.
 *
 * @throws UsageError where the port is taken
 */
export async function serveDocs(port: number): Promise<ServedDocs> {
  const files = siteFiles()
  const access = new Access()
  const server = createServer((request, response) => {
    try {
      if (!access.isLocal(request))
        throw new Refusal(403, 'the documentation answers only to its own address')
      if (request.method !== 'GET') throw new Refusal(405, `${request.method} is not possible here`)
      const [path = ''] = (request.url ?? '/').slice(1).split(/[?#]/)
      const file = files.get(path === '' || path.endsWith('/') ? `${path}index.html` : path)
      if (file === undefined) throw new Refusal(404, `there is no page ${path}`)
      send(response, 200, TYPES[extname(file)] ?? 'application/octet-stream', readFileSync(file))
    } catch (error) {
      sendFailure(response, error)
    }
  })
  access.port = await listenOnLoopback(server, port)
  return {
    url: `${access.origin}/`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Writes the documentation to a folder, for any web server or a browser. @throws UsageError for a folder that has files */
export function copyDocs(out: string): void {
  siteFiles()
  if (existsSync(out) && readdirSync(out).length > 0)
    throw new UsageError(`${out} has files already`, { hint: 'name a folder that is new or empty' })
  cpSync(SITE, out, { recursive: true })
  cpSync(IMAGES, join(out, 'images'), { recursive: true })
}

/** The files that there are, by their addresses: no other path leads to a file. */
function siteFiles(): ReadonlyMap<string, string> {
  if (!existsSync(SITE))
    throw new UsageError('the documentation was not built', { hint: 'build it: npm run build' })
  return new Map([...filesBelow(SITE, ''), ...filesBelow(IMAGES, 'images/')])
}

function filesBelow(folder: string, prefix: string): (readonly [address: string, file: string])[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name)
      return [prefix + relative(folder, file).split(sep).join('/'), file] as const
    })
}
