import type { Reader } from '../duckdb/reader.js'
import { literal, sqlTemplate } from '../duckdb/sqlfile.js'
import { objectsOf } from '../read/query.js'

/**
 * From which session on the adjusted prices of symbols rest on known factors alone (mart.chain_known). An index has no row; a symbol
 * of which nothing is known has one without a session.
 */
export async function chainOf(
  reader: Reader,
  symbol: string,
  other = '',
): Promise<Record<string, unknown>[]> {
  const asked = { symbol: literal(symbol), other: literal(other) }
  return await objectsOf(reader, sqlTemplate('console/chain_of.sql', asked))
}
