import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import { onEnd } from '../support/cleanup.js'
import { cli } from '../support/program.js'
import { start } from './support/cli.js'
import { copyOfBoth, expectCode } from './support/nights.js'

const MAIN = join(packageRoot, 'dist/src/main.js')

/** One home: the second test goes on where the first one ended. */
let cwd: string
beforeAll(async () => {
  cwd = await copyOfBoth()
})

test('a run gives its result to the command and the webhook after its lock is released; neither changes its end', async () => {
  const posted: unknown[] = []
  const server = createServer(async (request, response) => {
    posted.push(JSON.parse(await text(request)))
    response.writeHead(500).end()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  const token = 'canary-token-0123456789'
  const env = {
    // A run within the command: it finds the warehouse unlocked, and notifies nobody.
    CANDLEHOUSE_NOTIFY_COMMAND: `cat > got.json; '${process.execPath}' '${MAIN}' publish --json > inner.json; echo ${token} ended $?; exit 7`,
    CANDLEHOUSE_NOTIFY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${token}`,
  }
  const ran = await start(['publish', '--json'], { cwd, env }).ended
  expectCode(ran, 0)
  const printed = ran.json()
  expect(printed).toMatchObject({ job: 'publish', outcome: 'complete', exitCode: 0 })
  expect(JSON.parse(readFileSync(join(cwd, 'got.json'), 'utf8'))).toEqual(printed)
  expect(posted).toEqual([printed])
  expect(JSON.parse(readFileSync(join(cwd, 'inner.json'), 'utf8'))).toMatchObject({ exitCode: 0 })
  expect(ran.stderr).toContain('warning: CANDLEHOUSE_NOTIFY_COMMAND failed with exit 7: [secret] ended 0')
  expect(ran.stderr).toMatch(/warning: CANDLEHOUSE_NOTIFY_URL failed: 127\.0\.0\.1:\d+ answered 500/)
  const log = readFileSync(join(cwd, 'data/logs/candlehouse.ndjson'), 'utf8')
  expect(log).toContain('ended 0')
  expect(log + ran.stderr + ran.stdout).not.toContain(token)
})

test('a run that failed is reported with its own exit code', async () => {
  const env = { PATH: process.env.PATH, CANDLEHOUSE_NOTIFY_COMMAND: 'cat > got.json' }
  const ran = await cli(['check', '--accept', '8', '--because', 'x', '--date', '2025-03-14'], { cwd, env })
  expect(ran.code).toBe(2)
  expect(JSON.parse(readFileSync(join(cwd, 'got.json'), 'utf8'))).toMatchObject({
    job: 'check',
    outcome: 'failed',
    exitCode: 2,
    notes: [expect.stringContaining('8')],
  })
})
