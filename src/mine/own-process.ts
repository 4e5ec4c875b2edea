import { type ChildProcess, fork } from 'node:child_process'
import { on, once } from 'node:events'
import { join } from 'node:path'
import { packageRoot } from '../package.js'
import { type BoundSql, formerSql, NOTHING_OWN } from './bind.js'
import { hasOwnFiles } from './own-files.js'

/** What a statement of the user's own may take. */
export interface OwnLimits {
  /** Milliseconds. */
  readonly ms: number
  /** Memory of its process, DuckDB's included, in bytes. */
  readonly rssBytes: number
  /** Rows of its result. */
  readonly rows: number
  /** Bytes of the file that it writes. */
  readonly fileBytes: number
}

/** Of a table: a night waits for it. */
export const TABLE_LIMITS: OwnLimits = {
  ms: 120_000,
  rssBytes: 2 * 1024 ** 3,
  rows: 20_000_000,
  fileBytes: 2 * 1024 ** 3,
}

/** Of a result that people read: findings of a rule, rows of a watch. */
export const ROW_LIMITS: OwnLimits = { ...TABLE_LIMITS, ms: 30_000, rows: 10_000 }

/** A statement of the user's own to run, by itself, in a process of its own. */
export interface OwnRequest {
  /** A catalog that nobody has open for writing. */
  readonly catalog: string
  readonly lake: string
  readonly sql: string
  /** Folder to spill to. */
  readonly folder: string
  /** Parquet file to write, in the folder; undefined for an answer with the rows as texts. */
  readonly file: string | undefined
  readonly limits: OwnLimits
}

/** What it gave, or why it did not. Of a file there are no rows here. */
export type OwnResult =
  | {
      readonly columns: readonly { name: string; type: string }[]
      readonly rows: readonly (readonly (string | null)[])[]
    }
  | { readonly wrong: string }

/** What a process is asked: to run a statement, or to bind all files of a home but these, which are refused with words. */
export type BindRequest = {
  readonly kind: 'bind'
  readonly home: string
  readonly refused: readonly (readonly [file: string, wrong: string])[]
}
export type OwnMessage = ({ readonly kind: 'run' } & OwnRequest) | BindRequest

/** What a process sends while it binds: the file that it binds next; then all of them, or why it ends before. */
export type BindMessage =
  | { readonly binding: string }
  | { readonly bound: BoundSql }
  | { readonly wrong: string }

/** What a process sends; with `ends`, it takes no further request. */
export type OwnAnswer = (OwnResult | BindMessage) & { readonly ends?: true }

/** `own-worker.ts`, as it is built. */
const WORKER = join(packageRoot, 'dist', 'own-sql-worker.js')

const NO_ANSWER = { wrong: 'its process ended without an answer' }

/**
 * A process for statements of the user's own, one after the other: DuckDB cannot be stopped within a function, such as the repetition
 * of a text a billion times, and does not count the memory of texts. The process ends itself then, and nothing of the caller ends
 * with it. It starts with the first request, and anew after one that has ended it.
 */
export class OwnProcess implements AsyncDisposable {
  private worker: Worker | undefined

  /** @param signal of the run: a request that it interrupts throws its reason */
  constructor(private readonly signal?: AbortSignal) {}

  async run(request: OwnRequest): Promise<OwnResult> {
    return await this.ask<OwnResult>({ kind: 'run', ...request }, () => true)
  }

  /** Binds the user's own files. One that does not end is refused, and the others are bound without it. It never throws for a file. */
  async bind(home: string): Promise<BoundSql> {
    if (!hasOwnFiles(home)) return NOTHING_OWN
    const refused = new Map<string, string>()
    for (;;) {
      let binding: string | undefined
      const answered = await this.ask<BindMessage>(
        { kind: 'bind', home, refused: [...refused] },
        (message) => {
          if (!('binding' in message)) return true
          binding = message.binding
          return false
        },
      )
      if ('bound' in answered) return answered.bound
      const wrong = 'wrong' in answered ? answered.wrong : NO_ANSWER.wrong
      if (binding === undefined || refused.has(binding)) {
        const problem = {
          file: 'sql',
          line: undefined,
          wrong,
          next: 'candlehouse mine check',
          keepsFormer: true,
        }
        return { ...NOTHING_OWN, own: await formerSql(home), problems: [problem] }
      }
      refused.set(binding, wrong)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { child } = this.worker ?? {}
    this.worker = undefined
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    // It may have a catalog open until then.
    await exited
  }

  /** @param isLast whether a message is the answer */
  private async ask<Answer extends object>(
    message: OwnMessage,
    isLast: (answer: Answer) => boolean,
  ): Promise<Answer | typeof NO_ANSWER> {
    const { signal } = this
    signal?.throwIfAborted()
    if (!this.worker || this.worker.gone.aborted) this.worker = startWorker()
    const answered = await answerOf(this.worker, message, isLast, signal)
    if (answered === undefined || 'ends' in answered) await this[Symbol.asyncDispose]()
    signal?.throwIfAborted()
    return answered ?? NO_ANSWER
  }
}

interface Worker {
  readonly child: ChildProcess
  /** Aborted when it has ended, or could not start. */
  readonly gone: AbortSignal
}

function startWorker(): Worker {
  // Nothing of the environment: it may have credentials.
  const child = fork(WORKER, { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const gone = new AbortController()
  const end = (): void => gone.abort()
  // All that it has sent has arrived by then.
  child.once('disconnect', end).once('error', end)
  return { child, gone: gone.signal }
}

/** The last answer of a process; undefined where it has ended without one, or the run is interrupted. */
async function answerOf<Answer extends object>(
  { child, gone }: Worker,
  message: OwnMessage,
  isLast: (answer: Answer) => boolean,
  signal: AbortSignal | undefined,
): Promise<Answer | undefined> {
  const stop = AbortSignal.any(signal ? [gone, signal] : [gone])
  try {
    const answers = on(child, 'message', { signal: stop })
    child.send(message)
    for await (const [answer] of answers) if (isLast(answer)) return answer
  } catch (cause) {
    if (!stop.aborted) throw cause
  }
  return undefined
}
