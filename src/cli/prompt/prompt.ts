import { resolve } from 'node:path'
import type { Interface } from 'node:readline'
import { reportFailure } from 'candlehouse-foundation/command-line/failure'
import { CandlehouseError } from 'candlehouse-foundation/errors'
import { counted } from 'candlehouse-foundation/number-text'
import { History } from '../../home/statement-history.js'
import { historyFile } from '../../home/user-files.js'
import { withComments } from '../../read/query.js'
import { rowsInTime } from '../render/result.js'
import type { Call } from '../verb.js'
import { completeDotCommand, HELP, type Mode, readDotCommand } from './dot-command.js'
import { FollowedCatalog } from './followed-catalog.js'
import { OutputFile } from './output-file.js'
import { type OpenPager, openPager, PagerLeft, pagerCommand } from './pager.js'
import { ResultScreen, type Screen } from './result-screen.js'
import { readStatements } from './statement-file.js'
import { onOneLine, splitStatements } from './statements.js'
import { TypedLine } from './typed-line.js'

/** The reason with which Ctrl-C stops a statement. */
class Cancelled extends Error {}

export interface PromptOptions {
  readonly mode: Mode
  readonly timing: boolean
}

/** Reads statements on a terminal and shows their results until Ctrl-D. */
export class SqlPrompt {
  private readonly call: Call
  private readonly catalog: FollowedCatalog
  private readonly history: History
  private readonly line: TypedLine
  private readonly lines: Interface
  private mode: Mode
  private isTiming: boolean
  /** Where results go instead of the screen. */
  private output: OutputFile | undefined
  /** Statements that are typed but not ended, or wait for the one that runs. */
  private typed = ''
  private work: Promise<void> = Promise.resolve()
  /** Lines that were typed or pasted and are not read yet. */
  private waiting = 0
  /** Stops the statement that runs. */
  private running: AbortController | undefined
  private isPaging = false
  private isLeaving = false
  private failure: unknown

  private constructor(call: Call, options: PromptOptions, history: History) {
    this.line = new TypedLine(call, history.statements, (line) => this.complete(line))
    this.lines = this.line.lines
    this.call = { ...call, terminal: this.line.terminal }
    this.mode = options.mode
    this.isTiming = options.timing
    this.catalog = new FollowedCatalog(call.settings.home)
    this.history = history
  }

  /**
   * Reads until the person leaves.
   *
   * @throws StorageError (6) before the first publication
   */
  static async run(call: Call, options: PromptOptions): Promise<void> {
    const history = new History(historyFile(call.environment), call.terminal.clean, call.effects)
    const problem = await history.open()
    if (problem !== undefined) call.terminal.words(`statements are not kept for the next prompt: ${problem}`)
    const prompt = new SqlPrompt(call, options, history)
    try {
      await prompt.greet()
      await prompt.read()
    } finally {
      prompt.lines.close()
      prompt.output?.close()
      call.takeInterrupts(undefined)
      await prompt.catalog.close()
    }
  }

  private async greet(): Promise<void> {
    await this.catalog.follow((words) => this.call.terminal.words(words))
    this.call.terminal.words('Statements end with ;   .help lists commands   Ctrl-D leaves')
  }

  private async read(): Promise<void> {
    const { signal } = this.call
    const closed = new Promise<void>((resolve) => {
      this.lines.on('close', () => {
        this.isLeaving = true
        this.running?.abort(new Cancelled())
        resolve()
      })
    })
    const onStop = (): void => this.lines.close()
    signal.addEventListener('abort', onStop)
    this.call.takeInterrupts(() => this.interrupt())
    this.lines.on('SIGINT', () => this.interrupt())
    // Lines of one statement are one entry; readline keeps each of its own.
    let entries: string[] = []
    this.lines.on('history', (lines: string[]) => {
      entries = lines
    })
    this.lines.on('line', (line) => {
      this.waiting += 1
      this.work = this.work
        .then(async () => {
          await this.take(line)
          this.waiting -= 1
          if (this.typed === '' && entries.length > 0)
            entries.splice(0, entries.length, ...this.history.statements)
          // Lines of one paste arrive together: a prompt between them would stand before the next result.
          if (!this.isLeaving && this.waiting === 0) this.ask()
        })
        .catch((error: unknown) => {
          this.failure ??= error
          this.lines.close()
        })
    })
    this.ask()
    await closed
    await this.work
    signal.removeEventListener('abort', onStop)
    signal.throwIfAborted()
    if (this.failure !== undefined) throw this.failure
    await this.call.terminal.data('\n')
  }

  private ask(): void {
    this.line.ask(this.typed !== '')
  }

  /** Ctrl-C: cancels the statement, or clears what was typed. A pager has its own meaning for it. */
  private interrupt(): void {
    if (this.isPaging) return
    if (this.running) {
      this.running.abort(new Cancelled())
      return
    }
    this.typed = ''
    this.line.clear()
    this.call.terminal.screen.write('^C\n')
    this.ask()
  }

  private async take(line: string): Promise<void> {
    if (this.isLeaving) return
    const command = this.typed === '' ? readDotCommand(line) : undefined
    if (command) {
      this.history.add(line.trim())
      await this.obey(command)
      return
    }
    const { statements, rest } = splitStatements(this.typed === '' ? line : `${this.typed}\n${line}`)
    if (this.typed !== '' && line.trim() === '' && rest !== '')
      this.call.terminal.words('a statement ends with ;   Ctrl-C clears it')
    this.typed = ''
    for (const [index, statement] of statements.entries()) {
      const entry = onOneLine(statement)
      if (entry !== undefined) this.history.add(`${entry};`)
      const isStopped = !(await this.show(statement))
      if (isStopped && index < statements.length - 1) {
        this.call.terminal.words('the statements behind it on the same line were not run')
        return
      }
    }
    this.typed = rest
  }

  private async obey(command: NonNullable<ReturnType<typeof readDotCommand>>): Promise<void> {
    const { terminal } = this.call
    if (command.does === 'help') await terminal.data(`${HELP}\n`)
    if (command.does === 'timing') this.isTiming = command.on
    if (command.does === 'mode') this.mode = command.mode
    if (command.does === 'tables') await this.show('show tables')
    if (command.does === 'read')
      await this.runFile(command.file).catch(async (error: unknown) => await this.report(error))
    if (command.does === 'output') this.redirect(command.file, command.once)
    if (command.does === 'nothing') terminal.complain(command.because)
    if (command.does === 'quit') this.lines.close()
  }

  /** Runs the statements of a file, up to the first that fails. */
  private async runFile(name: string): Promise<void> {
    const { file, statements } = readStatements(name, this.call)
    for (const [index, statement] of statements.entries()) {
      if (await this.show(statement)) continue
      if (index < statements.length - 1)
        this.call.terminal.words(`the statements behind it in ${file} were not run`)
      return
    }
  }

  /** Results go to a file from now on, or to the screen again. */
  private redirect(file: string | undefined, once: boolean): void {
    const { folder, effects } = this.call
    this.output?.close()
    this.output = file === undefined ? undefined : new OutputFile(resolve(folder, file), once, effects.disk)
  }

  /** Runs a statement and shows its result. @returns whether it ended by itself, without an error */
  private async show(sql: string): Promise<boolean> {
    const { terminal, effects } = this.call
    const stop = new AbortController()
    this.running = stop
    const { output } = this
    const result = new ResultScreen(
      output?.screen() ?? this.screen(),
      output?.modeFor(this.mode) ?? this.mode,
    )
    const begun = effects.monotonic()
    try {
      await this.catalog.follow((words) => this.call.terminal.words(words))
      await this.catalog.use((reader) =>
        reader.stream(
          withComments(sql),
          (columns) => result.begin(columns),
          (rows) => result.add(rows),
          { signal: stop.signal, effects },
        ),
      )
      const took = effects.monotonic() - begun
      await result.end()
      if (output) terminal.words(`${counted(result.rows, 'row')} written to ${output.path}`)
      if (this.isTiming) terminal.words(rowsInTime(result.rows, took))
      return true
    } catch (error) {
      if (error instanceof PagerLeft) return true
      await result.abandon().catch(() => undefined)
      if (error instanceof Cancelled) {
        if (!this.isLeaving) terminal.words('cancelled')
        return false
      }
      await this.report(error)
      return false
    } finally {
      this.running = undefined
      if (output?.once) this.redirect(undefined, false)
    }
  }

  /** Says what a person can mend; a bug ends the prompt. */
  private async report(error: unknown): Promise<void> {
    if (!(error instanceof CandlehouseError)) throw error
    await reportFailure(error, { json: false, verb: 'sql' }, this.call.terminal)
  }

  private async complete(line: string): Promise<[string[], string]> {
    if (this.typed === '' && line.startsWith('.')) return completeDotCommand(line)
    // The catalog has one connection; a statement that runs may take minutes.
    if (this.running) return [[], '']
    const text = this.typed === '' ? line : `${this.typed}\n${line}`
    return await this.catalog.complete(text)
  }

  private screen(): Screen {
    const { terminal } = this.call
    const { screen } = terminal
    return {
      columns: screen.columns ?? Number.POSITIVE_INFINITY,
      rows: screen.rows ?? Number.POSITIVE_INFINITY,
      numbers: 'grouped',
      write: (text) => terminal.data(text),
      openPager: () => {
        const command = pagerCommand(this.call.environment)
        return command === undefined ? undefined : this.page(command)
      },
    }
  }

  /** The keyboard belongs to the pager until it ends. */
  private page(command: string): OpenPager {
    const { stdin, environment } = this.call
    this.isPaging = true
    this.lines.pause()
    stdin.setRawMode?.(false)
    return openPager(command, environment, () => {
      if (!this.isPaging) return
      this.isPaging = false
      if (this.isLeaving) return
      stdin.setRawMode?.(true)
      this.lines.resume()
    })
  }
}
