import { PassThrough, Readable, Writable } from 'node:stream'
import { createTerminal, type Terminal } from 'candlehouse-foundation/command-line/terminal'
import { invoke } from '../../src/cli/program.js'
import type { Edge } from '../../src/cli/verb.js'
import { type Effects, systemEffects } from '../../src/effects.js'

/** How a run of the program ended. */
export interface Ran {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  /** stdout as the one JSON document it should be. */
  json: <T = Record<string, unknown>>() => T
}

export type Environment = Record<string, string | undefined>

/** A terminal that nobody watches, and what was written to it since it was last looked at. */
export function watchedTerminal(): { terminal: Terminal; out: () => string; err: () => string } {
  const [stdout, stderr] = [sink(), sink()]
  return { terminal: createTerminal({ stdout, stderr }), out: stdout.take, err: stderr.take }
}

function sink(): Writable & { take: () => string } {
  const pieces: string[] = []
  const stream = new Writable({
    write(piece, _, done) {
      pieces.push(String(piece))
      done()
    },
  })
  return Object.assign(stream, { take: () => pieces.splice(0).join('') })
}

export interface At {
  /** The user's working folder; the home is `data` inside it. */
  cwd: string
  env?: Environment
  input?: string
  /** @default the system's */
  effects?: Effects
  signal?: AbortSignal
  /** What somebody types at a terminal: answers, line by line. */
  typed?: readonly string[]
  machine?: Edge['machine']
  opener?: Edge['opener']
  story?: Edge['story']
  /** @default false: the report is the subject of few tests */
  writesReport?: boolean
}

/**
 * Runs a command line in this process, as the program's entry does: for everything but signals, kills, terminals and
 * what only a process of its own shows (`start` of `process.ts`).
 */
export async function cli(args: readonly string[], at: At): Promise<Ran> {
  const { terminal, out, err } = watchedTerminal()
  const code = await invoke(args, edgeOf(terminal, at), at.effects ?? systemEffects)
  const stdout = out()
  return { code, signal: null, stdout, stderr: err(), json: () => JSON.parse(stdout) }
}

/** What the process edge would hand to a verb. */
export function edgeOf(terminal: Terminal, at: At): Omit<Edge, 'endWith'> {
  return {
    terminal,
    // Tables that follow from views cost every night 0.3 CPU-seconds; tests of them ask for them.
    environment: { CANDLEHOUSE_LAKE_MARTS: 'none', ...at.env },
    folder: at.cwd,
    stdin: at.typed ? keyboard(at.typed) : Readable.from(at.input === undefined ? [] : [at.input]),
    ...(at.machine ? { machine: at.machine } : {}),
    ...(at.opener ? { opener: at.opener } : {}),
    ...(at.story ? { story: at.story } : {}),
    writesReport: at.writesReport ?? false,
    whenStopped: () => undefined,
    takeInterrupts: () => undefined,
    signal: at.signal ?? new AbortController().signal,
  }
}

/** A terminal's input that has every line typed already, then ends. */
function keyboard(lines: readonly string[]): Edge['stdin'] {
  const input = new PassThrough()
  input.end(lines.map((line) => `${line}\r`).join(''))
  return Object.assign(input, { isTTY: true })
}
