/** What an engine is asked of one relation, and what it says: the same words for every engine. */

/** How a column is summed up. Instants are microseconds, dates are days, both since 1970, in every engine. */
export type Kind = 'text' | 'integer' | 'decimal' | 'double' | 'boolean' | 'date' | 'instant'

export interface Column {
  name: string
  /** As DuckDB names it. */
  type: string
  kind: Kind
}

/** Count the rows where a column has a value, or none: what an engine skips by statistics, it must not miss. */
export interface Probe {
  column: Column
  value: string | null
}

export interface Question {
  relation: string
  /** Folder of the Delta table. */
  table: string
  catalog: string
  /** Version of the table; null: the latest. */
  version: number | null
  columns: Column[]
  probes: Probe[]
}

export interface ColumnFigures {
  /** As the engine names it. */
  type: string
  /** Rows where it is not null. */
  values: string
  /** Of texts their bytes, of truths how many, of doubles whole millionths: floating sums depend on the order. */
  sum: string | null
  min: string | null
  max: string | null
}

export interface Figures {
  rows: string
  columns: Record<string, ColumnFigures>
  /** One count a probe. */
  probes: string[]
}

const KINDS: Readonly<Record<string, Kind>> = {
  VARCHAR: 'text',
  BIGINT: 'integer',
  INTEGER: 'integer',
  DOUBLE: 'double',
  BOOLEAN: 'boolean',
  DATE: 'date',
  'TIMESTAMP WITH TIME ZONE': 'instant',
}

export function kindOf(type: string): Kind {
  const kind = type.startsWith('DECIMAL(') ? 'decimal' : KINDS[type]
  if (!kind) throw new TypeError(`no figures are known for ${type}`)
  return kind
}
