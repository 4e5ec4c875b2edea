/**
 * The last step of the build: an empty warehouse, the catalog of an empty lake, and the columns of views that are tables of the
 * lake. A new home starts with them, because creating them takes half a second.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openDatabase } from '../src/duckdb/open.js'
import { systemEffects } from '../src/effects.js'
import { writeCatalog } from '../src/lake/catalog.js'
import { EMPTY_CATALOG, EMPTY_LAKE } from '../src/lake/catalog-base.js'
import { installForWriter } from '../src/mart/install.js'
import { describedRelations } from '../src/publish/lake-tables.js'
import { BUILT_MARTS, wordsOfMarts } from '../src/publish/marts/described.js'
import { migrate } from '../src/warehouse/migrate.js'
import { emptyWarehouse } from '../src/warehouse/open-warehouse.js'

const folder = dirname(EMPTY_CATALOG)
for (const name of readdirSync(folder).filter((file) => /\.duckdb(\.wal)?$/.test(file)))
  rmSync(join(folder, name))

const warehouse = await openDatabase(emptyWarehouse())
await migrate(warehouse)
await installForWriter(warehouse)
const tables = await describedRelations(warehouse)
await warehouse.run('CHECKPOINT')
warehouse.close()
writeFileSync(BUILT_MARTS, JSON.stringify(await wordsOfMarts(tables)))

const emptyTable = { version: 0, table_id: '', created_at: '', partitioned_by: [], rows: 0, bytes: 0 }
await writeCatalog(
  {
    format: 'candlehouse-lake',
    format_version: 1,
    publication: 0,
    run_id: '',
    published_at: '',
    fetched_timeframes: [],
    relations: tables.map(({ relation, comment, columns }) => ({
      ...emptyTable,
      name: relation.name,
      comment,
      columns,
      files: [],
      log: [],
    })),
  },
  EMPTY_LAKE,
  EMPTY_CATALOG,
  {},
  systemEffects,
)
