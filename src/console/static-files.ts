import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { packageRoot } from '../package.js'
import { type PaletteName, palettes } from '../settings/index.js'
import { Refusal, send } from './response.js'

/** Written by the build from `src/console/pages`. */
const FOLDER = join(packageRoot, 'dist', 'console')

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The colours of prices as variables of the pages' style sheet: a setting, so not a file of the build. */
function paletteSheet(name: PaletteName): string {
  const { light, dark } = palettes[name]
  const variables = (tones: Readonly<Record<string, string>>): string =>
    Object.entries(tones)
      .map(([tone, colour]) => `--${tone}:${colour};`)
      .join('')
  return `:root{${variables(light)}}\n@media (prefers-color-scheme:dark){:root{${variables(dark)}}}\n`
}

/** Sends a file of the pages. @throws Refusal where there is none of that name */
export async function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  palette: PaletteName,
): Promise<void> {
  if (request.method !== 'GET') throw new Refusal(405, `${request.method} is not possible here`)
  if (path === '/palette.css') {
    send(response, 200, 'text/css; charset=utf-8', paletteSheet(palette))
    return
  }
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
