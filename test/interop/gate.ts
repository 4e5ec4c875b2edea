import { createServer, type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** When a write is stopped: before it arrives at the service, or after the service did it and before its answer arrives. */
export type Moment = 'before' | 'after'

/** A way to a service at which requests are counted, and the writes of a process can be stopped. */
export interface Gate {
  readonly endpoint: string
  /** Requests that were answered so far, and the bytes of these answers. */
  readonly answered: { requests: number; bytes: number }
  /** Calls `stop` at the nth write from now on, with its key; that write and what comes after it go no further. */
  stopAtWrite(nth: number, moment: Moment, stop: (key: string) => void): void
  close(): void
}

interface Passed {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** @param endpoint of the service */
export async function openGate(endpoint: string): Promise<Gate> {
  let pending: { left: number; moment: Moment; stop: (key: string) => void } | undefined
  let isStopped = false
  const answered = { requests: 0, bytes: 0 }
  const isHeld = (moment: Moment, { method, url = '' }: IncomingMessage): boolean => {
    if (isStopped || method !== 'PUT' || pending?.moment !== moment) return isStopped
    pending.left -= 1
    isStopped = pending.left === 0
    if (isStopped) pending.stop(url)
    return isStopped
  }
  // One request after the other: uploads side by side would pass while one is stopped.
  let turn: Promise<void> = Promise.resolve()
  const server = createServer((incoming, answer) => {
    const passOn = async (): Promise<void> => {
      const body = await bodyOf(incoming)
      if (isHeld('before', incoming)) return
      const passed = await pass(endpoint, incoming, body)
      if (isHeld('after', incoming)) return
      answered.requests += 1
      answered.bytes += passed.body.length
      answer.writeHead(passed.status, passed.headers).end(passed.body)
    }
    turn = turn.then(passOn).catch(() => void answer.destroy())
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered,
    stopAtWrite: (nth, moment, stop) => {
      pending = { left: nth, moment, stop }
      isStopped = false
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Sends a request on as it came: its signature covers the host that the client named. */
async function pass(
  endpoint: string,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<Passed> {
  return await new Promise((resolve, reject) => {
    const onward = send(`${endpoint}${url}`, { method, headers, agent: false }, (response) => {
      bodyOf(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 502, headers: response.headers, body: bytes }),
        reject,
      )
    })
    onward.on('error', reject)
    onward.end(body)
  })
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of message) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}
