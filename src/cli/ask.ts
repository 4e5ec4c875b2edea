import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import { InterruptedError, UsageError } from 'candlehouse-foundation/errors'
import type { Edge } from './verb.js'

/** Asks a person questions on a terminal, one after another. */
export interface Questions {
  /** The answer without blanks around it; `fallback` for an empty one. */
  ask(question: string, fallback?: string): Promise<string>
  /** As `ask`, again until `problemOf` the answer is undefined. */
  askValid(
    question: string,
    fallback: string,
    problemOf: (answer: string) => string | undefined,
  ): Promise<string>
  /** As `ask`; what is typed does not appear on the screen. */
  askSecret(question: string): Promise<string>
  /** Yes or no; an empty answer is no. */
  confirm(question: string): Promise<boolean>
  close(): void
}

/**
 * Reads answers from the keyboard and writes questions to stderr.
 *
 * @param left the message where the person leaves (Ctrl-D): what has not happened
 */
export function openQuestions(edge: Edge, left: string): Questions {
  // Only the answer to the current question: a pasted secret that comes before its question stays hidden too.
  let isShown = false
  const screen = new Writable({
    write(piece, _, done) {
      if (isShown) edge.terminal.echo(String(piece))
      done()
    },
  })
  const lines = createInterface({ input: edge.stdin, output: screen, terminal: true, historySize: 0 })
  lines.on('line', () => {
    isShown = false
  })
  const nextLine = lineReader(lines, left)
  const ask = async (question: string, secret: boolean): Promise<string> => {
    edge.terminal.echo(question)
    isShown = !secret
    try {
      return (await nextLine()).trim()
    } finally {
      isShown = false
      if (secret) edge.terminal.echo('\n')
    }
  }
  const askOpenly = async (question: string, fallback = ''): Promise<string> =>
    (await ask(`${question}${fallback ? ` [${fallback}]` : ''}: `, false)) || fallback
  return {
    ask: askOpenly,
    async askValid(question, fallback, problemOf) {
      for (;;) {
        const answer = await askOpenly(question, fallback)
        const problem = problemOf(answer)
        if (problem === undefined) return answer
        edge.terminal.words(`  '${answer}': ${problem}`)
      }
    },
    askSecret: (question) => ask(`${question} (not shown): `, true),
    async confirm(question) {
      return /^y(es)?$/i.test(await ask(`${question} [y/N]: `, false))
    },
    close: () => lines.close(),
  }
}

/** The lines of an interface one after another, also those that were typed before they were asked for. */
function lineReader(lines: Interface, left: string): () => Promise<string> {
  const typed: string[] = []
  let ended: Error | undefined
  let wake: (() => void) | undefined
  lines.on('line', (line) => {
    typed.push(line)
    wake?.()
  })
  const end = (error: Error): void => {
    ended ??= error
    wake?.()
  }
  lines.once('SIGINT', () => end(new InterruptedError(130)))
  lines.once('close', () => end(new UsageError(left)))
  return async () => {
    if (typed.length === 0 && !ended)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    const line = typed.shift()
    if (line === undefined) throw ended ?? new UsageError(left)
    return line
  }
}
