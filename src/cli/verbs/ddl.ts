import { join } from 'node:path'
import { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { ddlForClickHouse } from '../../run/verbs/ddl.js'
import { type CommonOptions, type Edge, settle, verb } from '../verb.js'

export function ddlVerb(edge: Edge, effects: Effects): Command {
  const clickhouse = verb('clickhouse', 'tables over the Delta logs, or copies of them')
    .option(
      '--lake <place>',
      'where the servers see the lake: a path, or a bucket such as https://… (default: the home’s)',
    )
    .option('--cluster <name>', 'for every server of a cluster, each reading its share')
    .option('--copy', 'copies in MergeTree, sorted as the lake is, instead of tables over the logs')
    .action(async (options: CommonOptions & { lake?: string; cluster?: string; copy?: true }) => {
      const call = settle(options, edge, effects)
      const sql = await ddlForClickHouse({
        lake: options.lake ?? join(call.settings.home, 'lake'),
        cluster: options.cluster,
        copy: options.copy === true,
      })
      await call.terminal.data(options.json ? `${JSON.stringify({ engine: 'clickhouse', sql })}\n` : sql)
    })
  return new Command('ddl')
    .description('print the relations as another engine would make them')
    .addCommand(clickhouse)
}
