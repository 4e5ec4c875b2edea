import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { Effects } from '../effects.js'

/** Output of a command that is kept: its last characters. */
const KEPT = 10_000

/** Time for output that is still in the pipe when the command has ended; what it left running may hold the pipe open. */
const DRAIN_MS = 200

export interface CommandPlace {
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

export interface EndedCommand {
  /** Undefined for success, else why it failed: `exit 3`, `SIGKILL`. */
  readonly failure: string | undefined
  /** The end of stdout and stderr. */
  readonly output: string
}

/**
 * Runs a command of the shell to its end, with `input` on stdin. When the signal aborts, it is killed with all processes
 * of its group.
 *
 * @throws the reason of the signal; why the shell could not be started
 */
export async function runCommand(
  command: string,
  input: string,
  { folder, environment }: CommandPlace,
  signal: AbortSignal,
  effects: Pick<Effects, 'sleep'>,
): Promise<EndedCommand> {
  signal.throwIfAborted()
  // A group of its own: it can be killed as a whole, and Ctrl-C on a terminal does not reach it before the run has ended.
  const child = spawn(command, {
    shell: true,
    detached: true,
    cwd: folder,
    env: { ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const kill = (): void => killGroup(child)
  signal.addEventListener('abort', kill, { once: true })
  process.once('exit', kill)
  try {
    const output = keepEnd(child.stdout, child.stderr)
    // A command may leave its input unread.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    const closed = once(child, 'close').catch(() => undefined)
    const [code, killedBy] = (await once(child, 'exit')) as [number | null, string | null]
    signal.throwIfAborted()
    await Promise.race([closed, effects.sleep(DRAIN_MS)])
    return { failure: code === 0 ? undefined : (killedBy ?? `exit ${code}`), output: output() }
  } finally {
    signal.removeEventListener('abort', kill)
    process.removeListener('exit', kill)
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** The last characters of what streams bring, in the order in which it comes. */
function keepEnd(...streams: readonly Readable[]): () => string {
  let kept = ''
  for (const stream of streams)
    stream.setEncoding('utf8').on('data', (text: string) => {
      kept = (kept + text).slice(-KEPT)
    })
  return () => kept.trim()
}
