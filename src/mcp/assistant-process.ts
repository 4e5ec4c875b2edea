import { type ChildProcess, fork } from 'node:child_process'
import { UsageError } from 'candlehouse-foundation/errors'
import { AnswerError } from './answer-error.js'
import type { AssistantOptions } from './assistant.js'
import type { Call } from './calls.js'
import type { Answerer } from './mcp-server.js'
import type { Answer } from './tool-answer.js'

/** What the owner sends. */
export type AssistantMessage =
  | { readonly kind: 'begin'; readonly options: AssistantOptions; readonly rssBytes: number }
  | { readonly kind: 'call'; readonly id: number; readonly call: Call }
  | { readonly kind: 'cancel'; readonly id: number }

/** Messages of the process: an answer, what went wrong, or why it ends. */
export type WorkerMessage =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly words: string }
  | { readonly reason: EndReason }

/** Why the process ends itself, in words. */
const REASONS = {
  time: 'a statement took too long and could not be interrupted',
  memory: 'a statement took more memory than it may',
} as const

export type EndReason = keyof typeof REASONS

/** Memory of the process, DuckDB's included, in bytes. */
const RSS_BYTES = 3 * 1024 ** 3

interface Pending {
  resolve(answer: Answer): void
  reject(error: Error): void
}

/** Answers calls in a process of its own, which is started when it is needed. */
export class AssistantProcess implements Answerer {
  private child: ChildProcess | undefined
  private readonly pending = new Map<number, Pending>()
  private next = 1

  /**
   * @param file `worker.ts`, as the program was built
   * @param environment of the process: without credentials
   */
  constructor(
    private readonly options: AssistantOptions,
    private readonly file: string,
    private readonly environment: Readonly<Record<string, string | undefined>>,
    private readonly rssBytes = RSS_BYTES,
  ) {}

  async answer(call: Call, cancel: AbortSignal): Promise<Answer> {
    const child = this.running()
    const id = this.next++
    const leave = (): void =>
      void (child.connected && child.send({ kind: 'cancel', id } satisfies AssistantMessage))
    cancel.addEventListener('abort', leave, { once: true })
    try {
      return await new Promise<Answer>((resolve, reject) => {
        this.pending.set(id, { resolve, reject })
        child.send({ kind: 'call', id, call } satisfies AssistantMessage)
      })
    } finally {
      cancel.removeEventListener('abort', leave)
      this.pending.delete(id)
    }
  }

  close(): void {
    this.child?.disconnect()
    this.child = undefined
  }

  private running(): ChildProcess {
    if (this.child) return this.child
    // Its own words go where those of the owner go; stdout belongs to the protocol.
    const child = fork(this.file, {
      env: { ...this.environment },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.child = child
    let reason = 'the process that answers has ended'
    child.on('message', (message: WorkerMessage) => {
      if ('reason' in message) reason = REASONS[message.reason]
      else if ('answer' in message) this.pending.get(message.id)?.resolve(message.answer)
      else this.pending.get(message.id)?.reject(new AnswerError(message.words))
    })
    child.on('error', () => undefined)
    child.on('exit', () => this.ended(child, reason))
    child.send({ kind: 'begin', options: this.options, rssBytes: this.rssBytes } satisfies AssistantMessage)
    return child
  }

  /** The process has ended: every call that waits is answered with the reason, and the next one starts another. */
  private ended(child: ChildProcess, reason: string): void {
    if (this.child === child) this.child = undefined
    for (const { reject } of this.pending.values())
      reject(
        new UsageError(`${reason}: all calls under way were stopped`, {
          hint: 'ask for less; then ask again',
        }),
      )
    this.pending.clear()
  }
}
