import { beforeAll, describe, expect, test } from 'vitest'
import { palettes } from '../../src/settings/index.js'
import { sharedHome } from '../support/shared-home.js'
import { type Served, serve } from './support/served.js'

const { home } = sharedHome()

let console: Served
beforeAll(async () => {
  console = await serve(home)
})

const ADDRESSES = [
  '/',
  '/main.js',
  '/api/tonight',
  '/api/candles?symbol=FPT&timeframe=1d',
  '/api/views/symbols',
  '/no',
]

describe('the token', () => {
  test.each(ADDRESSES)('%s is refused without it, whether it exists or not', async (path) => {
    const reply = await console.ask(path, { withToken: false })
    expect([reply.status, reply.json()]).toMatchObject([401, { error: 'the token is missing or wrong' }])
  })

  test.each([
    ['another one', { authorization: 'Bearer x' }],
    ['an empty one', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: 'Basic eDp4' }],
    ['a cookie of another console', { cookie: 'candlehouse-1=x' }],
  ])('%s is refused', async (_, headers) => {
    expect((await console.ask('/api/tonight', { withToken: false, headers })).status).toBe(401)
  })

  test('in the address sets a cookie that scripts cannot read, and leads to the page without it', async () => {
    const reply = await console.ask(`/?token=${console.token}`, { withToken: false })
    expect([reply.status, reply.headers.location]).toEqual([303, '/'])
    const [cookie = ''] = reply.headers['set-cookie'] as string[]
    expect(cookie).toMatch(/^candlehouse-\d+=[\w-]{32}; HttpOnly; SameSite=Strict; Path=\/$/)
    const headers = { cookie: cookie.split(';')[0] ?? '' }
    expect((await console.ask('/api/tonight', { withToken: false, headers })).status).toBe(200)
  })

  test('in the address leads on from a page where the browser comes from a file', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    const reply = await console.ask(`/?token=${console.token}`, { withToken: false, headers })
    expect([reply.status, reply.headers.refresh]).toEqual([200, '0; url=/'])
  })

  test('is another one in every console', async () => {
    expect((await serve(home)).token).not.toBe(console.token)
  })

  test('works for the page only: not in the address of anything else', async () => {
    expect((await console.ask(`/api/tonight?token=${console.token}`, { withToken: false })).status).toBe(401)
  })
})

describe('foreign pages', () => {
  test.each([
    ['a name that resolves to loopback', { host: 'evil.example' }],
    ['loopback with another port', { host: '127.0.0.1:1' }],
    ['another origin', { origin: 'http://evil.example' }],
    ['the origin of a file', { origin: 'null' }],
    ['another port of this machine', { origin: 'http://127.0.0.1:1' }],
  ])('%s: 403, also with the token', async (_, headers) => {
    expect((await console.ask('/api/tonight', { headers })).status).toBe(403)
    expect((await console.ask('/api/sql', { headers, body: { sql: 'select 1' } })).status).toBe(403)
  })

  test('its own origin, also as localhost, is answered', async () => {
    const { port } = new URL(console.origin)
    const headers = { host: `localhost:${port}`, origin: `http://localhost:${port}` }
    expect((await console.ask('/api/tonight', { headers })).status).toBe(200)
  })
})

test.each(ADDRESSES)('%s is stored nowhere, and runs nothing of other hosts', async (path) => {
  const { headers } = await console.ask(path)
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(policy).not.toMatch(/unsafe|http/)
})

test.each([
  '/../package.json',
  '/..%2fpackage.json',
  '/%2e%2e/package.json',
  '/licenses.txt',
  '/.env',
  '/a/b.js',
])('no path leads out of the pages: %s', async (path) => {
  expect((await console.ask(path)).status).toBe(404)
})

test('a path that is not an address is the mistake of who asks', async () => {
  const reply = await console.ask('//')
  expect([reply.status, reply.json()]).toEqual([400, { error: 'the path is not an address' }])
})

test('the colours of prices are those of the setting, as in the report', async () => {
  const other = await serve(home, { palette: 'china' })
  const { headers, text } = await other.ask('/palette.css')
  expect(headers['content-type']).toContain('text/css')
  for (const [tone, colour] of Object.entries(palettes.china.dark))
    expect(text).toContain(`--${tone}:${colour};`)
  const { text: usual } = await console.ask('/palette.css')
  expect(usual).toContain(`--up:${palettes.vietnam.light.up};`)
})

test('a port that is taken ends with 2 and names the option', async () => {
  const { startConsole } = await import('../../src/console/server.js')
  const { patientEffects } = await import('./support/served.js')
  const port = Number(new URL(console.origin).port)
  await expect(startConsole({ home, port }, patientEffects())).rejects.toMatchObject({
    exitCode: 2,
    hint: 'choose another --port',
  })
})
