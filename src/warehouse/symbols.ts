import type { Database } from '../duckdb/open.js'
import type { SymbolCheck } from '../plan/coverage.js'

/** A symbol is known from a list, now or in the past, or from stored data: a delisted one, one of a user's file. */
export async function checkSymbols(
  database: Database,
  symbols: readonly string[] = [],
): Promise<SymbolCheck> {
  if (symbols.length === 0) return { unknown: [], known: [] }
  const known = new Set(
    await database.column<string>(
      'SELECT symbol FROM market.security UNION SELECT symbol FROM market.security_history ORDER BY ALL',
    ),
  )
  const unlisted = symbols.filter((symbol) => !known.has(symbol))
  for (const symbol of unlisted) {
    const [stored] = await database.rows<{ is_stored: boolean }>(
      `SELECT EXISTS (FROM market.daily_summary WHERE symbol = $1) OR EXISTS (FROM market.candle WHERE symbol = $1)
         OR EXISTS (FROM market.price_limit WHERE symbol = $1) AS is_stored`,
      [symbol],
    )
    if (stored?.is_stored) known.add(symbol)
  }
  return { unknown: symbols.filter((symbol) => !known.has(symbol)), known: [...known] }
}
