import { every } from 'candlehouse-foundation/timers'
import { systemEffects } from '../effects.js'
import { Assistant } from './assistant.js'
import type { AssistantMessage, EndReason, WorkerMessage } from './assistant-process.js'
import { errorWords } from './error-words.js'

/**
 * A process of its own for the statements of an assistant: DuckDB cannot be stopped within a function, such as the repetition of a text
 * a billion times, and does not count the memory of texts. This process ends itself then, and its owner starts another.
 */

/** Often enough that memory does not grow by a machine's worth in between. */
const WATCH_MS = 100

let assistant: Assistant | undefined
const cancels = new Map<number, AbortController>()

process.on('message', (message: AssistantMessage) => {
  if (message.kind === 'begin') begin(message)
  else if (message.kind === 'cancel') cancels.get(message.id)?.abort()
  else void answer(message)
})
// The owner has ended, however it did.
process.on('disconnect', die)

function begin({ options, rssBytes }: Extract<AssistantMessage, { kind: 'begin' }>): void {
  assistant = new Assistant({ ...options, whenStuck: () => end('time') }, systemEffects)
  every(
    WATCH_MS,
    () => {
      if (process.memoryUsage.rss() > rssBytes) end('memory')
    },
    systemEffects,
  )
}

async function answer({ id, call }: Extract<AssistantMessage, { kind: 'call' }>): Promise<void> {
  const cancel = new AbortController()
  cancels.set(id, cancel)
  const send = (message: WorkerMessage): void => void process.send?.(message)
  try {
    if (!assistant) throw new RangeError('the process has not begun')
    send({ id, answer: await assistant.answer(call, cancel.signal) })
  } catch (error) {
    send({ id, words: errorWords(error) })
  } finally {
    cancels.delete(id)
  }
}

function end(reason: EndReason): void {
  process.send?.({ reason } satisfies WorkerMessage, die)
}

/** An exit would wait for the threads of DuckDB. */
function die(): void {
  process.kill(process.pid, 'SIGKILL')
}
