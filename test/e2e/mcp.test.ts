import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { beforeAll, expect, test } from 'vitest'
import { ASSISTANT_LIMITS } from '../../src/mcp/assistant-limits.js'
import { AssistantProcess } from '../../src/mcp/assistant-process.js'
import { packageRoot } from '../../src/package.js'
import { type Got, gotOf, homeWithAccounts } from '../mcp/support/served.js'
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'
import { FIRST, LAST } from './support/nights.js'

let home: string
beforeAll(async () => {
  home = await homeWithAccounts()
})

interface Program {
  readonly client: Client
  readonly pid: number
  call(name: string, given?: Readonly<Record<string, unknown>>): Promise<Got>
}

/** The built program, as a client starts it. */
async function program(...args: readonly string[]): Promise<Program> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(packageRoot, 'dist/src/main.js'), 'mcp', '--quiet', '--home', home, ...args],
    cwd: temporaryFolder(),
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      BROKER_API_SECRET: 'a-secret-of-the-test',
    },
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  onEnd(() => client.close())
  return {
    client,
    pid: transport.pid ?? 0,
    call: async (name, given = {}) => gotOf(await client.callTool({ name, arguments: { ...given } })),
  }
}

/** Processes that this one has started, and what it has started them with; only where the system says so. */
function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]) === pid
      } catch {
        return false
      }
    })
    .map(Number)
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Waits, as often as it takes: a process ends when the system gets to it. */
async function untilGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isAlive)) await new Promise((resolve) => setImmediate(resolve))
}

test('the official client asks the built program, which answers again after the process that answers was killed, ends with the client and leaves no process', async () => {
  const { client, pid, call } = await program()
  expect(client.getServerVersion()?.name).toBe('candlehouse')
  const { answer } = await call('query', {
    sql: "select close from daily where symbol = 'FPT' order by trading_date",
  })
  expect(answer.publication.latest_session).toBe(LAST)
  expect(answer.rows).toHaveLength([FIRST, LAST].length)
  expect(await call('query', { statement_hash: answer.statement_hash })).toMatchObject({ answer })
  const { contents } = await client.readResource({ uri: 'candlehouse://report' })
  expect(JSON.stringify(contents)).toContain(LAST)
  const [worker = 0] = childrenOf(pid)
  expect(commandOf(worker)).toContain('assistant-worker.js')
  expect(readFileSync(`/proc/${worker}/environ`, 'utf8')).not.toContain('a-secret-of-the-test')
  // The process that answers is killed: the call says so, and the next one is answered.
  const asked = call('query', { sql: 'select count(*) from range(100000000000) a, range(1000) b' })
  process.kill(worker, 'SIGKILL')
  expect((await asked).text).toContain('the process that answers has ended')
  expect((await call('query', { sql: 'select 2' })).answer.rows).toEqual([[2]])
  const [next = 0] = childrenOf(pid)
  await client.close()
  await untilGone([pid, worker, next])
})

test('a server that is killed leaves no process', async () => {
  const { pid, call } = await program('--accounts')
  expect((await call('query', { sql: 'select count(*) from account.account' })).isError).toBe(false)
  const children = childrenOf(pid)
  expect(children).toHaveLength(1)
  process.kill(pid, 'SIGKILL')
  await untilGone([pid, ...children])
})

test('a statement that DuckDB does not interrupt ends with words and its process, and the next one is answered', async () => {
  const limits = { ...ASSISTANT_LIMITS, ms: 100 }
  const worker = join(packageRoot, 'dist/assistant-worker.js')
  const assistant = new AssistantProcess({ home, hasAccounts: false, limits }, worker, {
    PATH: process.env.PATH,
  })
  onEnd(() => assistant.close())
  const never = new AbortController().signal
  const ask = async (sql: string) => await assistant.answer({ tool: 'query', sql, limit: 1 }, never)
  const stuck = ask("select levenshtein(repeat('a', 1000000), repeat('b', 1000000))")
  const children = childrenOf(process.pid).filter((pid) => commandOf(pid).includes('assistant-worker.js'))
  await expect(stuck).rejects.toThrow('a statement took too long and could not be interrupted')
  await untilGone(children)
  expect((await ask('select 2')).rows).toEqual([[2]])
})
