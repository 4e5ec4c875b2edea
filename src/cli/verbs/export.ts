import { extname, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { Effects } from '../../effects.js'
import { UsageError } from '../../errors.js'
import type { Day } from '../../market/day.js'
import { TIMEFRAMES, type Timeframe } from '../../market/timeframe.js'
import type { ExportProgress } from '../../read/export/export.js'
import { FORMATS, type Format, PROFILES, type Profile } from '../../read/export/request.js'
import { day, symbolList } from '../argument.js'
import { count } from '../render/table.js'
import {
  allowUnknownOption,
  type Call,
  type CommonOptions,
  type Edge,
  prepareReading,
  verb,
} from '../verb.js'

interface Options extends CommonOptions {
  query?: string
  format?: Format
  out: string
  profile: Profile
  from?: Day
  to?: Day
  symbols?: string[]
  allowUnknown?: true
  timeframe?: Timeframe
  partitionBy?: string
}

/** File extension → format. */
const EXTENSIONS: Readonly<Record<string, Format>> = {
  '.parquet': 'parquet',
  '.arrow': 'arrow',
  '.feather': 'arrow',
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.xlsx': 'xlsx',
}

export function exportVerb(edge: Edge, effects: Effects): Command {
  return verb(
    'export',
    'Write a relation, or the result of a SQL statement, as files for notebooks and for Excel',
  )
    .argument('[relation]', 'relation to export, like market.candle')
    .option('--query <sql>', 'one SELECT statement instead of a relation')
    .addOption(
      new Option(
        '--format <format>',
        'file format (default: from the extension of --out, else parquet)',
      ).choices(FORMATS),
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
    .option('--from <day>', 'first trading date to export', day)
    .option('--to <day>', 'last trading date to export', day)
    .option('--symbols <list>', 'export only these symbols, separated by commas', symbolList)
    .addOption(allowUnknownOption())
    .addOption(new Option('--timeframe <length>', 'export only candles of this length').choices(TIMEFRAMES))
    .option('--partition-by <column>', 'one folder per value: month, or a column such as symbol')
    .action(async (relation: string | undefined, options: Options) => {
      const call = prepareReading(options, edge, effects)
      const { query, profile, from, to, symbols, allowUnknown, timeframe, partitionBy } = options
      const out = resolve(edge.folder, options.out)
      const { exportRows } = await import('../../read/export/export.js')
      const format = options.format ?? formatOf(out, partitionBy !== undefined)
      const request = {
        source: sourceOf(relation, query),
        format,
        profile,
        out,
        from,
        to,
        symbols,
        allowUnknown,
        timeframe,
        partitionBy,
      }
      const progress = exportProgress(call, format, partitionBy !== undefined)
      const manifest = await exportRows(call.settings.home, request, progress, call.effects)
      call.progress.done()
      const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0)
      await call.answer(
        { out, ...manifest },
        () =>
          `${out}: ${count(manifest.rows)} rows, ${count(manifest.files.length)} ${manifest.files.length === 1 ? 'file' : 'files'}, ` +
          `${(bytes / 1e6).toFixed(1)} MB, publication ${manifest.publication}`,
      )
    })
}

/** The format that the extension of `--out` names; a folder, or a name without an extension, is Parquet. @throws UsageError */
function formatOf(out: string, isFolder: boolean): Format {
  const extension = extname(out).toLowerCase()
  const format = EXTENSIONS[extension]
  if (format) return format
  if (extension === '' || isFolder) return 'parquet'
  throw new UsageError(`--out ends with '${extension}', which is not the extension of a format`, {
    hint: `use one of ${Object.keys(EXTENSIONS).join(', ')}, or add --format`,
  })
}

/** Shows the files that are done, or how far the only file is: in rows or in percent. */
function exportProgress({ progress, signal }: Call, format: Format, isPartitioned: boolean): ExportProgress {
  let shown = 0
  return {
    file(number, fileCount) {
      shown = 0
      if (fileCount > 1) {
        if (number === 1) progress.phase('export', fileCount, 'files')
        else progress.advance(1)
      } else if (countsRows(format)) progress.phase('export')
      else progress.phase('export', 100, '%')
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
    signal,
  }
}

/** Formats that the program writes itself; DuckDB, which writes the others, reports a percentage. */
function countsRows(format: Format): boolean {
  return format === 'arrow' || format === 'xlsx'
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
    {
      hint: 'candlehouse export market.daily_summary --out daily.parquet',
    },
  )
}
