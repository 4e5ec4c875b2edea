import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { installParsers } from '../../src/duckdb/parse.js'
import { systemEffects } from '../../src/effects.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { loadWalks } from './landed.js'
import { candleWalk, publishTest } from './published.js'

/** A published home with one exact bar, `data` of a working folder, made once for all tests of a file. */
export function sharedHome(): { readonly home: string } {
  const folder = mkdtempSync(join(tmpdir(), 'candlehouse-test-'))
  const home = join(folder, 'data')
  beforeAll(async () => {
    mkdirSync(home)
    const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
    await installParsers(warehouse)
    const exact = [
      '09:15:00',
      '27000.123456',
      '27100',
      '26950',
      '27050',
      '9007199254740993',
      '9007199254740993.25',
    ] as const
    await loadWalks(warehouse, home, [candleWalk('HPG', '2025-03-14', [exact])])
    await publishTest(warehouse, home)
    warehouse.close()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return { home }
}
