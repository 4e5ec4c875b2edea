import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { scrub } from '../secrets.js'

/** Where a verb writes: data to stdout, words to stderr. */
export interface Terminal {
  /** A person watches stderr: bars may move. */
  readonly interactive: boolean
  /** Waits while the reader of a pipe is slower. */
  data(text: string): Promise<void>
  /** One or more lines of words; nothing with --quiet. */
  words(text: string): void
  /** Words that --quiet does not hold back. */
  complain(text: string): void
  /** The text without secrets. */
  clean(text: string): string
  /** Values that must never be written, whatever says them. */
  keepSecret(values: readonly string[]): void
  silence(): void
}

/** The parts of `process` that a terminal is made of. */
export interface Streams {
  stdout: Writable
  stderr: Writable & { isTTY?: boolean }
}

export function createTerminal(streams: Streams): Terminal {
  const secrets: string[] = []
  let quiet = false
  const interactive = streams.stderr.isTTY === true
  const say = (text: string): void => {
    streams.stderr.write(`${visible(scrub(text, secrets))}\n`)
  }
  return {
    interactive,
    async data(text) {
      if (!streams.stdout.write(text)) await once(streams.stdout, 'drain')
    },
    words: (text) => {
      if (!quiet) say(text)
    },
    complain: say,
    clean: (text) => scrub(text, secrets),
    keepSecret: (values) => {
      secrets.push(...values)
    },
    silence: () => {
      quiet = true
    },
  }
}

/** Control and bidirectional characters escaped, except line ends: terminals obey them. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) =>
    char === '\n' || char === '\t' ? char : `\\u{${char.codePointAt(0)?.toString(16)}}`,
  )
}
