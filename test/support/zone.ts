/** What a session in this process's time zone says of instants, as one JSON line: `node --import tsx zone.ts`. */
import { openDatabase } from '../../src/duckdb/open.js'

const database = await openDatabase(':memory:')
const [row] = await database.rows(`SELECT
  current_setting('TimeZone') AS zone,
  CAST(TIMESTAMPTZ '2025-03-14 02:15:00+00' AS VARCHAR) AS text,
  CAST(TIMESTAMPTZ '2025-03-14 20:00:00+00' AS DATE) AS day,
  epoch_ms(CAST('2025-03-14 02:15:00' AS TIMESTAMPTZ)) AS ms,
  date_trunc('day', TIMESTAMPTZ '2025-03-14 20:00:00+00') = TIMESTAMPTZ '2025-03-14 00:00:00+00' AS cut_in_utc`)
database.close()
process.stdout.write(JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value)))
