import { clearScreenDown, createInterface, cursorTo, type Interface, type Key } from 'node:readline'
import { type Terminal, terminalWith } from 'candlehouse-foundation/command-line/terminal'
import type { Call } from '../verb.js'
import { EarlierStatement } from './earlier-statement.js'

const READY = 'candlehouse> '
const GOING_ON = '        ...> '
const BELL = '\x07'

/** The line that a person types, with its prompt, its completion and earlier statements. */
export class TypedLine {
  readonly lines: Interface
  /** For what is shown while somebody types on: that line leaves the screen, and stands behind the next prompt. */
  readonly terminal: Terminal
  private readonly isDumb: boolean

  /**
   * @param statements earlier ones, the latest first; it grows at its beginning
   * @param complete words that continue a text, and the part of it that they replace
   */
  constructor(
    { stdin, terminal, environment }: Call,
    statements: readonly string[],
    complete: (line: string) => Promise<[string[], string]>,
  ) {
    this.isDumb = environment.TERM === 'dumb'
    this.terminal = this.above(terminal)
    this.lines = createInterface({
      input: stdin,
      output: terminal.screen,
      terminal: true,
      prompt: READY,
      history: [...statements],
      historySize: 1_000,
      removeHistoryDuplicates: true,
      completer: (line: string, answer: (error: null, hits: [string[], string]) => void) => {
        complete(line).then(
          (hits) => answer(null, hits),
          () => answer(null, [[], '']),
        )
      },
    })
    const earlier = new EarlierStatement(statements)
    const onKey = (_: unknown, key: Key): void => {
      if (key.ctrl && key.name === 'r') this.search(earlier)
    }
    stdin.on('keypress', onKey)
    this.lines.once('close', () => stdin.off('keypress', onKey))
  }

  /** Shows the prompt, and what was typed behind it. @param isGoingOn whether a statement is not ended yet */
  ask(isGoingOn: boolean): void {
    this.lines.setPrompt(isGoingOn ? GOING_ON : READY)
    this.lines.prompt(true)
  }

  clear(): void {
    this.lines.write(null, { ctrl: true, name: 'e' })
    this.lines.write(null, { ctrl: true, name: 'u' })
  }

  /** Ctrl-R: puts the latest statement that has what is typed in its place; again, the one before. */
  private search(earlier: EarlierStatement): void {
    const statement = earlier.find(this.lines.line)
    if (statement === undefined) {
      this.terminal.screen.write(BELL)
      return
    }
    this.clear()
    this.lines.write(statement)
  }

  private above(terminal: Terminal): Terminal {
    const hiding =
      <Result>(write: (text: string) => Result) =>
      (text: string): Result => {
        if (this.lines.line !== '' && !this.isDumb) {
          cursorTo(terminal.screen, 0)
          clearScreenDown(terminal.screen)
        }
        return write(text)
      }
    const { data, words, complain } = terminal
    return terminalWith(terminal, {
      data: hiding(data),
      words: hiding(words),
      complain: hiding(complain),
    })
  }
}
