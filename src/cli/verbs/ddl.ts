import { join } from 'node:path'
import { Command } from 'commander'
import type { NewVerb } from '../verb.js'

export function ddlVerb(verb: NewVerb): Command {
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
    .writes(async (call, options: { lake?: string; cluster?: string; copy?: true }) => {
      const { home, lakeMarts } = call.settings
      const { ddlForClickHouse } = await import('../../run/verbs/ddl.js')
      const { lake = join(home, 'lake'), cluster, copy = false } = options
      const sql = await ddlForClickHouse({ lake, cluster, copy }, lakeMarts)
      await call.print({ engine: 'clickhouse', sql }, sql)
    })
  return new Command('ddl')
    .description('Print the statements that create the relations in another engine')
    .addCommand(clickhouse)
}
