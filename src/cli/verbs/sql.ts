import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import type { Effects } from '../../effects.js'
import { UsageError } from '../../errors.js'
import { csvWriter, jsonWriter, type ResultWriter, tableWriter } from '../render/result.js'
import { type CommonOptions, type Edge, prepareReading, verb } from '../verb.js'

type Options = CommonOptions & { csv?: true; arrow?: string }

export function sqlVerb(edge: Edge, effects: Effects): Command {
  return verb('sql', 'Run one SELECT statement on the published catalog')
    .argument('[query]', 'statement to run (default: read it from stdin)')
    .addOption(new Option('--csv', 'print CSV (RFC 4180) with exact values').conflicts('json'))
    .addOption(new Option('--arrow <file>', 'write an Arrow IPC file').conflicts(['json', 'csv']))
    .action(async (query: string | undefined, options: Options) => {
      const call = prepareReading(options, edge, effects)
      const { terminal, settings } = call
      if (query === undefined && edge.stdin.isTTY) {
        throw new UsageError('no statement given', {
          hint: 'candlehouse sql "select board, count(*) from market.security group by 1"',
        })
      }
      const sql = query ?? (await text(edge.stdin))
      if (options.arrow) {
        // Loaded only here: Arrow costs every other start 60 ms.
        const { saveArrow } = await import('../../read/arrow/save.js')
        const rows = await saveArrow(settings.home, sql, resolve(edge.folder, options.arrow))
        terminal.words(`${rows} rows written to ${options.arrow}`)
        return
      }
      const { streamSql } = await import('../../read/query.js')
      const writer: ResultWriter = options.json ? jsonWriter() : options.csv ? csvWriter() : tableWriter()
      await streamSql(
        settings.home,
        sql,
        (columns) => terminal.data(writer.begin(columns)),
        (rows) => terminal.data(writer.rows(rows)),
      )
      await terminal.data(writer.end())
    })
}
