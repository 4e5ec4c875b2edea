import type { Day } from 'candlehouse-foundation/market/day'
import { literal, sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'

/** An incomplete window that no later answer replaces. */
export interface Gap {
  readonly dataset: string
  readonly key: string
  readonly timeframe: string
  readonly day: Day
  readonly reason: string
  /** Day from which the service no longer serves it; null where it never expires. */
  readonly expiresOn: Day | null
  readonly expiresInDays: number | null
}

export interface Gaps {
  /** Those that expire first; of the same day the newest first. */
  readonly gaps: readonly Gap[]
  readonly gapCount: number
}

/**
 * Gaps of a catalog up to a day.
 *
 * @param today in exchange time
 * @param most how many of them are named
 */
export async function readGaps(
  rowsOf: (sql: string) => Promise<(Gap & { gaps: number })[]>,
  { until, today, most }: { readonly until: Day; readonly today: Day; readonly most: number },
): Promise<Gaps> {
  const rows = await rowsOf(
    sqlTemplate('night/gaps.sql', {
      open_gap: sqlFile('warehouse/open_gap.sql'),
      until: `DATE ${literal(until)}`,
      today: `DATE ${literal(today)}`,
      most: String(most),
    }),
  )
  return { gaps: rows.map(({ gaps, ...gap }) => gap), gapCount: rows[0]?.gaps ?? 0 }
}
