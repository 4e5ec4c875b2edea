import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FakeBucket, SECRET } from '../support/bucket.js'
import { fakeEffects } from '../support/effects.js'
import { cli, type Ran } from '../support/program.js'
import { filesBelow } from '../support/published.js'
import { sharedHome } from '../support/shared-home.js'

const kept = sharedHome()
const fake = new FakeBucket()
let server: Server
let environment: Record<string, string>

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/', headers } = request
  const body = await buffer(request)
  const sent = await fake.send(
    new Request(`http://127.0.0.1${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    }),
  )
  response.writeHead(sent.status, Object.fromEntries(sent.headers))
  response.end(Buffer.from(await sent.arrayBuffer()))
}

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  environment = {
    CANDLEHOUSE_LAKE_URL: 's3://desk/lake',
    AWS_ACCESS_KEY_ID: 'AKIAFAKE0000',
    AWS_SECRET_ACCESS_KEY: SECRET,
    AWS_REGION: 'ap-southeast-1',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  }
})

afterAll(() => void server.close())

test('a bucket is a setting of every run: down it ends with 4, another home there with 75, and status follows', async () => {
  const cwd = dirname(kept.home)
  const ran: Ran[] = []
  const run = async (...args: string[]): Promise<Ran> => {
    const effects = fakeEffects(Date.parse('2025-06-30T12:00:00Z'))
    const ended = await cli(args, { cwd, env: environment, effects })
    ran.push(ended)
    return ended
  }

  fake.fault = () => 503
  const down = await run('publish')
  expect(down.code).toBe(4)
  expect(down.stdout).toMatch(/s3:\/\/desk\/lake at 127\.0\.0\.1:\d+ cannot be used: 5 attempts, .* 503/)
  expect((await run('status')).stdout).toMatch(/bucket s3:\/\/desk\/lake: nothing published yet, \d+ behind/)
  expect((await run('doctor')).stdout).toMatch(/the bucket is behind\n *s3:\/\/desk\/lake .* cannot be used/)

  fake.fault = () => undefined
  expect((await run('publish')).code).toBe(0)
  expect((await run('status')).stdout).toMatch(/bucket s3:\/\/desk\/lake: publication \d+\n/)
  const verified = await run('lake', 'verify', 's3://desk/lake')
  expect(verified.code, verified.stderr).toBe(0)
  expect((await run('lake', 'sweep', '--retain', '0')).code).toBe(0)
  const { stdout: statements } = await run('attach', '--lake', 's3://desk/lake')
  expect(statements).toMatch(/^-- publication \d+ of s3:\/\/desk\/lake: 37 relations over \d+ files\n/)
  expect((await run('attach', '--lake', 's3://desk/lake', '--quiet')).stdout).toBe(statements)
  expect(statements).toContain("ATTACH 's3://desk/lake/catalog.duckdb' AS lake (READ_ONLY);")
  expect(statements).toContain("ATTACH 'ducklake:s3://desk/lake/lake.ducklake' AS lake_history (READ_ONLY);")
  expect(statements).toMatch(
    /REGION 'ap-southeast-1', ENDPOINT '127\.0\.0\.1:\d+', URL_STYLE 'path', USE_SSL false\);/,
  )
  expect((await run('attach', '--lake', 's3://desk/lake', '--out', 'desk.sql')).code).toBe(0)
  expect(readFileSync(join(cwd, 'desk.sql'), 'utf8')).toBe(statements)
  expect((await run('attach', '--lake', 's3://desk/other')).code).toBe(6)
  expect((await run('attach', '--lake', 'data/lake')).code).toBe(2)

  const manifest = JSON.parse(String(fake.objects.get('lake/manifest.json')))
  fake.objects.set('lake/manifest.json', Buffer.from(JSON.stringify({ ...manifest, publication: 1000 })))
  const other = await run('publish')
  expect(other.code).toBe(75)
  expect(other.stdout).toContain('another home has published to s3://desk/lake')
  const quiet = await run('publish', '--quiet')
  expect([quiet.code, quiet.stdout]).toEqual([75, ''])
  expect(quiet.stderr).toContain('candlehouse: another home has published to s3://desk/lake')

  fake.objects.delete('lake/manifest.json')
  expect((await run('lake', 'verify', 's3://desk/lake')).code).toBe(6)

  expect((await run('config', 'show')).stdout).toContain('s3://desk/lake')
  const texts = ran.flatMap(({ stdout, stderr }) => [stdout, stderr])
  const logs = filesBelow(join(cwd, 'data', 'logs')).map((file) =>
    readFileSync(join(cwd, 'data', 'logs', file), 'utf8'),
  )
  for (const text of [...texts, ...logs, ...[...fake.objects.values()].map(String)]) {
    expect(text).not.toContain(SECRET)
    expect(text).not.toContain('AKIAFAKE0000')
  }
})

test('a bucket that a file of the folder names gets nothing where data or key come from elsewhere; the lake on the machine is published', async () => {
  const cwd = dirname(kept.home)
  const settings = join(cwd, 'candlehouse.toml')
  writeFileSync(settings, 'candlehouse_lake_url = "s3://desk/lake"\n')
  const { CANDLEHOUSE_LAKE_URL: _, ...keys } = environment
  const before = fake.requests.length
  const effects = fakeEffects(Date.parse('2025-06-30T12:00:00Z'))
  const ended = await cli(['publish'], { cwd, env: keys, effects })
  rmSync(settings)
  expect(ended.code).toBe(4)
  expect(ended.stdout).toContain('CANDLEHOUSE_LAKE_URL comes from candlehouse.toml of the working folder')
  expect(fake.requests.length).toBe(before)
})
