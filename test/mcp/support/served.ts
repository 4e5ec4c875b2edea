import { type CallToolResult, Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { type Effects, systemEffects } from '../../../src/effects.js'
import { Assistant } from '../../../src/mcp/assistant.js'
import { ASSISTANT_LIMITS, type AssistantLimits } from '../../../src/mcp/assistant-limits.js'
import { createMcpServer } from '../../../src/mcp/mcp-server.js'
import type { Answer } from '../../../src/mcp/tool-answer.js'
import { towards } from '../../e2e/support/cli.js'
import { LAST, service, smallMarket } from '../../e2e/support/nights.js'
import { baseline } from '../../support/baseline.js'
import { onEnd } from '../../support/cleanup.js'
import { cli } from '../../support/program.js'

/** The evening after the sessions of the home. */
export const EVENING: Effects = { ...systemEffects, now: () => Date.parse(`${LAST}T12:00:00Z`) }

/** The home of a night of two sessions with accounts, made once, only read. */
export async function homeWithAccounts(): Promise<string> {
  const folder = await baseline('a night with accounts for assistants', async (cwd) => {
    const standIn = await service({ market: smallMarket() })
    const env = towards(standIn, { BROKER_OTP: standIn.otp })
    const { code, stderr } = await cli(['nightly', '--date', LAST, '--sessions', '2'], { cwd, env })
    if (code !== 0) throw new Error(stderr)
  })
  return `${folder}/data`
}

/** What a client got of a tool. */
export interface Got {
  readonly isError: boolean
  /** The text of the answer, or of the error. */
  readonly text: string
  /** The structured content; undefined for an error. */
  readonly answer: Answer
}

export interface Connected {
  readonly client: Client
  call(name: string, given?: Readonly<Record<string, unknown>>): Promise<Got>
}

interface Options {
  readonly hasAccounts?: boolean
  readonly limits?: Partial<AssistantLimits>
  readonly secrets?: readonly string[]
  readonly effects?: Effects
}

/** The official client, connected to a server in this process; closed with the test. */
export async function connected(
  home: string,
  { hasAccounts = false, limits = {}, secrets = [], effects = EVENING }: Options = {},
): Promise<Connected> {
  const bounds = { ...ASSISTANT_LIMITS, ...limits }
  const assistant = new Assistant({ home, hasAccounts, limits: bounds }, effects)
  const clean = (text: string): string =>
    secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, '[secret]'), text)
  const server = createMcpServer(assistant, { hasAccounts, limits: bounds, clean })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1' })
  await server.connect(theirs)
  await client.connect(ours)
  onEnd(async () => {
    await client.close()
    await assistant.close()
  })
  return {
    client,
    call: async (name, given = {}) => gotOf(await client.callTool({ name, arguments: { ...given } })),
  }
}

export function gotOf(result: CallToolResult): Got {
  const [content] = result.content
  const text = content?.type === 'text' ? content.text : ''
  return { isError: result.isError === true, text, answer: result.structuredContent as unknown as Answer }
}
