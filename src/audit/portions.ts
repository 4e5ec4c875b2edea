import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import { literal } from '../duckdb/sqlfile.js'

/**
 * Sessions checked at once, at most. 2,570 sessions of 100 symbols: 12 to 17 ms each and 590 MB resident by 60, 900 MB
 * by 125; all at once DuckDB gave up at its memory limit.
 */
const SESSIONS = 60

/** Bars of the sessions of a portion, at most: about as many as a night of the whole market has. */
const BARS = 2_000_000

/**
 * Divides sessions into portions that are checked one after another. The memory of a check follows the sessions that it covers,
 * so a file of decades, or a long backfill, must not be checked at once.
 */
export async function portionsOf(database: Database, sessions: readonly Day[]): Promise<Day[][]> {
  const [first, last] = [sessions[0], sessions.at(-1)]
  if (first === undefined || last === undefined) return []
  const rows = await database.rows<{ day: Day; bars: bigint }>(
    `SELECT CAST(trading_date AS VARCHAR) AS day, count(*) AS bars FROM market.candle
     WHERE trading_date BETWEEN ${literal(first)}::DATE AND ${literal(last)}::DATE GROUP BY trading_date`,
  )
  return divided(sessions, new Map(rows.map((row) => [row.day, Number(row.bars)])))
}

/** The same for checks that read no bars. */
export function portionsWithoutBars(sessions: readonly Day[]): Day[][] {
  return divided(sessions, new Map())
}

function divided(sessions: readonly Day[], bars: ReadonlyMap<Day, number>): Day[][] {
  const portions: Day[][] = []
  let portionBars = 0
  for (const day of sessions) {
    const portion = portions.at(-1)
    const dayBars = bars.get(day) ?? 0
    if (portion && portion.length < SESSIONS && portionBars + dayBars <= BARS) {
      portion.push(day)
      portionBars += dayBars
    } else {
      portions.push([day])
      portionBars = dayBars
    }
  }
  return portions
}
