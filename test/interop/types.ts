/** What each engine must call the types of the lake. */
export type Naming = 'duckdb' | 'clickhouse' | 'arrow' | 'polars' | 'pandas' | 'spark'

const NAMES: Readonly<Record<string, Readonly<Record<Exclude<Naming, 'duckdb'>, string>>>> = {
  VARCHAR: {
    clickhouse: 'Nullable(String)',
    arrow: 'string',
    polars: 'String',
    pandas: 'string[pyarrow]',
    spark: 'string',
  },
  BIGINT: {
    clickhouse: 'Nullable(Int64)',
    arrow: 'int64',
    polars: 'Int64',
    pandas: 'int64[pyarrow]',
    spark: 'bigint',
  },
  INTEGER: {
    clickhouse: 'Nullable(Int32)',
    arrow: 'int32',
    polars: 'Int32',
    pandas: 'int32[pyarrow]',
    spark: 'int',
  },
  DOUBLE: {
    clickhouse: 'Nullable(Float64)',
    arrow: 'double',
    polars: 'Float64',
    pandas: 'double[pyarrow]',
    spark: 'double',
  },
  BOOLEAN: {
    clickhouse: 'Nullable(Bool)',
    arrow: 'bool',
    polars: 'Boolean',
    pandas: 'bool[pyarrow]',
    spark: 'boolean',
  },
  DATE: {
    clickhouse: 'Nullable(Date32)',
    arrow: 'date32[day]',
    polars: 'Date',
    pandas: 'date32[day][pyarrow]',
    spark: 'date',
  },
  'TIMESTAMP WITH TIME ZONE': {
    clickhouse: 'Nullable(DateTime64(6))',
    arrow: 'timestamp[us, tz=UTC]',
    polars: "Datetime(time_unit='us', time_zone='UTC')",
    pandas: 'timestamp[us, tz=UTC][pyarrow]',
    spark: 'timestamp',
  },
  DECIMAL: {
    clickhouse: 'Nullable(Decimal(P, S))',
    arrow: 'decimal128(P, S)',
    polars: 'Decimal(precision=P, scale=S)',
    pandas: 'decimal128(P, S)[pyarrow]',
    spark: 'decimal(P,S)',
  },
}

/** Name of a DuckDB type in an engine. */
export function typeIn(naming: Naming, type: string): string {
  if (naming === 'duckdb') return type
  const [, base = type, precision = '', scale = ''] = /^(DECIMAL)\((\d+),(\d+)\)$/.exec(type) ?? []
  const name = NAMES[base]?.[naming]
  if (!name) throw new TypeError(`${naming} has no name for ${type}`)
  return name.replace('P', precision).replace('S', base === 'DECIMAL' ? scale : 'S')
}
