import { spawn, spawnSync } from 'node:child_process'
import { onEnd } from './cleanup.js'
import type { Environment } from './program.js'

/** Why no pseudo terminal can be opened here; undefined where one can. */
export function withoutPseudoTerminal(): string | undefined {
  const { stdout = '', error } = spawnSync('script', ['--version'], { encoding: 'utf8' })
  return !error && stdout.includes('util-linux') ? undefined : 'script of util-linux is not installed'
}

/** A program on a terminal, and the person who types. */
export interface PseudoTerminal {
  /** Types, then waits until the screen shows the text behind what it showed before. @returns what it showed meanwhile */
  type(keys: string, expected: string): Promise<string>
  /** Waits for the end. @returns the exit code */
  ended: Promise<number | null>
  /** Everything that the screen showed, without colours and movements of the cursor. */
  screen(): string
}

export const CTRL_C = '\x03'
export const CTRL_D = '\x04'
export const TAB = '\t'

/** Starts a command, as a shell reads it, on a terminal of 80 columns and 24 lines. */
export function onPseudoTerminal(
  command: string,
  { cwd, env }: { cwd: string; env: Environment },
): PseudoTerminal {
  const child = spawn('script', ['-qefc', `stty cols 80 rows 24; exec ${command}`, '/dev/null'], {
    cwd,
    env: { PATH: process.env.PATH, TERM: 'xterm', SHELL: '/bin/sh', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  onEnd(() => child.kill('SIGKILL'))
  let shown = ''
  let seen = 0
  const waiting = new Set<() => void>()
  const wake = (): void => {
    for (const look of waiting) look()
  }
  let hasEnded = false
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown = withoutMovements(shown + text)
    wake()
  })
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      hasEnded = true
      wake()
      resolve(code)
    })
  })
  const until = (expected: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const at = shown.indexOf(expected, seen)
        if (at < 0 && !hasEnded) return
        waiting.delete(look)
        if (at < 0) {
          reject(new Error(`the screen never showed ${JSON.stringify(expected)}:\n${shown.slice(seen)}`))
          return
        }
        const text = shown.slice(seen, at + expected.length)
        seen = at + expected.length
        resolve(text)
      }
      waiting.add(look)
      look()
    })
  return {
    type: (keys, expected) => {
      child.stdin.write(keys)
      return until(expected)
    },
    ended,
    screen: () => shown,
  }
}

/** The end may be half of a sequence: it is removed once it is complete. */
function withoutMovements(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by them
  return text.replace(/\x1b\[[0-9;?]*[A-Za-z]|\r/g, '')
}
