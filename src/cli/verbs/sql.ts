import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { UsageError } from 'candlehouse-foundation/errors'
import { type Command, Option } from 'commander'
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
    .option('--time', 'print on stderr how long the statement took')
    .reads(async (call, query: string | undefined, options: Options) => {
      if (query === undefined && call.stdin.isTTY) {
        await openPrompt(call, options)
        return
      }
      const sql = query ?? (await text(call.stdin))
      const begun = call.effects.monotonic()
      const rows = options.arrow
        ? await writeArrow(sql, options.arrow, call)
        : await print(sql, options, call)
      if (options.time) call.terminal.complain(rowsInTime(rows, call.effects.monotonic() - begun))
    })
}

async function openPrompt(call: Call, { csv, arrow, time }: Options): Promise<void> {
  if (!call.terminal.screen.isTTY || arrow !== undefined) {
    throw new UsageError('no statement given, and its result does not go to a terminal', {
      hint: 'candlehouse sql "select board, count(*) from market.security group by 1"',
    })
  }
  const { SqlPrompt } = await import('../prompt/prompt.js')
  await SqlPrompt.run(call, { mode: call.json ? 'json' : csv ? 'csv' : 'auto', timing: time === true })
}

/** @returns rows written */
async function writeArrow(
  sql: string,
  file: string,
  { settings, terminal, effects, folder }: Call,
): Promise<number> {
  // Loaded only here: Arrow costs every other start 60 ms.
  const { saveArrow } = await import('../../read/arrow/write.js')
  const rows = await saveArrow(settings.home, sql, resolve(folder, file), effects)
  terminal.words(`${rows} rows written to ${file}`)
  return rows
}

/** @returns rows printed */
async function print(
  sql: string,
  { csv }: Options,
  { settings, terminal, signal, effects, json }: Call,
): Promise<number> {
  const { streamSql } = await import('../../read/query.js')
  const writer: ResultWriter = json ? jsonWriter() : csv ? csvWriter() : shownWriter(terminal.width)
  let printed = 0
  await streamSql(
    settings.home,
    sql,
    (columns) => terminal.data(writer.begin(columns)),
    (rows) => {
      printed += rows.length
      return terminal.data(writer.rows(rows))
    },
    { signal, effects },
  )
  await terminal.data(writer.end())
  return printed
}

/** As the prompt shows results on a terminal of this width; in a pipe a table of one line per row, with exact numbers. */
function shownWriter(width: number | undefined): ResultWriter {
  return width === undefined ? tableWriter() : autoWriter(width)
}
