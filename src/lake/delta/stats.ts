/** DuckDB's statistics of a column it has written (COPY … RETURN_STATS): values as text, missing if unknown. */
export interface ColumnStats {
  min?: string
  max?: string
  null_count?: string
}

/** Longest text of a bound, in characters. A longer one is cut; an upper bound then ends with `HIGHEST`. */
const MAX_TEXT = 128

/** The highest Unicode character: it sorts after every other one. */
const HIGHEST = '\u{10ffff}'

/**
 * Statistics of a file in the form of the Delta log. Numbers keep all their digits: the JSON text is built by hand,
 * because JSON.stringify cannot write integers above 2^53. Every column with a value has bounds, even if they are wide:
 * delta-rs (1.6.6) passes a missing bound to Arrow as `column >= null`, which skips the file in every query.
 *
 * @param columns names and DuckDB types, in the order of the table
 * @param statistics per column; a missing column has no bounds
 */
export function fileStats(
  rows: number,
  columns: readonly { name: string; type: string }[],
  statistics: ReadonlyMap<string, ColumnStats>,
): string {
  const byColumn = (pick: (stats: ColumnStats, type: string) => string | undefined): string =>
    `{${columns
      .flatMap(({ name, type }) => {
        const value = pick(statistics.get(name) ?? {}, type)
        return value === undefined ? [] : [`${JSON.stringify(name)}:${value}`]
      })
      .join(',')}}`
  const bounds = [
    `"minValues":${byColumn((stats, type) => bound(rows, stats, type, 'min'))}`,
    `"maxValues":${byColumn((stats, type) => bound(rows, stats, type, 'max'))}`,
    `"nullCount":${byColumn((stats) => stats.null_count)}`,
  ]
  return `{"numRecords":${rows},${bounds.join(',')}}`
}

function bound(rows: number, stats: ColumnStats, type: string, side: 'min' | 'max'): string | undefined {
  // DuckDB returns no bounds for texts above 256 bytes that are not ASCII.
  if (type === 'VARCHAR' && stats.null_count !== String(rows)) return JSON.stringify(textBound(stats, side))
  const text = stats[side]
  // A column has both bounds or none.
  if (text === undefined || stats.min === undefined || stats.max === undefined) return undefined
  switch (type) {
    case 'BOOLEAN':
      return String(text === '1')
    case 'DATE':
      return JSON.stringify(text)
    case 'TIMESTAMP WITH TIME ZONE':
      return JSON.stringify(instant(text, side))
    case 'DOUBLE':
      return Number.isFinite(Number(text)) ? text : undefined
    default:
      return text
  }
}

function textBound({ min = '', max = HIGHEST }: ColumnStats, side: 'min' | 'max'): string {
  const characters = [...(side === 'min' ? min : max)]
  const cut = characters.slice(0, MAX_TEXT).join('')
  return side === 'max' && characters.length > MAX_TEXT ? `${cut}${HIGHEST}` : cut
}

/** Readers expect milliseconds: an upper bound is rounded up, so that it stays an upper bound. */
function instant(text: string, side: 'min' | 'max'): string {
  const [, whole = '', fraction = ''] = /^([^.+]+)(?:\.(\d+))?/.exec(text) ?? []
  const ms = Date.parse(`${whole.replace(' ', 'T')}Z`) + Number(fraction.padEnd(3, '0').slice(0, 3) || 0)
  const finer = /[1-9]/.test(fraction.slice(3))
  return new Date(ms + (side === 'max' && finer ? 1 : 0)).toISOString()
}
