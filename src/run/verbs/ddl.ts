import { openDatabase } from '../../duckdb/open.js'
import { type ClickHouseOptions, clickHouseDdl } from '../../lake/clickhouse.js'
import { lakeTables } from '../../publish/index.js'
import { migrate } from '../../warehouse/migrate.js'

/** The relations as this program would make them, as statements for ClickHouse. Reads no home. */
export async function ddlForClickHouse(options: ClickHouseOptions): Promise<string> {
  const database = await openDatabase(':memory:')
  try {
    await migrate(database)
    return clickHouseDdl(await lakeTables(database), options)
  } finally {
    database.close()
  }
}
