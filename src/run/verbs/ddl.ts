import { openDatabase } from '../../duckdb/open.js'
import { type ClickHouseOptions, clickHouseDdl } from '../../lake/clickhouse.js'
import { definitions } from '../../publish/index.js'
import { migrate } from '../../warehouse/migrate.js'

/**
 * The relations as this program would make them, as statements for ClickHouse. Reads no home.
 *
 * @param marts views of schema `mart` that are tables of the lake too
 */
export async function ddlForClickHouse(
  options: ClickHouseOptions,
  marts: readonly string[],
): Promise<string> {
  using database = await openDatabase(':memory:')
  await migrate(database)
  return clickHouseDdl(await definitions(database, marts), options)
}
