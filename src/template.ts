/**
 * The last step of the build: the warehouse in which nothing has happened, and the catalog of its empty lake. What a home
 * begins with is a copy of these: made anew it would take half a second of every first run.
 */
import { readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openDatabase } from './duckdb/open.js'
import { EMPTY_CATALOG } from './lake/base.js'
import { writeCatalog } from './lake/catalog.js'
import { installForWriter } from './mart/install.js'
import { packageRoot } from './package.js'
import { lakeTables } from './publish/ledger.js'
import { emptyWarehouse } from './warehouse/begin.js'
import { migrate } from './warehouse/migrate.js'

const built = dirname(EMPTY_CATALOG)
for (const name of readdirSync(built).filter((each) => /\.duckdb(\.wal)?$/.test(each)))
  rmSync(join(built, name))

const warehouse = await openDatabase(emptyWarehouse())
await migrate(warehouse)
await installForWriter(warehouse)
const tables = await lakeTables(warehouse)
await warehouse.run('CHECKPOINT')
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
