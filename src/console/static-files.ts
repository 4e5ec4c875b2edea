import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { packageRoot } from '../package.js'
import { Refusal, send } from './response.js'

/** Written by the build from `src/console/pages`. */
const FOLDER = join(packageRoot, 'dist', 'console')

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Sends a file of the pages. @throws Refusal where there is none of that name */
export async function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  if (request.method !== 'GET') throw new Refusal(405, `${request.method} is not possible here`)
  const name = path === '/' ? 'index.html' : path.slice(1)
  const type = TYPES[extname(name)]
  // A file of the folder itself: no path leads out of it.
  if (type === undefined || !/^[\w-]+(\.[\w-]+)*$/.test(name))
    throw new Refusal(404, `there is no page ${path}`)
  const content = await readFile(join(FOLDER, name)).catch(() => {
    throw new Refusal(
      404,
      `there is no page ${path}`,
      path === '/' ? 'build the pages: npm run build' : undefined,
    )
  })
  send(response, 200, type, content)
}
