/** The last step of the build: the catalog of an empty lake, which a home's first catalog begins as a copy of. */
import { openDatabase } from './duckdb/open.js'
import { EMPTY_CATALOG } from './lake/base.js'
import { writeCatalog } from './lake/catalog.js'
import { packageRoot } from './package.js'
import { lakeTables } from './publish/ledger.js'
import { migrate } from './warehouse/migrate.js'

const warehouse = await openDatabase(':memory:')
await migrate(warehouse)
const tables = await lakeTables(warehouse)
warehouse.close()
const nothing = { version: 0, table_id: '', created_at: '', partitioned_by: [], rows: 0, bytes: 0 }
await writeCatalog(
  {
    format: 'candlehouse-lake',
    format_version: 1,
    publication: 0,
    run_id: '',
    published_at: '',
    fetched_timeframes: [],
    relations: tables.map(({ relation, comment, columns }) => ({
      ...nothing,
      name: relation.name,
      comment,
      columns,
      files: [],
      log: [],
    })),
  },
  packageRoot,
  EMPTY_CATALOG,
)
