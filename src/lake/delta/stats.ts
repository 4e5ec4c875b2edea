/** What DuckDB tells of a column it has written (COPY … RETURN_STATS): values as text, left out where unknown. */
export interface ColumnStats {
  min?: string
  max?: string
  null_count?: string
}

/** Longest text of a bound, in characters: a longer one is cut, and an upper one then ends above what was cut. */
const MOST_TEXT = 128

/** Above every character that a text can hold. */
const ABOVE = '\u{10ffff}'

/**
 * Statistics of a file as the Delta log holds them. Numbers keep all their digits: the text is put together by
 * hand, since JSON.stringify has no numbers beyond 2^53. Every column that has a value has bounds, be they wide:
 * delta-rs (1.6.6) hands Arrow a missing one as `column >= null`, which skips the file whatever is asked.
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
    `"minValues":${each((stats, type) => bound(rows, stats, type, 'min'))}`,
    `"maxValues":${each((stats, type) => bound(rows, stats, type, 'max'))}`,
    `"nullCount":${each((stats) => stats.null_count)}`,
  ]
  return `{"numRecords":${rows},${bounds.join(',')}}`
}

function bound(rows: number, stats: ColumnStats, type: string, side: 'min' | 'max'): string | undefined {
  // DuckDB tells no bounds of texts beyond 256 bytes that are not ASCII.
  if (type === 'VARCHAR' && stats.null_count !== String(rows)) return JSON.stringify(words(stats, side))
  const text = stats[side]
  // Bounds are either both there or not at all.
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

function words({ min = '', max = ABOVE }: ColumnStats, side: 'min' | 'max'): string {
  const characters = [...(side === 'min' ? min : max)]
  const cut = characters.slice(0, MOST_TEXT).join('')
  return side === 'max' && characters.length > MOST_TEXT ? `${cut}${ABOVE}` : cut
}

/** Milliseconds, as readers expect: an upper bound goes up, so that it stays one. */
function instant(text: string, side: 'min' | 'max'): string {
  const [, whole = '', fraction = ''] = /^([^.+]+)(?:\.(\d+))?/.exec(text) ?? []
  const ms = Date.parse(`${whole.replace(' ', 'T')}Z`) + Number(fraction.padEnd(3, '0').slice(0, 3) || 0)
  const finer = /[1-9]/.test(fraction.slice(3))
  return new Date(ms + (side === 'max' && finer ? 1 : 0)).toISOString()
}
