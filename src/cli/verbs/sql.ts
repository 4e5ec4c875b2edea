import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { shellWord } from 'candlehouse-foundation/command-line/shell-word'
import { UsageError } from 'candlehouse-foundation/errors'
import { type Command, Option } from 'commander'
import type { KnownCatalog } from '../../read/as-known/known-catalog.js'
import type { Reader } from '../../read/index.js'
import { readEvening, requireEvening } from '../argument.js'
import {
  autoWriter,
  csvWriter,
  jsonWriter,
  type ResultWriter,
  rowsInTime,
  tableWriter,
} from '../render/result.js'
import type { Call, NewVerb } from '../verb.js'

interface Options {
  csv?: true
  arrow?: string
  time?: true
  asKnownOn?: string
  receipt?: string
}

export function sqlVerb(verb: NewVerb): Command {
  return verb('sql', 'Run one SELECT statement on the published catalog; on a terminal, ask for statements')
    .argument('[query]', 'statement to run (default: read it from stdin; on a terminal, a prompt)')
    .addOption(
      new Option(
        '--csv',
        'print CSV (RFC 4180) with exact values; text that begins like a formula gets an apostrophe',
      ).conflicts('json'),
    )
    .addOption(new Option('--arrow <file>', 'write an Arrow IPC file').conflicts(['json', 'csv']))
    .option(
      '--as-known-on <when>',
      'as the warehouse knew it on an evening: a day, or an instant with its zone',
      readEvening,
    )
    .option(
      '--receipt <file>',
      'with --as-known-on: write what the statement could see, and what it could not',
    )
    .option('--time', 'print on stderr how long the statement took')
    .reads(async (call, query: string | undefined, options: Options) => {
      requireEvening(options, (evening) => `candlehouse sql ${evening} "select ..."`)
      if (query === undefined && call.stdin.isTTY) {
        await openPrompt(call, options)
        return
      }
      const sql = query ?? (await text(call.stdin))
      const begun = call.effects.monotonic()
      const rows = options.arrow ? await writeArrow(sql, options, call) : await print(sql, options, call)
      if (options.time) call.terminal.complain(rowsInTime(rows, call.effects.monotonic() - begun))
    })
}

async function openPrompt(call: Call, { csv, arrow, time, asKnownOn }: Options): Promise<void> {
  if (asKnownOn !== undefined)
    throw new UsageError('no statement given: the prompt shows what is known now', {
      hint: `candlehouse sql --as-known-on ${shellWord(asKnownOn)} "select ..."`,
    })
  if (!call.terminal.screen.isTTY || arrow !== undefined) {
    throw new UsageError('no statement given, and its result does not go to a terminal', {
      hint: 'candlehouse sql "select board, count(*) from market.security group by 1"',
    })
  }
  const { SqlPrompt } = await import('../prompt/prompt.js')
  await SqlPrompt.run(call, { mode: call.json ? 'json' : csv ? 'csv' : 'auto', timing: time === true })
}

/** @returns rows written */
async function writeArrow(sql: string, options: Options, call: Call): Promise<number> {
  const { terminal, effects, folder } = call
  const { arrow: file = '' } = options
  // Loaded only here: Arrow costs every other start 60 ms.
  const { saveArrow } = await import('../../read/arrow/write.js')
  const rows = await onCatalog(sql, options, call, (reader) =>
    saveArrow(reader, sql, resolve(folder, file), effects),
  )
  terminal.words(`${rows} rows written to ${file}`)
  return rows
}

/** @returns rows printed */
async function print(sql: string, options: Options, call: Call): Promise<number> {
  const { terminal, signal, effects, json } = call
  const { withComments } = await import('../../read/query.js')
  const writer: ResultWriter = json ? jsonWriter() : options.csv ? csvWriter() : shownWriter(terminal.width)
  let printed = 0
  await onCatalog(sql, options, call, (reader) =>
    reader.stream(
      withComments(sql),
      (columns) => terminal.data(writer.begin(columns)),
      (rows) => {
        printed += rows.length
        return terminal.data(writer.rows(rows))
      },
      { signal, effects },
    ),
  )
  await terminal.data(writer.end())
  return printed
}

/** Runs the statement on the catalog of now, or of an evening, whose receipt is then written. */
async function onCatalog<T>(
  sql: string,
  { asKnownOn, receipt }: Options,
  { settings: { home }, terminal, effects, folder }: Call,
  run: (reader: Reader) => Promise<T>,
): Promise<T> {
  if (asKnownOn === undefined) {
    const { withCatalog } = await import('../../read/query.js')
    return await withCatalog(home, run)
  }
  const { withCatalogAsKnown } = await import('../../read/as-known/known-catalog.js')
  const file = receipt === undefined ? undefined : resolve(folder, receipt)
  const { requireReceiptFile, writeReceipt } = await import('../../read/as-known/receipt.js')
  requireReceiptFile(file)
  const receipted = async (catalog: KnownCatalog): Promise<T> => {
    if (file === undefined) {
      for (const note of catalog.notes) terminal.words(`note: ${note}`)
      return await run(catalog.reader)
    }
    // Its warnings begin with the notes.
    const result = await run(catalog.reader)
    const { warnings } = await writeReceipt(catalog, file, { sql, instant: asKnownOn }, effects)
    for (const warning of warnings) terminal.complain(`receipt: ${warning}`)
    return result
  }
  return await withCatalogAsKnown(home, [sql], asKnownOn, receipted, {}, effects)
}

/** As the prompt shows results on a terminal of this width; in a pipe a table of one line per row, with exact numbers. */
function shownWriter(width: number | undefined): ResultWriter {
  return width === undefined ? tableWriter() : autoWriter(width)
}
