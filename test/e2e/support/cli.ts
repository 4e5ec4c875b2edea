import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { packageRoot } from '../../../src/package.js'
import type { StandIn } from '../../standin/index.js'

/** How a run of the built program ended. */
export interface Ran {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  /** stdout as the one JSON document it should be. */
  json: <T = Record<string, unknown>>() => T
}

export interface Running {
  child: ChildProcess
  ended: Promise<Ran>
}

export type Environment = Record<string, string | undefined>

const undo: (() => void)[] = []

afterEach(() => {
  for (const each of undo.splice(0).reverse()) each()
})

/** A folder that goes with the test; it stands for a user's working folder. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'candlehouse-e2e-'))
  undo.push(() => rmSync(made, { recursive: true, force: true }))
  return made
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

/** Starts the built program in a clean environment. */
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
      env: { PATH, HOME, ...at.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  undo.push(() => child.kill('SIGKILL'))
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

/** Runs the built program to its end. */
export async function cli(args: readonly string[], at: Parameters<typeof start>[1]): Promise<Ran> {
  return await start(args, at).ended
}
