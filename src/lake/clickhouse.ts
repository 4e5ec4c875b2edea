import { decimalOf } from '../duckdb/decimal.js'
import { sqlFile } from '../duckdb/sqlfile.js'
import type { Relation } from '../relations.js'
import { MONTH } from './delta/schema.js'
import { type ManifestColumn, tablePath } from './manifest.js'

/** A relation as every engine should see it. */
export interface Definition {
  relation: Relation
  comment: string
  columns: readonly ManifestColumn[]
}

export interface ClickHouseOptions {
  /** Where the servers see the lake: a path below their `user_files`, or the address of a bucket's folder. */
  lake: string
  /** Name of a cluster: tables are made on all of its servers, and each reads its share. */
  cluster: string | undefined
  /** Copies into MergeTree instead of tables over the Delta log. */
  copy: boolean
}

const TYPES: Readonly<Record<string, string>> = {
  VARCHAR: 'String',
  BIGINT: 'Int64',
  INTEGER: 'Int32',
  DOUBLE: 'Float64',
  BOOLEAN: 'Bool',
  DATE: 'Date32',
  'TIMESTAMP WITH TIME ZONE': "DateTime64(6, 'UTC')",
}

/** Text that analysts group by, of few values. */
const CODED = new Set(['symbol', 'timeframe', 'index_code', 'board', 'exchange', 'dataset'])

/**
 * Statements that show the lake in ClickHouse, or copy it there.
 *
 * @throws TypeError for a type that has no counterpart
 */
export function clickHouseDdl(definitions: readonly Definition[], options: ClickHouseOptions): string {
  const { cluster, copy } = options
  const onCluster = cluster ? ` ON CLUSTER ${quoted(cluster)}` : ''
  const schemas = [...new Set(definitions.map(({ relation }) => relation.name.split('.')[0] ?? ''))]
  const tables = definitions.map((definition) =>
    copy ? copied(definition, options) : cluster ? shared(definition, options) : overLog(definition, options),
  )
  return [...schemas.map((schema) => fill('database', { schema })), ...tables]
    .join('\n')
    .replaceAll('$on_cluster', () => onCluster)
}

function overLog({ relation, comment, columns }: Definition, { lake }: ClickHouseOptions): string {
  const listed = columns.map((column) => declared(column, nullable(column.type)))
  if (relation.dated)
    listed.push(`  ${quoted(MONTH)} ${nullable('VARCHAR')} COMMENT 'Partition: month, YYYY-MM.'`)
  return fill('delta', {
    name: relation.name,
    columns: listed.join(',\n'),
    engine: `${isRemote(lake) ? 'DeltaLake' : 'DeltaLakeLocal'}(${address(lake, relation)})`,
    comment: literal(comment),
  })
}

function shared({ relation, columns }: Definition, { lake, cluster = '' }: ClickHouseOptions): string {
  return fill('cluster', {
    name: relation.name,
    names: columns.map(({ name }) => quoted(name)).join(', '),
    source: `deltaLakeCluster(${literal(cluster)}, ${address(lake, relation)})`,
  })
}

function copied({ relation, comment, columns }: Definition, { lake, cluster }: ClickHouseOptions): string {
  const order = relation.sort
  // ClickHouse sorts and partitions by columns that have no nulls.
  const keys = new Set([...order, relation.dated?.column])
  const listed = columns.map((column) => {
    const type = keys.has(column.name) ? typeOf(column.type) : nullable(column.type)
    return declared(column, CODED.has(column.name) ? `LowCardinality(${type})` : type)
  })
  const engine = cluster ? 'ReplicatedMergeTree' : 'MergeTree'
  const table = fill('merge_tree', {
    name: relation.name,
    columns: listed.join(',\n'),
    engine,
    partition: relation.dated ? `PARTITION BY ${monthOf(relation.dated)}` : 'PARTITION BY tuple()',
    order: order.map(quoted).join(', '),
    comment: literal(comment),
  })
  const rows = fill('copy', {
    name: relation.name,
    names: columns.map(({ name }) => quoted(name)).join(', '),
    source: `${isRemote(lake) ? 'deltaLake' : 'deltaLakeLocal'}(${address(lake, relation)})`,
  })
  return `${table}\n${rows}`
}

function monthOf({ column, kind }: NonNullable<Relation['dated']>): string {
  return kind === 'id' ? `substring(${quoted(column)}, 1, 6)` : `toYYYYMM(${quoted(column)})`
}

function declared({ name, comment }: ManifestColumn, type: string): string {
  return `  ${quoted(name)} ${type} COMMENT ${literal(comment)}`
}

function nullable(type: string): string {
  return `Nullable(${typeOf(type)})`
}

function typeOf(type: string): string {
  const decimal = decimalOf(type)
  const mine = decimal ? `Decimal(${decimal.precision}, ${decimal.scale})` : TYPES[type]
  if (!mine) throw new TypeError(`ClickHouse has no type for ${type}`)
  return mine
}

function address(lake: string, { name }: Relation): string {
  return literal(`${lake.replace(/\/+$/, '')}/${tablePath(name)}/`)
}

function isRemote(lake: string): boolean {
  return /^[a-z0-9]+:\/\//.test(lake)
}

function quoted(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}

function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** A template of sql/clickhouse without its line for readers of the file. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  const text = sqlFile(`clickhouse/${template}.sql`).replace(/^--.*\n/, '')
  return text.replaceAll(/\$(\w+)/g, (word, name: string) => values[name] ?? word)
}
