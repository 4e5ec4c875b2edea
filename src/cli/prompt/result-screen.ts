import type { ResultColumn } from '../../read/index.js'
import {
  autoWriter,
  csvWriter,
  jsonWriter,
  type NumberForm,
  type ResultWriter,
  tableWriter,
  verticalWriter,
} from '../render/result.js'
import { textWidth } from '../render/text-width.js'
import type { Mode } from './dot-command.js'

/** The screen that results are written to. */
export interface Screen {
  readonly columns: number
  readonly rows: number
  /** How numbers are written: a file has them exact. */
  readonly numbers: NumberForm
  write(text: string): Promise<void>
  /** Opens a pager for the rest of the result; undefined where there is none. */
  openPager(): { write(text: string): Promise<void>; end(): Promise<void> } | undefined
}

/** Lines of the screen that stay free: the statement's last line and the next prompt. */
const FREE_LINES = 2

/**
 * Shows one result as it arrives: as a table, or one value per line where the table would be wider than the screen; through
 * a pager from the moment it is longer than the screen.
 */
export class ResultScreen {
  rows = 0
  private readonly writer: ResultWriter
  /** Text that still fits on the screen, until the result ends or outgrows it; undefined once it was shown. */
  private waiting: string | undefined = ''
  private pager: ReturnType<Screen['openPager']>

  constructor(
    private readonly screen: Screen,
    mode: Mode,
  ) {
    this.writer = writerOf(mode, screen)
  }

  begin(columns: readonly ResultColumn[]): void {
    this.waiting = this.writer.begin(columns)
  }

  async add(rows: readonly (readonly unknown[])[]): Promise<void> {
    this.rows += rows.length
    await this.show(this.writer.rows(rows))
  }

  /** Writes what is left, and waits for the person to leave the pager. */
  async end(): Promise<void> {
    await this.show(this.writer.end())
    await this.abandon()
  }

  /** The pager of a result that was stopped: nothing follows. */
  async abandon(): Promise<void> {
    if (this.waiting) await this.screen.write(this.waiting)
    await this.pager?.end()
  }

  private async show(text: string): Promise<void> {
    if (this.waiting === undefined) {
      await (this.pager ?? this.screen).write(text)
      return
    }
    this.waiting += text
    if (linesOf(this.waiting, this.screen.columns) <= this.screen.rows - FREE_LINES) return
    this.pager = this.screen.openPager()
    const all = this.waiting
    this.waiting = undefined
    await (this.pager ?? this.screen).write(all)
  }
}

function writerOf(mode: Mode, { columns, numbers }: Screen): ResultWriter {
  if (mode === 'csv') return csvWriter()
  if (mode === 'json') return jsonWriter()
  if (mode === 'vertical') return verticalWriter(columns, numbers)
  return mode === 'table' ? tableWriter(numbers) : autoWriter(columns)
}

/** Lines on the screen: a line that is longer than the screen takes several. */
function linesOf(text: string, width: number): number {
  return text
    .split('\n')
    .slice(0, -1)
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / width)), 0)
}
