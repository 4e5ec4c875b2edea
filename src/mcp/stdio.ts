import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { type Answerer, createMcpServer, type ServerOptions } from './mcp-server.js'

export interface ServedStdio {
  /** Resolves when the client has closed its end. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

/** Bytes of one message of a client, at most. */
const LONGEST = 1024 * 1024

/** Serves one client on a pair of streams, in every revision of the protocol that the package knows. */
export function serveMcp(
  answerer: Answerer,
  options: ServerOptions,
  streams: { readonly input: Readable; readonly output: Writable },
): ServedStdio {
  const transport = new StdioServerTransport(streams.input, streams.output, { maxBufferSize: LONGEST })
  const ended = new Promise<void>((resolve) => {
    streams.input.once('end', resolve)
    streams.input.once('close', resolve)
  })
  const served = serveStdio(() => createMcpServer(answerer, options), { transport })
  return { ended, close: () => served.close() }
}
