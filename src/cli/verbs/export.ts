import { extname, resolve } from 'node:path'
import { readDay } from 'candlehouse-foundation/command-line/argument'
import { shellWord } from 'candlehouse-foundation/command-line/shell-word'
import { UsageError } from 'candlehouse-foundation/errors'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Timeframe } from 'candlehouse-foundation/market/timeframe'
import { counted } from 'candlehouse-foundation/number-text'
import { type Command, Option } from 'commander'
import { ENGINE_NAMES, type Engine } from '../../read/backtest/engine-names.js'
import { BOOK_FORMATS, type BookFormat } from '../../read/books/book-text.js'
import type { AccountBooks } from '../../read/books/index.js'
import type { ExportProgress } from '../../read/export/export.js'
import { PROFILES, type Profile } from '../../read/export/export-request.js'
import { EXTENSIONS, FORMAT_NAMES, type Format, isCopied } from '../../read/export/formats.js'
import { readEvening, requireEvening } from '../argument.js'
import { count } from '../render/table.js'
import type { Call, NewVerb } from '../verb.js'
import { writeForEngine } from './export-for.js'

interface Options {
  for?: Engine
  universe?: string
  query?: string
  format?: Format | BookFormat
  partial?: true
  out: string
  profile: Profile
  from?: Day
  to?: Day
  symbols?: string[]
  allowUnknown?: true
  timeframe?: Timeframe
  partitionBy?: string
  asKnownOn?: string
  receipt?: string
}

export function exportVerb(verb: NewVerb): Command {
  return verb(
    'export',
    'Write a relation, or the result of a SQL statement, as files for notebooks and for Excel; the books of the accounts; or what a backtesting engine loads',
  )
    .argument(
      '[relation]',
      'relation to export, like market.candle; or ledger: the books of all accounts of shares',
    )
    .addOption(
      new Option(
        '--for <engine>',
        'the folder that a backtesting engine loads, instead of a relation',
      ).choices(ENGINE_NAMES),
    )
    .option(
      '--universe <universe>',
      'with --for: all, or an index, whose members of any time within the range are exported',
    )
    .option('--query <sql>', 'one SELECT statement instead of a relation')
    .addOption(
      new Option(
        '--format <format>',
        'file format (default: from the extension of --out, else parquet); of a ledger: beancount or hledger',
      ).choices([...FORMAT_NAMES, ...BOOK_FORMATS]),
    )
    .requiredOption('--out <path>', 'file to write; with --partition-by the folder to write')
    .addOption(
      new Option(
        '--profile <profile>',
        'types of values: exact has DECIMAL, DATE and instants; pandas has DOUBLE, TIMESTAMP and dictionary-coded symbols',
      )
        .choices(PROFILES)
        .default('exact'),
    )
    .option('--from <day>', 'first trading date to export', readDay)
    .option('--to <day>', 'last trading date to export', readDay)
    .symbols('export')
    .timeframe('export only candles of this length; with --for: 1d or 1m')
    .option(
      '--as-known-on <when>',
      'as the warehouse knew it on an evening: a day, or an instant with its zone',
      readEvening,
    )
    .option('--receipt <file>', 'with --as-known-on: write what the export could see, and what it could not')
    .option('--partition-by <column>', 'one folder per value: month, or a column such as symbol')
    .option('--partial', 'of a ledger: end before the first event that nothing explains')
    .reads(async (call, relation: string | undefined, options: Options) => {
      requireEvening(options, (evening) => exampleOf(options, evening))
      if (options.out === '-') throw noStandardOutput(relation)
      const out = resolve(call.folder, options.out)
      const receipt = options.receipt === undefined ? undefined : resolve(call.folder, options.receipt)
      if (relation === 'ledger') return await writeLedger(call, options, out)
      if (options.for) {
        refuseForEngine(relation, options)
        return await writeForEngine(call, { ...options, engine: options.for, out, receipt })
      }
      const { query, partitionBy } = options
      if (options.universe)
        throw new UsageError('--universe applies to --for alone', {
          hint: `candlehouse export --for qlib --universe ${options.universe} --out FOLDER`,
        })
      const { exportRows } = await import('../../read/export/export.js')
      const format = tableFormat(options.format) ?? formatOf(out, partitionBy !== undefined)
      const request = { ...options, source: sourceOf(relation, query), format, out, receipt }
      const progress = exportProgress(call, format, partitionBy !== undefined)
      const manifest = await exportRows(call.settings.home, request, progress, call.effects)
      call.progress.done()
      const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
      await call.answer(
        { out, ...manifest },
        () =>
          `${out}: ${counted(manifest.rows, 'row')}, ${counted(manifest.files.length, 'file')}, ` +
          `${sizeWords(bytes)}, publication ${manifest.publication}`,
      )
    })
}

function exampleOf({ for: engine, out }: Options, evening: string): string {
  return engine
    ? `candlehouse export --for ${engine} ${evening} --out ${shellWord(out)}`
    : `candlehouse export market.daily_summary ${evening} --out daily.parquet`
}

/** What chooses rows or a format: an engine's folder is whole, and its format is the engine's. @throws UsageError */
function refuseForEngine(relation: string | undefined, options: Options): void {
  const { for: engine, query, format, symbols, partitionBy } = options
  const { profile, partial, allowUnknown } = options
  const isOfRows = relation || query || format || symbols || partitionBy
  if (isOfRows || profile !== 'exact' || partial || allowUnknown)
    throw new UsageError(
      'of what chooses the rows of an export only --from, --to, --timeframe, --universe and --as-known-on apply to --for',
      { hint: `candlehouse export --for ${engine} --out FOLDER` },
    )
}

/** `9.4 kB`, `12.0 MB`: a small file is not 0.0 MB. */
function sizeWords(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/** Books of the accounts; what other exports choose from does not apply. */
async function writeLedger(call: Call, options: Options, out: string): Promise<void> {
  const format = BOOK_FORMATS.find((each) => each === options.format)
  if (!format)
    throw new UsageError('a ledger is written for a program that keeps books', {
      hint: `candlehouse export ledger --format beancount --out ${options.out} (or hledger)`,
    })
  const { query, from, to, symbols, timeframe, partitionBy, asKnownOn } = options
  if (query || from || to || symbols || timeframe || partitionBy || asKnownOn)
    throw new UsageError(
      'the books of an account are whole: only --format, --out and --partial apply to a ledger',
      { hint: `candlehouse export ledger --format ${format} --out ${options.out}` },
    )
  const { exportBooks } = await import('../../read/books/index.js')
  const ledger = { out, format, partial: options.partial === true }
  const accounts = await exportBooks(call.settings.home, ledger, call.effects)
  await call.answer({ out, format, accounts }, () => renderBooks(out, accounts))
}

function renderBooks(out: string, accounts: readonly AccountBooks[]): string {
  return accounts
    .map(({ account, from, upTo, stopped, transactions, assertions }) =>
      [
        `${out}: account ${account} from ${from} to ${upTo}, ${count(transactions)} transactions, ${count(assertions)} balances`,
        ...(stopped === null ? [] : [`  ends there: ${stopped}`]),
      ].join('\n'),
    )
    .join('\n')
}

/** @throws UsageError for a format of books */
function tableFormat(format: Options['format']): Format | undefined {
  const table = FORMAT_NAMES.find((each) => each === format)
  if (format === undefined || table) return table
  throw new UsageError(`${format} is a format of books`, {
    hint: `candlehouse export ledger --format ${format} --out FILE`,
  })
}

/** An export has a manifest beside its file. */
function noStandardOutput(relation: string | undefined): UsageError {
  return new UsageError('an export is a file or a folder, not standard output', {
    hint: `candlehouse sql --csv ${shellWord(`from ${relation ?? 'market.daily_summary'}`)}`,
  })
}

/** The format that the extension of `--out` names; a folder, or a name without an extension, is Parquet. @throws UsageError */
function formatOf(out: string, isFolder: boolean): Format {
  const extension = extname(out).toLowerCase()
  const format = EXTENSIONS.get(extension)
  if (format) return format
  if (extension === '' || isFolder) return 'parquet'
  throw new UsageError(`--out ends with '${extension}', which is not the extension of a format`, {
    hint: `use one of ${[...EXTENSIONS.keys()].join(', ')}, or add --format`,
  })
}

/** Shows the files that are done, or how far the only file is: in rows or in percent. */
function exportProgress(
  { progress, signal, terminal }: Call,
  format: Format,
  isPartitioned: boolean,
): ExportProgress {
  let shown = 0
  return {
    file(number, fileCount) {
      shown = 0
      if (fileCount > 1) {
        if (number === 1) progress.phase('export', fileCount, 'files')
        else progress.advance(1)
      } else if (isCopied(format)) progress.phase('export', 100, '%')
      else progress.phase('export')
    },
    percent(percent) {
      if (isPartitioned || percent - shown < 1) return
      progress.advance(Math.floor(percent - shown))
      shown += Math.floor(percent - shown)
    },
    rows(rows) {
      shown += rows
      if (!isPartitioned) progress.advance(0, `${count(shown)} rows`)
    },
    note(words) {
      terminal.words(`note: ${words}`)
    },
    signal,
  }
}

function sourceOf(
  relation: string | undefined,
  query: string | undefined,
): { relation: string } | { query: string } {
  if (relation !== undefined && query === undefined) return { relation }
  if (query !== undefined && relation === undefined) return { query }
  throw new UsageError(
    relation
      ? `both a relation (${relation}) and --query were given: give only one`
      : 'nothing to export: give a relation or --query',
    { hint: 'candlehouse export market.daily_summary --out daily.parquet' },
  )
}
