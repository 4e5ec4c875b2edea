import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { StandIn } from '../../standin/index.js'
import type { Ran } from '../../support/program.js'

/** Key, secret, and every token that a service saw again. */
export function secretsSeen({ apiKey, apiSecret, requests }: StandIn): Map<string, string> {
  const found = new Map([
    [apiKey, 'API key'],
    [apiSecret, 'API secret'],
  ])
  for (const { headers, body } of requests) {
    const bearer = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
    if (bearer) found.set(bearer, 'access token')
    const refresh = /"refreshToken":"([^"]+)"/.exec(body)?.[1]
    if (refresh) found.set(refresh, 'refresh token')
  }
  return found
}

/** Where a secret stands that should stand nowhere: in what runs printed, or in a file below the folder. */
export function leaks(secrets: ReadonlyMap<string, string>, cwd: string, ...runs: readonly Ran[]): string[] {
  const places = [
    ...runs.flatMap(({ stdout, stderr }, at) => [
      { name: `stdout of run ${at + 1}`, bytes: Buffer.from(stdout) },
      { name: `stderr of run ${at + 1}`, bytes: Buffer.from(stderr) },
    ]),
    ...readdirSync(cwd, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      // The files that are there to keep tokens, one per key.
      .filter((file) => !/session(-[a-z0-9_-]+)?\.json$/.test(file))
      .map((file) => ({ name: relative(cwd, file), bytes: contentOf(file) })),
  ]
  return places.flatMap(({ name, bytes }) =>
    [...secrets]
      .filter(([secret]) => formsOf(secret).some((form) => bytes.includes(form)))
      .map(([, what]) => `${what} in ${name}`),
  )
}

function contentOf(file: string): Buffer {
  const bytes = readFileSync(file)
  return file.endsWith('.gz') ? gunzipSync(bytes) : bytes
}

/** As it is, and as JSON, a URL or Basic authorization would write it. */
function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '')
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), base64])]
}
