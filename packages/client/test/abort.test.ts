import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type Client, type ClientOptions, createClient, type Effects, systemEffects } from '../src/index.js'

const TOKEN = JSON.stringify({
  tokenType: 'Bearer',
  accessToken: 'a',
  refreshToken: 'r',
  expiresAt: 4_102_444_800,
  refreshExpiresAt: 4_102_444_800,
})

type Answers = (path: string, end: (status: number, body?: string) => void, begin: () => void) => void

let server: Server | undefined
let client: Client | undefined
afterEach(async () => {
  await client?.close()
  server?.closeAllConnections()
  server?.close()
})

/** A client of a service that answers as it is told; `reached` resolves once it got a request for the path. */
async function at(answers: Answers, awaited: string, options: Partial<ClientOptions> = {}) {
  let wait: () => void = () => undefined
  /** Resolves in the first wait after an answer. */
  const waiting = new Promise<void>((resolve) => {
    wait = resolve
  })
  let isAnswered = false
  const effects: Effects = {
    ...systemEffects,
    sleep(ms, signal) {
      if (isAnswered) wait()
      return systemEffects.sleep(isAnswered ? 60_000 : ms, signal)
    },
  }
  let reach: () => void = () => undefined
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  server = createServer((request, response) => {
    const path = request.url ?? ''
    response.setHeader('content-type', 'application/json')
    answers(
      path,
      (status, body = '') => {
        if (!path.includes('/auth/')) isAnswered = true
        response.writeHead(status).end(body)
      },
      () => response.writeHead(200).write('[{"index":'),
    )
    if (path.includes(awaited)) reach()
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  client = createClient({ baseUrl, apiKey: 'k', apiSecret: 's', ...options }, effects)
  return { client, reached, waiting }
}

const login: Answers = (path, end) => (path.includes('/auth/') ? end(200, TOKEN) : undefined)

/** One turn of the event loop. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

describe('a read that the caller gives up rejects with the reason of the signal', () => {
  const reason = Object.assign(new Error('the user closed the window'), { code: 'CLOSED' })

  /** Gives up once the service has the request. */
  async function givenUp(
    read: Promise<unknown>,
    reached: Promise<void>,
    stop: AbortController,
  ): Promise<void> {
    const ended = read.then(
      () => 'answered',
      (error: unknown) => error,
    )
    await reached
    stop.abort(reason)
    expect(await ended).toBe(reason)
  }

  test('before it begins', async () => {
    const { client } = await at(login, '/never')
    await expect(client.market.indexList({}, AbortSignal.abort(reason))).rejects.toBe(reason)
  })

  test('while it waits for the login', async () => {
    const { client, reached } = await at(() => undefined, '/auth/token')
    const stop = new AbortController()
    await givenUp(client.market.indexList({}, stop.signal), reached, stop)
  })

  test('while it waits for the headers', async () => {
    const { client, reached } = await at(login, '/indexList')
    const stop = new AbortController()
    await givenUp(client.market.indexList({}, stop.signal), reached, stop)
  })

  test('while it waits for a free connection', async () => {
    const { client, reached } = await at(login, '/indexList', { connections: 1 })
    const first = client.market.indexList({}).catch(() => undefined)
    await reached
    const before = client.stats().requests
    const stop = new AbortController()
    const second = client.market.securitiesByBoard({ board: 'HOSE' }, stop.signal)
    while (client.stats().requests === before) await turn()
    await givenUp(second, reached, stop)
    await client.close()
    await first
  })

  test('while it reads the body', async () => {
    const { client, reached } = await at((path, end, begin) => {
      if (path.includes('/auth/')) end(200, TOKEN)
      else begin()
    }, '/indexList')
    const stop = new AbortController()
    await givenUp(client.market.indexList({}, stop.signal), reached, stop)
  })

  test.each([
    ['to try again', 503],
    ['for its turn after a 429', 429],
  ])('while it waits %s', async (_, status) => {
    const { client, waiting } = await at((path, end) => {
      if (path.includes('/auth/')) end(200, TOKEN)
      else end(status)
    }, '/never')
    const stop = new AbortController()
    await givenUp(client.market.indexList({}, stop.signal), waiting, stop)
  })

  test('while another read learns how the endpoint answers: that one goes on', async () => {
    let answer: (body: string) => void = () => undefined
    const { client, reached } = await at((path, end) => {
      if (path.includes('/auth/')) end(200, TOKEN)
      else answer = (body) => end(200, body)
    }, '/masterdata')
    const first = client.market.masterdata({})
    await reached
    const stop = new AbortController()
    await givenUp(client.market.masterdata({}, stop.signal), reached, stop)
    answer('{"pageSize":10,"pageIndex":1,"pagesCount":1,"itemsCount":0,"data":[]}')
    expect((await first).outcome).toBe('empty')
  })

  test('while others wait for the same login: they get theirs', async () => {
    let answer: (body: string) => void = () => undefined
    const { client, reached } = await at((path, end) => {
      if (path.includes('/auth/')) answer = (body) => end(200, body)
      else end(200, '[{"index":"VN30","indexName":"VN30","board":"HOSE"}]')
    }, '/auth/token')
    const stop = new AbortController()
    const given = client.market.indexList({}, stop.signal)
    const other = client.market.securitiesByBoard({ board: 'HOSE' })
    await givenUp(given, reached, stop)
    answer(TOKEN)
    expect((await other).outcome).toBe('rows')
  })

  test('a deadline of the caller is a TimeoutError', async () => {
    const { client } = await at(login, '/indexList')
    await expect(client.market.indexList({}, AbortSignal.timeout(20))).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  })

  test('a reason that is not an error comes as it is', async () => {
    const { client, reached } = await at(login, '/indexList')
    const stop = new AbortController()
    const read = client.market.indexList({}, stop.signal).then(
      () => 'answered',
      (error: unknown) => error,
    )
    await reached
    stop.abort('closed')
    expect(await read).toBe('closed')
  })
})

test('one signal for many calls at once is no leak of listeners', async () => {
  const warnings: string[] = []
  const note = (warning: Error): void => void warnings.push(warning.name)
  process.on('warning', note)
  const { client: many, reached } = await at(login, 'index')
  const stop = new AbortController()
  const calls = Array.from({ length: 40 }, () => many.market.indexList({}, stop.signal))
  const ended = Promise.allSettled(calls)
  await reached
  stop.abort(new Error('enough'))
  expect((await ended).map(({ status }) => status)).toEqual(calls.map(() => 'rejected'))
  await turn()
  process.off('warning', note)
  expect(warnings).toEqual([])
})
