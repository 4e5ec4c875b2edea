import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

export interface TestProcess {
  child: ChildProcess
  /** The first line it writes to stdout. */
  firstLine: string
}

/**
 * Starts a script through tsx and waits for its first line of output; the process ends with the test.
 *
 * @throws Error with what it wrote to stderr when it ends before that
 */
export async function startScript(
  script: URL,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<TestProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(script), ...args], {
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
  throw new Error(`${script.pathname} ended without a word: ${errors}`)
}
