import type { Server } from 'node:http'
import { UsageError } from 'candlehouse-foundation/errors'
import { systemFault } from 'candlehouse-foundation/system-fault'

/**
 * Listens for this machine only.
 *
 * @param port 0: any free one
 * @returns the port
 * @throws UsageError where the port is taken
 */
export async function listenOnLoopback(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  }).catch((cause: unknown) => {
    const words = systemFault(cause)?.words ?? (cause as Error).message
    throw new UsageError(`cannot listen on port ${port}: ${words}`, { hint: 'choose another --port', cause })
  })
  const address = server.address()
  return typeof address === 'object' && address ? address.port : port
}
