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
import { type Cell, type CellWriter, cellWriter, escaped, headerCell, MOST_CHARACTERS } from './cells.js'

/** Excel's limits for a sheet; the first row is the header. */
const MOST_ROWS = 1_048_576
const MOST_COLUMNS = 16_384

/** The length of a sheet's name that Excel accepts. */
const LONGEST_NAME = 31

/** Widths of columns, in characters. */
const NARROWEST = 8
const WIDEST = 60

/** Files of the archive have no time of their own: the same rows give the same file. */
export const ZIP_MTIME = new Date(Date.UTC(2000, 0, 1))

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
    { hint: HINT },
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
    await this.write(`</sheetData><autoFilter ref="${filter}"/></worksheet>`)
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
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', { mtime: ZIP_MTIME })
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
      for (const [name, text] of parts) zip.addBuffer(Buffer.from(text), name, { mtime: ZIP_MTIME })
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

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

/** The small files of a workbook with one sheet (ECMA-376, part 1), by their name in the archive. */
function smallParts(sheet: string, filter: string): ReadonlyMap<string, string> {
  return new Map([
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
    ],
    [
      '_rels/.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    ],
    ['xl/workbook.xml', workbook(sheet, filter)],
    ['xl/styles.xml', styles()],
  ])
}

/** Excel finds the cells of a filter by this hidden name. */
function workbook(sheet: string, filter: string): string {
  const name = escaped(sheet)
  const cells = filter.replaceAll(/([A-Z]+)(\d+)/g, '$$$1$$$2')
  return `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><bookViews><workbookView/></bookViews><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="0" hidden="1">'${name.replaceAll("'", "''")}'!${cells}</definedName></definedNames></workbook>`
}

/** Cell formats, in the order of `FORMAT`. 3, 49: formats that Excel has; the others are named here. */
function styles(): string {
  const formats = [
    '<xf/>',
    '<xf fontId="1" applyFont="1"/>',
    '<xf numFmtId="3" applyNumberFormat="1"/>',
    '<xf numFmtId="164" applyNumberFormat="1"/>',
    '<xf numFmtId="165" applyNumberFormat="1"/>',
    '<xf numFmtId="166" applyNumberFormat="1"/>',
    '<xf numFmtId="49" applyNumberFormat="1" quotePrefix="1"/>',
  ].map((xf) =>
    xf.replace('<xf', `<xf xfId="0" borderId="0" fillId="0"${xf.includes('fontId') ? '' : ' fontId="0"'}`),
  )
  const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>'
  return `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="#,##0.0#####"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${formats.length}">${formats.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
}

/** The beginning of the sheet: the header row stays in place, and columns are as wide as given, in characters. */
function sheetStart(widths: readonly number[]): string {
  const columns = widths
    .map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`)
    .join('')
  return `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>${columns}</cols><sheetData>`
}
