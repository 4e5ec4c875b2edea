import { Agent } from 'undici'
import { expect, it } from 'vitest'
import { createClient } from '../../src/brokerage/index.js'
import { fakeEffects } from './support/effects.js'
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
  const options = { baseUrl: 'https://broker.invalid', apiKey: KEY, apiSecret: SECRET, dispatcher }
  const client = createClient(options, fakeEffects())
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
