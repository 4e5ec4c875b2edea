/** What DuckDB tells of a column it has written (COPY … RETURN_STATS): values as text, left out where unknown. */
export interface ColumnStats {
  min?: string
  max?: string
  null_count?: string
}

/** Longest text that bounds are given for; longer ones have none, which every reader takes as unknown. */
const MOST_TEXT = 128

/**
 * Statistics of a file as the Delta log holds them. Numbers keep all their digits: the text is put together by
 * hand, since JSON.stringify has no numbers beyond 2^53.
 *
 * @param columns names with their DuckDB types, in the order of the table
 * @param told per column; a column that is missing has no bounds
 */
export function fileStats(
  rows: number,
  columns: readonly { name: string; type: string }[],
  told: ReadonlyMap<string, ColumnStats>,
): string {
  const each = (pick: (stats: ColumnStats, type: string) => string | undefined): string =>
    `{${columns
      .flatMap(({ name, type }) => {
        const value = pick(told.get(name) ?? {}, type)
        return value === undefined ? [] : [`${JSON.stringify(name)}:${value}`]
      })
      .join(',')}}`
  const bounds = [
    `"minValues":${each((stats, type) => bound(stats, type, 'min'))}`,
    `"maxValues":${each((stats, type) => bound(stats, type, 'max'))}`,
    `"nullCount":${each((stats) => stats.null_count)}`,
  ]
  return `{"numRecords":${rows},${bounds.join(',')}}`
}

function bound(stats: ColumnStats, type: string, side: 'min' | 'max'): string | undefined {
  const text = stats[side]
  // Bounds are either both there or not at all.
  if (text === undefined || stats.min === undefined || stats.max === undefined || type === 'BOOLEAN')
    return undefined
  switch (type) {
    case 'VARCHAR':
      return stats.min.length > MOST_TEXT || stats.max.length > MOST_TEXT ? undefined : JSON.stringify(text)
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

/** Milliseconds, as readers expect: an upper bound goes up, so that it stays one. */
function instant(text: string, side: 'min' | 'max'): string {
  const [, whole = '', fraction = ''] = /^([^.+]+)(?:\.(\d+))?/.exec(text) ?? []
  const ms = Date.parse(`${whole.replace(' ', 'T')}Z`) + Number(fraction.padEnd(3, '0').slice(0, 3) || 0)
  const finer = /[1-9]/.test(fraction.slice(3))
  return new Date(ms + (side === 'max' && finer ? 1 : 0)).toISOString()
}
