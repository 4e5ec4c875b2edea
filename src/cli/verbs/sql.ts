import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { UsageError } from 'candlehouse-foundation/errors'
import { type Command, Option } from 'commander'
import type { Effects } from '../../effects.js'
import { csvWriter, jsonWriter, type ResultWriter, rowsInTime, tableWriter } from '../render/result.js'
import { type Call, type CommonOptions, type Edge, prepareReading, verb } from '../verb.js'

type Options = CommonOptions & { csv?: true; arrow?: string; time?: true }

export function sqlVerb(edge: Edge, effects: Effects): Command {
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
    .action(async (query: string | undefined, options: Options) => {
      const call = prepareReading(options, edge, effects)
      if (query === undefined && edge.stdin.isTTY) {
        await openPrompt(call, edge, options)
        return
      }
      const sql = query ?? (await text(edge.stdin))
      const begun = call.effects.monotonic()
      const rows = options.arrow
        ? await writeArrow(sql, options.arrow, call, edge)
        : await print(sql, options, call)
      if (options.time) call.terminal.complain(rowsInTime(rows, call.effects.monotonic() - begun))
    })
}

async function openPrompt(call: Call, edge: Edge, { csv, json, arrow, time }: Options): Promise<void> {
  if (!call.terminal.screen.isTTY || arrow !== undefined) {
    throw new UsageError('no statement given, and its result does not go to a terminal', {
      hint: 'candlehouse sql "select board, count(*) from market.security group by 1"',
    })
  }
  const { SqlPrompt } = await import('../prompt/prompt.js')
  await SqlPrompt.run(call, edge, { mode: json ? 'json' : csv ? 'csv' : 'auto', timing: time === true })
}

/** @returns rows written */
async function writeArrow(
  sql: string,
  file: string,
  { settings, terminal, effects }: Call,
  edge: Edge,
): Promise<number> {
  // Loaded only here: Arrow costs every other start 60 ms.
  const { saveArrow } = await import('../../read/arrow/save.js')
  const rows = await saveArrow(settings.home, sql, resolve(edge.folder, file), effects)
  terminal.words(`${rows} rows written to ${file}`)
  return rows
}

/** @returns rows printed */
async function print(
  sql: string,
  { json, csv }: Options,
  { settings, terminal, signal, effects }: Call,
): Promise<number> {
  const { streamSql } = await import('../../read/query.js')
  const writer: ResultWriter = json ? jsonWriter() : csv ? csvWriter() : tableWriter()
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
