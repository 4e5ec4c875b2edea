import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Database } from '../../src/duckdb/open.js'
import { packageRoot } from '../../src/package.js'
import { readable } from './readable.js'
import { warehouseOf } from './world.js'

/** What cannot be read, with DuckDB's words. */
async function failing(database: Database): Promise<string[]> {
  const failed: string[] = []
  const names = await database.rows<{ name: string }>(readable('2025-03-14'))
  expect(names.length).toBeGreaterThan(50)
  for (const { name } of names)
    await database.rows(`FROM ${name}`).catch((cause: Error) => failed.push(`${name}: ${cause.message}`))
  return failed
}

test('every view and macro reads an empty warehouse', async () => {
  const nothing = mkdtempSync(join(tmpdir(), 'candlehouse-test-'))
  expect(await failing(await warehouseOf(nothing))).toEqual([])
  rmSync(nothing, { recursive: true })
})

test('every view and macro reads a warehouse of one session', async () => {
  const session = join(packageRoot, 'test/cases/mart/daily/with-and-without-limits')
  expect(await failing(await warehouseOf(session))).toEqual([])
})
