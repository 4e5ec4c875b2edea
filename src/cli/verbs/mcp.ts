import { once } from 'node:events'
import { join } from 'node:path'
import type { Command } from 'commander'
import { packageRoot } from '../../package.js'
import type { NewVerb } from '../verb.js'

/** `src/mcp/worker.ts`, as it is built. */
const WORKER = join(packageRoot, 'dist', 'assistant-worker.js')

export function mcpVerb(verb: NewVerb): Command {
  return verb(
    'mcp',
    'Serve the published data to assistants over the Model Context Protocol on stdio; read-only',
  )
    .option('--accounts', 'also show accounts, orders and positions (default: nothing about them)')
    .reads(async (call, { accounts = false }: { accounts?: boolean }) => {
      const { settings, terminal, stdin, signal, environment } = call
      const { AssistantProcess } = await import('../../mcp/assistant-process.js')
      const { ASSISTANT_LIMITS: limits } = await import('../../mcp/assistant-limits.js')
      const { serveMcp } = await import('../../mcp/stdio.js')
      const { PATH, HOME, USERPROFILE, SystemRoot } = environment
      const options = { home: settings.home, hasAccounts: accounts, limits }
      const assistant = new AssistantProcess(options, WORKER, { PATH, HOME, USERPROFILE, SystemRoot })
      const server = serveMcp(
        assistant,
        { hasAccounts: accounts, limits, clean: (text) => terminal.clean(text) },
        { input: stdin, output: terminal.screen },
      )
      terminal.words('serving assistants on stdin and stdout; clients start this command by themselves')
      try {
        await Promise.race([server.ended, signal.aborted ? undefined : once(signal, 'abort')])
      } finally {
        await server.close()
        assistant.close()
      }
    })
}
