import { fork } from 'node:child_process'
import { once } from 'node:events'
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

/** What a process that binds sends: the file that it binds next, all of them in the end, or why it ends before. */
export type BindMessage =
  | { readonly binding: string }
  | { readonly bound: BoundSql }
  | { readonly wrong: string }

/** `own-worker.ts`, as it is built. */
const WORKER = join(packageRoot, 'dist', 'own-sql-worker.js')

const NO_ANSWER = { wrong: 'its process ended without an answer' }

/**
 * Runs a statement in a process of its own: DuckDB cannot be stopped within a function, such as the repetition of a text a billion
 * times, and does not count the memory of texts. The process ends itself then, and nothing of the caller ends with it.
 */
export async function runOwn(request: OwnRequest, signal?: AbortSignal): Promise<OwnResult> {
  return await inProcess<OwnResult>({ kind: 'run', ...request }, () => true, signal)
}

/**
 * Binds the user's own files, in a process of its own. A file that does not end is refused, and the others are bound without it.
 * It never throws for a file.
 */
export async function bindOwnSql(home: string): Promise<BoundSql> {
  if (!hasOwnFiles(home)) return NOTHING_OWN
  const refused = new Map<string, string>()
  for (;;) {
    let binding: string | undefined
    const answered = await inProcess<BindMessage>(
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

/** @param isLast whether a message is the answer */
async function inProcess<Answer extends object>(
  message: OwnMessage,
  isLast: (answer: Answer) => boolean,
  signal?: AbortSignal,
): Promise<Answer | typeof NO_ANSWER> {
  signal?.throwIfAborted()
  // Nothing of the environment: it may have credentials.
  const child = fork(WORKER, { env: {}, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const exited = once(child, 'exit').catch(() => undefined)
  const stop = (): void => void child.kill('SIGKILL')
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await new Promise<Answer | typeof NO_ANSWER>((resolve, reject) => {
      child.on('message', (answer: Answer) => isLast(answer) && resolve(answer))
      child.on('error', () => resolve(NO_ANSWER))
      child.on('exit', () => (signal?.aborted ? reject(signal.reason) : resolve(NO_ANSWER)))
      child.send(message, (cause) => cause && resolve(NO_ANSWER))
    })
  } finally {
    signal?.removeEventListener('abort', stop)
    child.kill('SIGKILL')
    // It has the catalog open until then.
    await exited
  }
}
