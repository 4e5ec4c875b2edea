import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../../../src/package.js'
import type { StandIn } from '../../standin/index.js'
import { onEnd } from '../../support/cleanup.js'
import type { Environment, Ran } from '../../support/program.js'

export interface Running {
  child: ChildProcess
  ended: Promise<Ran>
}

/** Settings that point at the stand-in, with a home inside the working folder. */
export function towards(standIn: StandIn, more: Environment = {}): Environment {
  return {
    BROKER_BASE_URL: standIn.url,
    BROKER_API_KEY: standIn.apiKey,
    BROKER_API_SECRET: standIn.apiSecret,
    BROKER_MAX_RPS: '1000',
    ...more,
  }
}

/** Starts the built program as a process of its own, in a clean environment; `cli` runs it in this one. */
export function start(
  args: readonly string[],
  at: { cwd: string; env?: Environment; node?: readonly string[]; input?: string },
): Running {
  const { PATH, HOME } = process.env
  const child = spawn(
    process.execPath,
    [...(at.node ?? []), join(packageRoot, 'dist/src/main.js'), ...args],
    {
      cwd: at.cwd,
      // As `cli` does: tests of marts ask for them.
      env: { PATH, HOME, CANDLEHOUSE_LAKE_MARTS: 'none', ...at.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  onEnd(() => child.kill('SIGKILL'))
  child.stdin?.end(at.input ?? '')
  const out: string[] = []
  const err: string[] = []
  child.stdout?.setEncoding('utf8').on('data', (text: string) => out.push(text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => err.push(text))
  const ended = new Promise<Ran>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      const stdout = out.join('')
      resolve({ code, signal, stdout, stderr: err.join(''), json: () => JSON.parse(stdout) })
    })
  })
  return { child, ended }
}
