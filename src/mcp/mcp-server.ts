import { McpServer, type ServerContext } from '@modelcontextprotocol/server'
import { packageVersion } from '../package.js'
import type { AssistantLimits } from './assistant-limits.js'
import { type Call, Calls, callBehind, callHash } from './calls.js'
import { errorWords } from './error-words.js'
import { packagedPage } from './packaged-docs.js'
import { registerPrompts } from './prompts.js'
import { registerResources } from './resources.js'
import type { Answer } from './tool-answer.js'
import { instructions } from './tool-texts.js'
import { type Reply, registerTools } from './tools.js'

/** Answers calls: in this process, or in one of its own. */
export interface Answerer {
  answer(call: Call, cancel: AbortSignal): Promise<Answer>
}

export interface ServerOptions {
  readonly hasAccounts: boolean
  readonly limits: AssistantLimits
  /** Removes secrets from a text. */
  clean(text: string): string
}

/** The server of the Model Context Protocol: tools, resources and prompts, all of which only read. */
export function createMcpServer(answerer: Answerer, options: ServerOptions): McpServer {
  const { limits, hasAccounts, clean } = options
  const calls = new Calls()
  const server = new McpServer(
    { name: 'candlehouse', title: 'candlehouse market warehouse', version: packageVersion },
    { instructions: instructions(packagedPage('definitions.md'), hasAccounts) },
  )
  const answer = async (call: Call, context: ServerContext): Promise<Answer> => {
    const answered = await answerer.answer(call, context.mcpReq.signal)
    const hash = callHash(call)
    calls.add(hash, call)
    const behind = answered.rows_behind
    if (behind) calls.add(behind.statement_hash, callBehind(behind.sql, limits))
    return JSON.parse(clean(JSON.stringify({ ...answered, statement_hash: hash }))) as Answer
  }
  const reply: Reply = async (call, context) => {
    try {
      const answered = await answer(call(), context)
      return {
        content: [{ type: 'text' as const, text: JSON.stringify(answered) }],
        structuredContent: { ...answered },
      }
    } catch (error) {
      const text = clean(errorWords(error))
      return { content: [{ type: 'text' as const, text }], isError: true }
    }
  }
  registerTools(server, limits, calls, reply)
  registerResources(server, { answer, hasAccounts, limits })
  registerPrompts(server, hasAccounts)
  return server
}
