import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { scrub } from '../secrets.js'
import { visible } from '../visible.js'

/** Where a verb writes: data to stdout, messages to stderr. */
export interface Terminal {
  /** Whether stderr is a terminal, on which a progress bar can be redrawn. */
  readonly interactive: boolean
  /** Columns of the terminal that shows stdout; undefined for a pipe or a file, where nothing is wrapped. */
  readonly width: number | undefined
  /** stdout itself, for a prompt, which draws its own lines. */
  readonly screen: Screen
  /** Writes to stdout. Waits if the reader of a pipe is slower. */
  data(text: string): Promise<void>
  /** Writes a message of one or more lines; nothing with --quiet. */
  words(text: string): void
  /** Writes a message that is shown also with --quiet. */
  complain(text: string): void
  /** Writes a question, or what a person types, to stderr as it is. */
  echo(text: string): void
  /** The text without secrets. */
  clean(text: string): string
  /** Adds values that are replaced by `[secret]` in every output. */
  keepSecret(values: readonly string[]): void
  /** Hides messages from now on (--quiet). */
  silence(): void
  /** Whether a progress bar stands on the current line of stderr: a message then begins on a line of its own. */
  drawing(isDrawn: boolean): void
}

/** A stream that may be a terminal. */
export type Screen = Writable & { isTTY?: boolean; columns?: number; rows?: number }

/** The parts of `process` that a terminal needs. */
export interface Streams {
  stdout: Screen
  stderr: Writable & { isTTY?: boolean }
}

/** The terminal with other ways to write; all else is its own, as it is by then. */
export function terminalWith(
  terminal: Terminal,
  writes: Partial<Pick<Terminal, 'data' | 'words' | 'complain'>>,
): Terminal {
  return Object.assign(Object.create(terminal) as Terminal, writes)
}

export function createTerminal(streams: Streams): Terminal {
  const secrets: string[] = []
  let quiet = false
  let isDrawn = false
  const interactive = streams.stderr.isTTY === true
  const say = (text: string): void => {
    streams.stderr.write(`${isDrawn ? '\n' : ''}${visible(scrub(text, secrets))}\n`)
  }
  return {
    interactive,
    get width() {
      return streams.stdout.isTTY ? streams.stdout.columns : undefined
    },
    screen: streams.stdout,
    async data(text) {
      if (!streams.stdout.write(text)) await once(streams.stdout, 'drain')
    },
    words: (text) => {
      if (!quiet) say(text)
    },
    complain: say,
    echo: (text) => void streams.stderr.write(text),
    clean: (text) => scrub(text, secrets),
    keepSecret: (values) => {
      secrets.push(...values)
    },
    silence: () => {
      quiet = true
    },
    drawing: (drawn) => {
      isDrawn = drawn
    },
  }
}
