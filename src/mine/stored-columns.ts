import { identifier } from '../duckdb/sqlfile.js'

/** A column of a table of the user's own: its cast to a type that all readers of the lake know, or what is wrong with it. */
type StoredColumn = { readonly sql: string; readonly isCast: boolean } | { readonly wrong: string }

/** Types of the lake: other engines read them as they are. */
const KNOWN = /^(VARCHAR|BIGINT|INTEGER|DOUBLE|BOOLEAN|DATE|TIMESTAMP WITH TIME ZONE|DECIMAL\(\d+,\d+\))$/

/** Types with another one that has all their values, or all that occur. */
const CASTS: readonly (readonly [RegExp, string])[] = [
  [/^U?(TINY|SMALL)INT$/, 'INTEGER'],
  [/^UINTEGER$/, 'BIGINT'],
  [/^UBIGINT$/, 'DECIMAL(20,0)'],
  [/^U?HUGEINT$/, 'DECIMAL(38,0)'],
  [/^FLOAT$/, 'DOUBLE'],
  [/^("NULL"|NULL|JSON|UUID|BIT|INTERVAL|TIME|TIME WITH TIME ZONE|ENUM\(.*\))$/s, 'VARCHAR'],
]

/** Names that every engine takes without quotes. */
const NAME = /^[A-Za-z_]\w{0,127}$/

function storedColumn({ name, type }: { name: string; type: string }): StoredColumn {
  const quoted = identifier(name)
  if (!NAME.test(name))
    return { wrong: `a table cannot have a column named ${JSON.stringify(name)}: name it with AS` }
  if (KNOWN.test(type)) return { sql: quoted, isCast: false }
  const [, cast] = CASTS.find(([pattern]) => pattern.test(type)) ?? []
  if (cast) return { sql: `CAST(${quoted} AS ${cast}) AS ${quoted}`, isCast: true }
  const instead = type.startsWith('TIMESTAMP')
    ? 'use an instant (TIMESTAMPTZ) or CAST it AS DATE or AS VARCHAR'
    : 'use to_json() or a column for each value'
  return { wrong: `a table cannot have column ${name} of type ${type}: ${instead}` }
}

/**
 * The statement of a table, with its columns in types that all engines read from the lake.
 *
 * @throws TypeError for a column that has none
 */
export function storedStatement(sql: string, columns: readonly { name: string; type: string }[]): string {
  const stored = columns.map(storedColumn)
  const wrong = stored.find((column) => 'wrong' in column)
  if (wrong && 'wrong' in wrong) throw new TypeError(wrong.wrong)
  const doubled = columns.find(
    ({ name }, at) => columns.findIndex((other) => other.name.toLowerCase() === name.toLowerCase()) < at,
  )
  if (doubled)
    throw new TypeError(`a table cannot have two columns ${doubled.name}: name one of them with AS`)
  if (!stored.some((column) => 'isCast' in column && column.isCast)) return sql
  return `SELECT ${stored.map((column) => ('sql' in column ? column.sql : '')).join(', ')} FROM (\n${sql}\n)`
}
