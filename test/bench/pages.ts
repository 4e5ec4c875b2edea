import { gzipSync } from 'node:zlib'
import { openDatabase } from '../../src/duckdb/open.js'

export interface BenchPage {
  symbol: string
  from: string
  to: string
  rows: number
  /** As it would come over the wire. */
  wire: Uint8Array
  body: Uint8Array
}

/** Pages of 1,000 one-minute candles as the service writes them: a page a symbol, made by SQL from a seed. */
export async function candlePages(pages: number): Promise<BenchPage[]> {
  const database = await openDatabase(':memory:')
  try {
    const rows = await database.rows<{ symbol: string; data: string }>(`
      WITH bar AS (
        SELECT page, minute, 20000 + hash(page * 1000 + minute) % 900 * 10 AS price, hash(page * 7 + minute) % 50000 AS volume
        FROM range(${pages}) pages(page), range(1000) minutes(minute)
      )
      SELECT 'S' || lpad(page::VARCHAR, 5, '0') AS symbol, '[' || string_agg(
        '{"symbol":"S' || lpad(page::VARCHAR, 5, '0') || '","tradingDate":"' ||
        strftime(TIMESTAMP '2025-03-10 09:15:00' + INTERVAL (minute // 250) DAY + INTERVAL (minute % 250) MINUTE, '%Y/%m/%d %H:%M:%S') ||
        '","open":"' || price || '","high":"' || (price + 50) || '","low":"' || (price - 50) || '","close":"' || (price + 10) ||
        '","volume":"' || volume || '","value":"' || (volume * price) || '"}', ',' ORDER BY minute) || ']' AS data
      FROM bar GROUP BY page ORDER BY page`)
    return rows.map(({ symbol, data }) => {
      const body = Buffer.from(
        `{"pageSize":1000,"pageNumber":1,"itemsCount":1000,"pageCount":1,"data":${data}}`,
      )
      return {
        symbol,
        from: '2025-03-10',
        to: '2025-03-14',
        rows: 1000,
        wire: gzipSync(body, { level: 1 }),
        body,
      }
    })
  } finally {
    database.close()
  }
}
