import { isIntraday, minutes, TIMEFRAMES } from 'candlehouse-foundation/market/timeframe'
import { decimalOf } from '../duckdb/decimal.js'
import { sqlFile } from '../duckdb/sqlfile.js'
import type { Relation } from '../relations.js'
import { type ManifestColumn, tablePath } from './manifest.js'

export interface Definition {
  relation: Relation
  comment: string
  columns: readonly ManifestColumn[]
}

export interface ClickHouseOptions {
  /** The lake as the servers see it: a path below their `user_files`, or the address of a folder in a bucket. */
  lake: string
  /** Name of a cluster: tables are created on all its servers, and each server reads its share. */
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

/** Text columns with few different values, by which analysts group. */
const LOW_CARDINALITY = new Set(['symbol', 'timeframe', 'index_code', 'board', 'exchange', 'dataset'])

/**
 * Statements that show the lake in ClickHouse, or copy it there.
 *
 * @throws TypeError for a type that ClickHouse does not have
 */
export function clickHouseDdl(definitions: readonly Definition[], options: ClickHouseOptions): string {
  const { cluster, copy } = options
  const onCluster = cluster ? ` ON CLUSTER ${quoted(cluster)}` : ''
  const schemas = [...new Set(definitions.map(({ relation }) => relation.name.split('.')[0] ?? ''))]
  const tables = definitions.map((definition) =>
    copy
      ? copiedTable(definition, options)
      : cluster
        ? clusterView(definition, options)
        : deltaTable(definition, options),
  )
  return [...schemas.map((schema) => fill('database', { schema })), ...tables, ...derivedViews(definitions)]
    .join('\n')
    .replaceAll('$on_cluster', () => onCluster)
}

/** Views of what is cheap to derive there: the timeframes that are not fetched, and adjusted bars. */
function derivedViews(definitions: readonly Definition[]): string[] {
  const names = new Set(definitions.map(({ relation }) => relation.name))
  const hasAll = (...needed: string[]): boolean => needed.every((name) => names.has(name))
  if (!hasAll('market.candle', 'market.daily_summary', 'recon.finding', 'recon.offender')) return []
  const derived = TIMEFRAMES.filter((timeframe) => timeframe !== '1m').map((timeframe) =>
    isIntraday(timeframe)
      ? fill('candle_derived', { timeframe, seconds: String(minutes(timeframe) * 60) })
      : fill('candle_daily', {}),
  )
  return [
    fill('candle_all', { derived: derived.join('').trimEnd() }),
    ...(hasAll('mart.adjustment_factor') ? [fill('candle_adjusted', {})] : []),
  ]
}

function deltaTable({ relation, comment, columns }: Definition, { lake }: ClickHouseOptions): string {
  const declarations = columns.map((column) => declaration(column, nullable(column.type)))
  return fill('delta', {
    name: relation.name,
    columns: declarations.join(',\n'),
    engine: `${isRemote(lake) ? 'DeltaLake' : 'DeltaLakeLocal'}(${address(lake, relation)})`,
    comment: literal(comment),
  })
}

function clusterView({ relation, columns }: Definition, { lake, cluster = '' }: ClickHouseOptions): string {
  return fill('cluster', {
    name: relation.name,
    names: columns.map(({ name }) => quoted(name)).join(', '),
    source: `deltaLakeCluster(${literal(cluster)}, ${address(lake, relation)})`,
  })
}

function copiedTable(
  { relation, comment, columns }: Definition,
  { lake, cluster }: ClickHouseOptions,
): string {
  const order = relation.sort
  // Columns that ClickHouse sorts or partitions by cannot be nullable.
  const keys = new Set([...order, relation.dated?.column])
  const declarations = columns.map((column) => {
    const type = keys.has(column.name) ? typeOf(column.type) : nullable(column.type)
    return declaration(column, LOW_CARDINALITY.has(column.name) ? `LowCardinality(${type})` : type)
  })
  const engine = cluster ? 'ReplicatedMergeTree' : 'MergeTree'
  const table = fill('merge_tree', {
    name: relation.name,
    columns: declarations.join(',\n'),
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

function declaration({ name, comment }: ManifestColumn, type: string): string {
  return `  ${quoted(name)} ${type} COMMENT ${literal(comment)}`
}

function nullable(type: string): string {
  return `Nullable(${typeOf(type)})`
}

function typeOf(type: string): string {
  const decimal = decimalOf(type)
  const clickHouseType = decimal ? `Decimal(${decimal.precision}, ${decimal.scale})` : TYPES[type]
  if (!clickHouseType) throw new TypeError(`ClickHouse has no type for ${type}`)
  return clickHouseType
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

/** A template of sql/clickhouse with its values, without the comment that it begins with. */
function fill(template: string, values: Readonly<Record<string, string>>): string {
  const text = sqlFile(`clickhouse/${template}.sql`).replace(/^(--.*\n)+/, '')
  return text.replaceAll(/\$(\w+)/g, (word, name: string) => values[name] ?? word)
}
