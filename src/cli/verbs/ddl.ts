import { join } from 'node:path'
import { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { type CommonOptions, type Edge, prepareCall, verb } from '../verb.js'

export function ddlVerb(edge: Edge, effects: Effects): Command {
  const clickhouse = verb('clickhouse', 'Print tables that read the Delta logs, or copy them')
    .option(
      '--lake <place>',
      'address of the lake as the servers see it: a path, or a bucket such as https://… (default: the lake of the home)',
    )
    .option(
      '--cluster <name>',
      'create the tables on every server of this cluster; each server reads its share',
    )
    .option(
      '--copy',
      'copy the rows into MergeTree tables, sorted like the lake, instead of reading the logs',
    )
    .action(async (options: CommonOptions & { lake?: string; cluster?: string; copy?: true }) => {
      const call = await prepareCall(options, edge, effects)
      const { ddlForClickHouse } = await import('../../run/verbs/ddl.js')
      const place = {
        lake: options.lake ?? join(call.settings.home, 'lake'),
        cluster: options.cluster,
        copy: options.copy === true,
      }
      const sql = await ddlForClickHouse(place, call.settings.lakeMarts)
      await call.terminal.data(options.json ? `${JSON.stringify({ engine: 'clickhouse', sql })}\n` : sql)
    })
  return new Command('ddl')
    .description('Print the statements that create the relations in another engine')
    .addCommand(clickhouse)
}
