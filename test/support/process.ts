import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const here = dirname(fileURLToPath(import.meta.url))

export interface TestProcess {
  child: ChildProcess
  /** The first line it writes to stdout. */
  firstLine: string
}

/**
 * Starts a script of `test/support` and waits for its first line of output; the process ends with the test.
 *
 * @throws Error with what it wrote to stderr when it ends before that
 */
export async function startScript(
  name: string,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<TestProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(here, name), ...args], {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let errors = ''
  child.stderr.on('data', (piece: Buffer) => {
    errors += piece.toString()
  })
  for await (const firstLine of createInterface({ input: child.stdout })) return { child, firstLine }
  throw new Error(`${name} ended without a word: ${errors}`)
}
