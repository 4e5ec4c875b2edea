import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UsageError } from 'candlehouse-foundation/errors'
import { refused } from 'candlehouse-foundation/system-fault'
import { ZipFile } from 'yazl'
import type { Stop } from '../../duckdb/interrupt.js'
import type { Reader, ResultColumn } from '../../duckdb/reader.js'
import { rowsOf } from '../query.js'
import { type Cell, type CellWriter, cellWriter, headerCell, MOST_CHARACTERS } from './cells.js'
import { sheetEnd, sheetStart, smallParts } from './workbook-parts.js'

/** Excel's limits for a sheet; the first row is the header. */
const MOST_ROWS = 1_048_576
const MOST_COLUMNS = 16_384

/** The length of a sheet's name that Excel accepts. */
const LONGEST_NAME = 31

/** Widths of columns, in characters. */
const NARROWEST = 8
const WIDEST = 60

/** Files of the archive have no time of their own: the same rows give the same file. */
const MTIME = new Date(Date.UTC(2000, 0, 1))

const HINT =
  'export fewer rows (--from, --to, --symbols, --partition-by month), or another format: --out FILE.csv'

export interface XlsxOptions {
  /** Name of the sheet; cut where it is too long for one. */
  readonly sheet: string
  readonly stop: Stop
  onRows(rows: number): void
}

/**
 * Writes a result as an Excel workbook with one sheet, chunk by chunk: memory does not grow with it. The header is bold
 * and stays in place, with a filter. Dates are dates, instants dates in exchange time, numbers of up to 15 digits numbers;
 * longer ones are text, so that no digit is lost (docs/decisions/0052-a-workbook-holds-every-digit.md).
 *
 * @param file temporary name; after an error the file is incomplete
 * @returns rows written
 * @throws UsageError for a result that does not fit into a sheet · StorageError when the file cannot be written
 */
export async function writeXlsx(
  reader: Reader,
  sql: string,
  file: string,
  options: XlsxOptions,
): Promise<number> {
  const [[count] = []] = await rowsOf(reader, `SELECT count(*) FROM (\n${sql}\n)`)
  requireRows(Number(count))
  const archive = openArchive(file)
  const sheet = new Sheet((text) => archive.write(text), options.onRows)
  try {
    await reader.stream(
      sql,
      (columns) => sheet.begin(columns),
      (rows) => sheet.add(rows),
      options.stop,
    )
    const { rows, filter } = await sheet.end()
    await archive.end(smallParts(options.sheet.slice(0, LONGEST_NAME), filter))
    return rows
  } catch (error) {
    archive.abandon()
    throw error
  }
}

function requireRows(count: number): void {
  if (count < MOST_ROWS) return
  const [rows, most] = [count, MOST_ROWS - 1].map((each) => each.toLocaleString('en'))
  throw new UsageError(
    `${rows} rows do not fit into a sheet of Excel, which has at most ${most} below its header`,
    {
      hint: HINT,
    },
  )
}

/** The sheet's XML while it is written. */
class Sheet {
  private columns: readonly ResultColumn[] = []
  private writers: readonly CellWriter[] = []
  private letters: readonly string[] = []
  private rows = 0

  constructor(
    private readonly write: (text: string) => Promise<void>,
    private readonly onRows: (rows: number) => void,
  ) {}

  begin(columns: readonly ResultColumn[]): void {
    if (columns.length > MOST_COLUMNS)
      throw new UsageError(`${columns.length} columns do not fit into a sheet of Excel`, { hint: HINT })
    this.columns = columns
    this.writers = columns.map(({ type }) => cellWriter(type))
    this.letters = columns.map((_, index) => letterOf(index))
  }

  async add(rows: readonly unknown[][]): Promise<void> {
    if (this.rows === 0) await this.start(rows)
    requireRows(this.rows + rows.length)
    const texts = rows.map((row, index) => this.row(row, this.rows + index + 2))
    this.rows += rows.length
    await this.write(texts.join(''))
    this.onRows(rows.length)
  }

  async end(): Promise<{ rows: number; filter: string }> {
    if (this.rows === 0) await this.start([])
    const filter = `A1:${this.letters.at(-1)}${this.rows + 1}`
    await this.write(sheetEnd(filter))
    return { rows: this.rows, filter }
  }

  /** Columns are as wide as their header and the first rows need. */
  private async start(rows: readonly unknown[][]): Promise<void> {
    const widths = this.columns.map(({ name }, index) =>
      Math.min(
        WIDEST,
        rows.reduce(
          (width, row) => Math.max(width, widthOf(row[index])),
          Math.max(NARROWEST, name.length + 3),
        ),
      ),
    )
    const header = this.columns.map(({ name }, index) => this.cell(headerCell(name), index, 1)).join('')
    await this.write(`${sheetStart(widths)}<row r="1">${header}</row>`)
  }

  private row(values: readonly unknown[], row: number): string {
    let cells = ''
    for (const [index, value] of values.entries()) {
      const writer = this.writers[index]
      if (value === null || !writer) continue
      if (typeof value === 'string' && value.length > MOST_CHARACTERS) this.refuseText(value, index, row)
      cells += this.cell(writer(value), index, row)
    }
    return `<row r="${row}">${cells}</row>`
  }

  private cell({ format, type, content }: Cell, column: number, row: number): string {
    const style = format === 0 ? '' : ` s="${format}"`
    const kind = type === 'n' ? '' : ` t="${type}"`
    return `<c r="${this.letters[column]}${row}"${style}${kind}>${content}</c>`
  }

  private refuseText(text: string, column: number, row: number): never {
    const [length, most] = [text.length, MOST_CHARACTERS].map((each) => each.toLocaleString('en'))
    throw new UsageError(
      `column ${this.columns[column]?.name} has a text of ${length} characters in row ${row}; a cell of Excel holds ${most}`,
      { hint: 'choose other columns with --query, or export another format: --out FILE.csv' },
    )
  }
}

/** Characters that a value takes in its cell, with some air. */
function widthOf(value: unknown): number {
  if (value === null) return 0
  const text = String(value)
  const isInstant = /^\d{4}-\d{2}-\d{2}[T ]/.test(text)
  return isInstant ? 21 : Math.ceil(text.replace(/\.0+$/, '').length * 1.15) + 2
}

/** 0 → A, 25 → Z, 26 → AA. */
function letterOf(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : `${letterOf(Math.floor(index / 26) - 1)}${last}`
}

/** Resolves when the stream takes more, or was destroyed. */
async function drained(stream: PassThrough): Promise<void> {
  const over = new AbortController()
  const { signal } = over
  await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })])
  over.abort()
}

interface Archive {
  /** Adds text to the sheet; waits while the disk is slower. */
  write(text: string): Promise<void>
  end(parts: ReadonlyMap<string, string>): Promise<void>
  abandon(): void
}

/** The zip file that a workbook is. Its sheet is compressed while it is written. */
function openArchive(file: string): Archive {
  const zip = new ZipFile()
  const sheet = new PassThrough()
  let failure: unknown
  const fail = (error: unknown): void => {
    failure ??= error
    sheet.destroy()
  }
  zip.on('error', fail)
  const written = pipeline(zip.outputStream, createWriteStream(file)).catch(fail)
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', { mtime: MTIME })
  const requireWorking = (): void => {
    if (failure !== undefined) throw refused(`write ${file}`, failure, 'choose another place, then try again')
  }
  return {
    async write(text) {
      requireWorking()
      if (!sheet.write(text)) await drained(sheet)
      requireWorking()
    },
    async end(parts) {
      sheet.end()
      for (const [name, text] of parts) zip.addBuffer(Buffer.from(text), name, { mtime: MTIME })
      zip.end()
      await written
      requireWorking()
    },
    abandon() {
      fail(new Error('abandoned'))
      ;(zip.outputStream as PassThrough).destroy()
    },
  }
}
