import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { InterruptedError } from 'candlehouse-foundation/errors'
import { describe, expect, test } from 'vitest'
import { type Effects, systemEffects } from '../../src/effects.js'
import type { RunSummary } from '../../src/night/summary.js'
import { notify } from '../../src/notify/notify.js'
import { gate } from '../e2e/support/gate.js'
import { onEnd } from '../support/cleanup.js'
import { conclusionOf } from '../support/conclusions.js'
import { temporaryFolder } from '../support/folder.js'

const summary: RunSummary = {
  job: 'nightly',
  runId: '20250314T113000000Z-0001',
  tradingDate: '2025-03-14',
  outcome: 'failed',
  exitCode: 5,
  startedAt: '2025-03-14T11:30:00.000Z',
  finishedAt: '2025-03-14T11:31:00.000Z',
  datasets: [],
  checks: null,
  notes: ['the service gave up'],
  next: [],
  conclusion: conclusionOf({
    run: { exitCode: 5 },
    failure: { message: 'the service gave up', hint: undefined },
  }),
}
const document = `${JSON.stringify(summary)}\n`

interface Watched {
  effects: Effects
  warnings: string[]
  /** Output of commands, as the log has it. */
  logged: unknown[]
  /** Lets the time limit pass. */
  timePasses(): void
  /** How long the limit was. */
  limits: number[]
}

/** The time limit passes when the test says so; nothing else waits. */
function watched(): Watched {
  const time = gate()
  const warnings: string[] = []
  const logged: unknown[] = []
  const limits: number[] = []
  const after: Effects['after'] = (ms, run) => {
    limits.push(ms)
    void time.passed.then(run)
    return () => undefined
  }
  const log = {
    debug: () => undefined,
    info: (message: string, fields: unknown) => void logged.push([message, fields]),
    warn: (message: string) => void warnings.push(message),
  }
  return { effects: { ...systemEffects, after, log }, warnings, logged, limits, timePasses: time.open }
}

interface Given {
  command?: string
  url?: string
  folder?: string
  environment?: Record<string, string | undefined>
  signal?: AbortSignal
}

async function notified(given: Given, { effects }: Watched): Promise<void> {
  const hooks = { home: '/srv/home', notifyCommand: given.command, notifyUrl: given.url }
  const place = {
    folder: given.folder ?? temporaryFolder(),
    environment: { PATH: process.env.PATH, ...given.environment },
    signal: given.signal ?? new AbortController().signal,
  }
  await notify({ summary, document }, hooks, place, effects)
}

describe('the command', () => {
  test('reads the result of the run on stdin, and what matters most in its environment, without secrets', async () => {
    const folder = temporaryFolder()
    const seen = watched()
    // bash sets the last four by itself.
    const command = `cat > got.json; env | grep -vE '^(PATH|PWD|SHLVL|OLDPWD|_)=' | LC_ALL=C sort`
    const environment = {
      BROKER_API_SECRET: 'canary',
      FUND_KEY: 'canary',
      CANDLEHOUSE_FUND_SECRET: 'canary',
      AWS_SECRET_ACCESS_KEY: 'canary',
      GITHUB_TOKEN: 'canary',
      CANDLEHOUSE_NOTIFY_URL: 'https://x/canary',
      CANDLEHOUSE_NOTIFY_COMMAND: 'curl https://x/canary',
      CANDLEHOUSE_PALETTE: 'china',
      HOME: '/home/desk',
      LC_TIME: 'vi_VN.UTF-8',
      TZ: 'Asia/Ho_Chi_Minh',
    }
    await notified({ command, folder, environment }, seen)
    expect(readFileSync(join(folder, 'got.json'), 'utf8')).toBe(document)
    const output = [
      'CANDLEHOUSE_HOME=/srv/home',
      'CANDLEHOUSE_NOTIFYING=1',
      'CANDLEHOUSE_PALETTE=china',
      'CANDLEHOUSE_RUN_CONCLUSION=the nightly for 2025-03-14 failed with exit 5: the service gave up',
      'CANDLEHOUSE_RUN_DATE=2025-03-14',
      'CANDLEHOUSE_RUN_EXIT_CODE=5',
      'CANDLEHOUSE_RUN_JOB=nightly',
      'CANDLEHOUSE_RUN_OUTCOME=failed',
      'HOME=/home/desk',
      'LC_TIME=vi_VN.UTF-8',
      'TZ=Asia/Ho_Chi_Minh',
    ].join('\n')
    expect(seen.logged).toEqual([['CANDLEHOUSE_NOTIFY_COMMAND ended with exit 0', { output }]])
    expect(seen.warnings).toEqual([])
  })

  test.each([
    ['exit 3', 'CANDLEHOUSE_NOTIFY_COMMAND failed with exit 3'],
    [
      'echo first; echo no mail server >&2; exit 1',
      'CANDLEHOUSE_NOTIFY_COMMAND failed with exit 1: no mail server',
    ],
    [
      "head -c 900 /dev/zero | tr '\\0' a; exit 1",
      `CANDLEHOUSE_NOTIFY_COMMAND failed with exit 1: ${'a'.repeat(300)}…`,
    ],
    ['kill -9 $$', 'CANDLEHOUSE_NOTIFY_COMMAND failed with SIGKILL'],
    ['no-such-program-here', 'CANDLEHOUSE_NOTIFY_COMMAND failed with exit 127: '],
  ])('%s is a warning', async (command, words) => {
    const seen = watched()
    await notified({ command }, seen)
    expect(seen.warnings).toEqual([expect.stringContaining(words)])
  })

  test('that does not end is killed with its children, and is a warning', async () => {
    const folder = temporaryFolder()
    const seen = watched()
    // Both hold the pipe; without the kill of the whole group neither the shell nor this test would end.
    const command = `sleep 100000 & echo $! > child; echo $$ > shell; echo ready; wait`
    const done = notified({ command, folder }, seen)
    await until(() => existsSync(join(folder, 'shell')))
    seen.timePasses()
    await done
    expect(seen.limits).toEqual([30_000])
    expect(seen.warnings).toEqual([
      'CANDLEHOUSE_NOTIFY_COMMAND failed: it had not ended after 30 s and was stopped',
    ])
    const pids = ['child', 'shell'].map((name) => Number(readFileSync(join(folder, name), 'utf8')))
    for (const pid of pids) await until(() => !isRunning(pid))
  })

  test('that ignores its input and leaves a process behind ends with the shell', async () => {
    const seen = watched()
    const large = 'sleep 100000 & echo $!'
    await notified({ command: large }, seen)
    expect(seen.warnings).toEqual([])
    const [[, { output }]] = seen.logged as [[string, { output: string }]]
    process.kill(Number(output))
  })

  test('is not started by a run that it started itself', async () => {
    const folder = temporaryFolder()
    await notified(
      { command: 'touch started', folder, environment: { CANDLEHOUSE_NOTIFYING: '1' } },
      watched(),
    )
    expect(existsSync(join(folder, 'started'))).toBe(false)
  })

  test('has three seconds after a signal', async () => {
    const folder = temporaryFolder()
    const seen = watched()
    const signal = AbortSignal.abort(new InterruptedError(143))
    await notified({ command: 'cat > got.json', folder, signal }, seen)
    expect(existsSync(join(folder, 'got.json'))).toBe(true)
    expect(seen.limits).toEqual([3_000])
  })

  test('is stopped by a signal that comes meanwhile', async () => {
    const folder = temporaryFolder()
    const seen = watched()
    const stop = new AbortController()
    const done = notified({ command: 'touch started; sleep 100000', folder, signal: stop.signal }, seen)
    await until(() => existsSync(join(folder, 'started')))
    stop.abort(new InterruptedError(130))
    await done
    expect(seen.warnings).toEqual(['CANDLEHOUSE_NOTIFY_COMMAND failed: stopped by SIGINT'])
  })
})

describe('the webhook', () => {
  type Answer = (request: IncomingMessage, response: ServerResponse) => void

  async function server(answer: Answer): Promise<string> {
    const listening = createServer(answer)
    await new Promise<void>((resolve) => void listening.listen(0, '127.0.0.1', resolve))
    onEnd(() => {
      listening.closeAllConnections()
      return new Promise((resolve) => listening.close(resolve))
    })
    return `127.0.0.1:${(listening.address() as AddressInfo).port}`
  }

  test('receives the result as JSON by POST; a user and a password of the address as a header', async () => {
    const got: unknown[] = []
    const host = await server(async (request, response) => {
      const { method, url, headers } = request
      got.push([method, url, headers['content-type'], headers.authorization, await text(request)])
      response.writeHead(204).end()
    })
    const seen = watched()
    await notified({ url: `http://${host}/hooks/canary?x=1` }, seen)
    await notified({ url: `http://us%20er:p%40ss@${host}/` }, seen)
    const basic = `Basic ${Buffer.from('us er:p@ss').toString('base64')}`
    expect(got).toEqual([
      ['POST', '/hooks/canary?x=1', 'application/json', undefined, document],
      ['POST', '/', 'application/json', basic, document],
    ])
    expect(seen.warnings).toEqual([])
    expect(JSON.stringify(seen.logged)).not.toContain('canary')
  })

  test('a redirect is a warning, and is not followed', async () => {
    let stolen = 0
    const elsewhere = await server((_, response) => {
      stolen += 1
      response.end()
    })
    const host = await server((_, response) => {
      response.writeHead(307, { location: `http://${elsewhere}/` }).end()
    })
    const seen = watched()
    await notified({ url: `http://${host}/canary` }, seen)
    expect(seen.warnings).toEqual([
      `CANDLEHOUSE_NOTIFY_URL failed: ${host} answered 307, a redirect; redirects are not followed`,
    ])
    expect(stolen).toBe(0)
  })

  test('an error status, a closed port and silence are warnings that name the host only', async () => {
    const broken = await server((_, response) => response.writeHead(500).end('x'.repeat(1e6)))
    const refusing = watched()
    await notified({ url: `http://${broken}/canary` }, refusing)
    expect(refusing.warnings).toEqual([`CANDLEHOUSE_NOTIFY_URL failed: ${broken} answered 500`])

    const closed = watched()
    await notified({ url: 'http://127.0.0.1:1/canary' }, closed)
    expect(closed.warnings.join()).toMatch(/^CANDLEHOUSE_NOTIFY_URL failed: 127\.0\.0\.1:1 was not reached: /)
    expect(closed.warnings.join()).not.toContain('canary')

    const silent = watched()
    const deaf = await server(() => silent.timePasses())
    await notified({ url: `http://${deaf}/canary` }, silent)
    expect(silent.warnings).toEqual([
      `CANDLEHOUSE_NOTIFY_URL failed: ${deaf} was not reached: it had not ended after 30 s and was stopped`,
    ])
  })

  test('a command that fails does not keep the webhook from its result', async () => {
    let received = 0
    const host = await server((_, response) => {
      received += 1
      response.end()
    })
    await notified({ command: 'exit 1', url: `http://${host}/` }, watched())
    expect(received).toBe(1)
  })
})

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await systemEffects.sleep(5)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A killed process stays in the list until its parent, here init, has asked for it.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}
