import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { systemEffects } from '../../src/effects.js'
import { publish } from '../../src/publish/index.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { fakeEffects } from '../support/effects.js'

/** What a catalog says of itself before anything is loaded: names, types and comments as readers see them. */
export async function withEmptyCatalog<Result>(
  look: (catalog: Database) => Promise<Result>,
): Promise<Result> {
  const home = mkdtempSync(join(tmpdir(), 'candlehouse-docs-'))
  try {
    const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
    try {
      await publish(warehouse, home, { runId: 'docs', retainDays: 7 }, fakeEffects())
    } finally {
      warehouse.close()
    }
    const catalog = await openDatabase(join(home, 'catalog.duckdb'), { readOnly: true })
    try {
      return await look(catalog)
    } finally {
      catalog.close()
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
