import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { fakeEffects } from '../../foundation/test/fake-effects.js'
import { createClient } from '../src/reading.js'
import { KEY, SECRET } from './support/service.js'

const TOKEN = JSON.stringify({ tokenType: 'Bearer', accessToken: 'access-1', refreshToken: 'refresh-1' })
const LIST = '[{"index":"VN30"}]'

const whole = (body: string, length = body.length): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`

/** Speaks bytes, which an HTTP server would not: `answer` gets the nth data request of all connections. */
async function bytes<T>(
  answer: (socket: Socket, nth: number) => void,
  act: (url: string, asked: () => number) => Promise<T>,
): Promise<T> {
  let asked = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1')
      if (text.startsWith('POST') || text.startsWith('{')) {
        if (text.includes('apiSecret')) socket.write(whole(TOKEN))
        return
      }
      answer(socket, ++asked)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await act(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => asked)
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

async function listed(url: string) {
  const effects = fakeEffects()
  const client = createClient({ baseUrl: url, apiKey: KEY, apiSecret: SECRET, deadlineMs: 300 }, effects)
  try {
    const answer = await client.market.indexList({})
    return { answer, effects, stats: client.stats() }
  } finally {
    await client.close()
  }
}

describe('answers that no correct HTTP server sends', () => {
  it('a request on a closed idle connection is repeated at once and costs no retry', async () => {
    await bytes(
      (socket, nth) => (nth === 1 ? socket.destroy() : socket.write(whole(LIST))),
      async (url) => {
        const { answer, stats, effects } = await listed(url)
        expect(answer).toMatchObject({ outcome: 'rows', attempts: 2 })
        expect(stats.retryBudget).toBe(200)
        expect(effects.slept.filter((ms) => ms >= 500)).toEqual([])
      },
    )
  })

  it('a body shorter than its length is incomplete', async () => {
    await bytes(
      (socket, nth) => (nth === 1 ? socket.end(whole('[{"index"', 200)) : socket.write(whole(LIST))),
      async (url) => expect((await listed(url)).answer).toMatchObject({ outcome: 'rows', attempts: 2 }),
    )
  })

  it('headers that never end meet the deadline', async () => {
    await bytes(
      (socket, nth) => (nth === 1 ? socket.write('HTTP/1.1 200 OK\r\nX-Slow: ') : socket.write(whole(LIST))),
      async (url) => expect((await listed(url)).answer).toMatchObject({ attempts: 2 }),
    )
  })

  it('a body that drips meets the deadline, though every byte is new', async () => {
    await bytes(
      (socket, nth) => {
        if (nth > 1) return void socket.write(whole(LIST))
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n')
        const drip = setInterval(() => socket.write('x'), 20)
        socket.on('close', () => clearInterval(drip))
      },
      async (url) => expect((await listed(url)).answer).toMatchObject({ attempts: 2 }),
    )
  })

  it('bytes that are no HTTP are a fault', async () => {
    await bytes(
      (socket, nth) => (nth === 1 ? socket.end('SSH-2.0-x\r\n') : socket.write(whole(LIST))),
      async (url) => expect((await listed(url)).answer).toMatchObject({ outcome: 'rows' }),
    )
  })
})
