import { Agent } from 'undici'
import { expect, it } from 'vitest'
import { fakeEffects } from '../../foundation/test/fake-effects.js'
import { createClient, UnansweredError } from '../src/reading.js'
import { KEY, SECRET, serve, stage, withLogin } from './support/service.js'

it('a name that no server knows ends with 5 after few attempts, and names the setting', async () => {
  // The resolver's own answer, without asking a network.
  const dispatcher = new Agent({
    connect: {
      lookup: (host, _options, done) => {
        done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' }), '', 4)
      },
    },
  })
  const options = { baseUrl: 'https://broker.invalid', apiKey: KEY, apiSecret: SECRET }
  const effects = fakeEffects()
  const network = { ...effects.network, dispatcher }
  const client = createClient(options, { ...effects, network })
  await expect(client.market.indexList({})).rejects.toMatchObject({
    exitCode: 5,
    message: expect.stringMatching(/broker\.invalid.*ENOTFOUND.*attempt 4/),
    hint: expect.stringContaining('BROKER_BASE_URL'),
  })
  await client.close()
})

it('a server that does not speak TLS ends with 5 and says so', async () => {
  const plain = await serve(() => ({}))
  const baseUrl = plain.url.replace('http:', 'https:')
  const client = createClient({ baseUrl, apiKey: KEY, apiSecret: SECRET }, fakeEffects())
  await expect(client.market.indexList({})).rejects.toMatchObject({
    exitCode: 5,
    message: expect.stringMatching(/SSL|TLS|EPROTO/i),
  })
  await client.close()
  await plain.close()
  expect(plain.seen).toEqual([])
})

it('a page of 10 MB is read whole', async () => {
  const record = { index: 'VN30', indexName: 'n'.repeat(1_000), board: 'HOSE' }
  const body = Array.from({ length: 10_000 }, () => record)
  await stage(
    withLogin(() => ({ body })),
    async ({ client }) => {
      const answer = await client.market.indexList({})
      expect(answer).toMatchObject({ outcome: 'rows' })
    },
  )
})

const LIST = { body: [{ index: 'VN30', indexName: 'VN30', board: 'HOSE' }] }
const MEMBERS = { index: 'VN30' }

it('401 of one resource is a refusal of that resource: others are read, nobody logs in again and again', async () => {
  await stage(
    withLogin((request) => (request.path.endsWith('/securitiesByBoard') ? { status: 401, body: '' } : LIST)),
    async ({ client, service }) => {
      for (let times = 0; times < 3; times++)
        expect(await client.market.securitiesByBoard(MEMBERS)).toMatchObject({
          outcome: 'refused',
          error: { code: '401' },
        })
      expect(await client.market.indexList({})).toMatchObject({ outcome: 'rows' })
      expect(service.asked('/auth/token')).toHaveLength(1)
      // The first time the token is new, and is tried elsewhere; then each refusal is tried once.
      expect(service.asked('/indexList')).toHaveLength(4)
    },
  )
})

it('a read that fails while others are answered is given up after five attempts, and concerns itself alone', async () => {
  await stage(
    withLogin((request) => (request.path.endsWith('/securitiesByBoard') ? { status: 500, body: '' } : LIST)),
    async ({ client, service, effects }) => {
      const failing = client.market.securitiesByBoard(MEMBERS).catch((error: unknown) => error)
      while (service.asked('/securitiesByBoard').length < 2) await new Promise((next) => setImmediate(next))
      effects.advance(1)
      await client.market.indexList({})
      const error = (await failing) as UnansweredError
      expect(error).toBeInstanceOf(UnansweredError)
      expect(error).toMatchObject({ reach: 'request', last: { status: 500, attempts: 5 } })
    },
  )
})

it('a service that goes away is waited for by the clock, and comes back without using up attempts', async () => {
  let isAway = false
  await stage(
    withLogin(() => (isAway ? { reset: true } : LIST)),
    async ({ client, effects }) => {
      await client.market.indexList({})
      isAway = true
      setImmediate(() => {
        isAway = false
      })
      expect(await client.market.indexList({})).toMatchObject({ outcome: 'rows' })
      expect(Math.max(0, ...effects.slept)).toBeLessThanOrEqual(30_000)
    },
  )
  const gone = await serve(() => ({}))
  await gone.close()
  const effects = fakeEffects()
  const options = {
    baseUrl: gone.url,
    apiKey: KEY,
    apiSecret: SECRET,
    firstContactMs: 300_000,
    patienceMs: 300_000,
  }
  const client = createClient(options, effects)
  await expect(client.market.indexList({})).rejects.toMatchObject({ exitCode: 5, reach: 'service' })
  const waited = effects.slept.reduce((sum, ms) => sum + ms, 0)
  expect(waited).toBe(300_000)
  expect(Math.max(...effects.slept)).toBeLessThanOrEqual(10_000)
  await client.close()
})
