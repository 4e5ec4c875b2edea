import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** The command that shows long results: $PAGER, else less where it is installed; undefined: nothing does. */
export function pagerCommand(environment: Environment): string | undefined {
  const { PAGER, PATH = '' } = environment
  // An empty one switches paging off, as in git and psql.
  if (PAGER !== undefined) return PAGER.trim() || undefined
  return PATH.split(delimiter).some((folder) => isExecutable(join(folder, 'less'))) ? 'less -FRSX' : undefined
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Thrown where the person has left the pager before the end of the result. */
export class PagerLeft extends Error {}

/** A pager that runs, and what is written to it. */
export class Pager {
  private readonly child: ChildProcess
  private readonly ended: Promise<unknown>
  private isGone = false

  /** @param command as a shell reads it */
  constructor(command: string, environment: Environment) {
    this.child = spawn(command, {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...environment },
    })
    // One that cannot be started is a shell that ends at once.
    this.ended = once(this.child, 'close').then(
      () => this.leave(),
      () => this.leave(),
    )
    this.child.stdin?.on('error', () => this.leave())
  }

  /** @throws PagerLeft once the pager has ended */
  async write(text: string): Promise<void> {
    if (this.isGone) throw new PagerLeft()
    const { stdin } = this.child
    if (stdin && !stdin.write(text))
      await Promise.race([once(stdin, 'drain').catch(() => undefined), this.ended])
  }

  /** Everything was written: waits until the person leaves. */
  async end(): Promise<void> {
    this.child.stdin?.end()
    await this.ended
  }

  private leave(): void {
    this.isGone = true
  }
}

export type OpenPager = Pick<Pager, 'write' | 'end'>

/** Starts a pager. @param onEnd called where the person has left it, or it has ended; perhaps twice */
export function openPager(command: string, environment: Environment, onEnd: () => void): OpenPager {
  const pager = new Pager(command, environment)
  return {
    write: (text) =>
      pager.write(text).catch((error: unknown) => {
        onEnd()
        throw error
      }),
    end: () => pager.end().finally(onEnd),
  }
}
