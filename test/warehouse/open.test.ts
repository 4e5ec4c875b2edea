import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import { describe, expect, test } from 'vitest'
import { checkWarehouse } from '../../src/doctor/home.js'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { sqlFiles } from '../../src/duckdb/sqlfile.js'
import { systemEffects } from '../../src/effects.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { temporaryFolder } from '../support/folder.js'
import { openTestWarehouse } from '../support/landed.js'
import { filesBelow } from '../support/published.js'

async function refusal(file: string): Promise<StorageError> {
  const error: unknown = await openWarehouse(file, systemEffects).then(
    (warehouse) => warehouse.close(),
    (caught: unknown) => caught,
  )
  expect(error).toBeInstanceOf(StorageError)
  expect(error).toMatchObject({ exitCode: 6 })
  return error as StorageError
}

/** A warehouse that was opened, changed and closed again. */
async function changedWarehouse(change: string): Promise<string> {
  const file = join(temporaryFolder(), 'warehouse.duckdb')
  const warehouse = await openWarehouse(file, systemEffects)
  await warehouse.run("INSERT INTO ops.dirty_partition VALUES ('mine', 'all')")
  await warehouse.run(change)
  warehouse.close()
  return file
}

/** All that a warehouse holds: definitions of its tables, migrations and a row of a user. */
async function contents(file: string): Promise<unknown> {
  const database = await openDatabase(file, { readOnly: true })
  try {
    return await Promise.all(
      [
        'SELECT sql, comment FROM duckdb_tables() WHERE NOT temporary ORDER BY sql',
        'FROM ops.migration ORDER BY version',
        'FROM ops.dirty_partition',
      ].map((sql) => database.rows(sql)),
    )
  } finally {
    database.close()
  }
}

describe('the file of the warehouse', () => {
  test('is its owner’s alone, whatever the umask', async () => {
    const file = join(temporaryFolder(), 'warehouse.duckdb')
    const umask = process.umask(0)
    try {
      ;(await openWarehouse(file, systemEffects)).close()
    } finally {
      process.umask(umask)
    }
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('becomes its owner’s alone again when someone opened it up', async () => {
    const home = temporaryFolder()
    const file = join(home, 'warehouse.duckdb')
    const database = await openDatabase(file)
    database.close()
    chmodSync(file, 0o644)
    ;(await openWarehouse(file, systemEffects)).close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('leaves the umask of the process as it was', async () => {
    const before = process.umask()
    ;(await openWarehouse(join(temporaryFolder(), 'warehouse.duckdb'), systemEffects)).close()
    expect(process.umask()).toBe(before)
  })

  test('makes the home folder, for analysts to enter, but none above it: a disk may not be mounted', async () => {
    const base = temporaryFolder()
    ;(await openWarehouse(join(base, 'home', 'warehouse.duckdb'), systemEffects)).close()
    expect(statSync(join(base, 'home')).mode & 0o777).toBe(0o755)
    const error = await refusal(join(base, 'mount', 'home', 'warehouse.duckdb'))
    expect(error.hint).toContain('CANDLEHOUSE_HOME')
    expect(filesBelow(base)).toEqual(['home/warehouse.duckdb'])
  })

  test('its log is private too, whenever DuckDB makes it', async () => {
    const file = join(temporaryFolder(), 'warehouse.duckdb')
    const warehouse = await openWarehouse(file, systemEffects)
    await warehouse.run('CHECKPOINT')
    await warehouse.run(`INSERT INTO ops.dirty_partition VALUES ('ops.run', 'all')`)
    expect(statSync(`${file}.wal`).mode & 0o777).toBe(0o600)
    warehouse.close()
  })

  test('by another name is still the same file: a second open in this process is refused', async () => {
    const home = temporaryFolder()
    const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
    await expect(openWarehouse(`${home}/./warehouse.duckdb`, systemEffects)).rejects.toThrow(
      'already open in this process',
    )
    warehouse.close()
  })

  test('that is no database is a storage error, and stays as it is', async () => {
    const file = join(temporaryFolder(), 'warehouse.duckdb')
    writeFileSync(file, 'not a database'.repeat(1000))
    const { size } = statSync(file)
    expect((await refusal(file)).hint).toContain('candlehouse replay')
    expect(statSync(file).size).toBe(size)
  })

  test('that is a folder is a storage error', async () => {
    const file = join(temporaryFolder(), 'warehouse.duckdb')
    mkdirSync(file)
    expect((await refusal(file)).message).toContain(file)
  })

  test('can be opened again after it could not be', async () => {
    const file = join(temporaryFolder(), 'missing', 'home', 'warehouse.duckdb')
    await refusal(file)
    mkdirSync(join(file, '..'), { recursive: true })
    ;(await openWarehouse(file, systemEffects)).close()
  })
})

describe('migrations', () => {
  const versions = async (database: Database) =>
    (
      await database.rows<{ version: number; name: string }>(
        'SELECT version, name FROM ops.migration ORDER BY 1',
      )
    ).map((row) => `${row.version} ${row.name}`)

  test('are numbered from 1 without a gap: two of one number would hide each other', () => {
    const numbers = sqlFiles('migrations').map((name) => Number.parseInt(name, 10))
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })

  test('are recorded in their order, once', async () => {
    const home = temporaryFolder()
    const file = join(home, 'warehouse.duckdb')
    const first = await openWarehouse(file, systemEffects)
    const applied = await versions(first)
    expect(applied.slice(0, 2)).toEqual(['1 0001_ledger.sql', '2 0002_market.sql'])
    first.close()
    expect(await versions(await openTestWarehouse(home))).toEqual(applied)
  })

  test('rows stay when the warehouse is opened again', async () => {
    const file = await changedWarehouse('CREATE TABLE main.mine (n INTEGER)')
    const before = await contents(file)
    ;(await openWarehouse(file, systemEffects)).close()
    expect(await contents(file)).toEqual(before)
  })

  test('of a newer candlehouse are refused by name, and nothing is changed', async () => {
    const file = await changedWarehouse("INSERT INTO ops.migration VALUES (9999, '9999_later.sql', 'abc')")
    const before = await contents(file)
    const error = await refusal(file)
    expect(error.message).toContain('newer candlehouse')
    expect(error.message).toContain('9999_later.sql')
    expect(error.hint).toContain('update candlehouse')
    expect(await contents(file)).toEqual(before)
  })

  test.each(['CREATE TABLE mine (n INTEGER)', 'CREATE SCHEMA ops; CREATE VIEW ops.run AS SELECT 1'])(
    'of another program are refused by name, and nothing is changed: %s',
    async (made) => {
      const file = join(temporaryFolder(), 'warehouse.duckdb')
      const other = await openDatabase(file)
      await other.run(made)
      other.close()
      const before = readFileSync(file)
      const error = await refusal(file)
      expect(error.message).toMatch(/a DuckDB file of another program: it has (main\.mine|ops\.run)$/)
      expect(error.hint).toContain('move the file away')
      expect(readFileSync(file).equals(before)).toBe(true)
      const found = await checkWarehouse(dirname(file))
      expect(found).toContainEqual(expect.objectContaining({ check: 'warehouse', state: 'fail' }))
    },
  )

  test('that were another text when they were applied are refused by name, and nothing is changed', async () => {
    const file = await changedWarehouse("UPDATE ops.migration SET sha256 = 'abc' WHERE version = 2")
    const before = await contents(file)
    const error = await refusal(file)
    expect(error.message).toContain('0002_market.sql')
    expect(error.hint).toContain('candlehouse replay')
    expect(await contents(file)).toEqual(before)
  })

  test('that have not been seen are applied to what is there', async () => {
    const home = temporaryFolder()
    const file = join(home, 'warehouse.duckdb')
    const before = await openWarehouse(file, systemEffects)
    await before.run(
      `${['market', 'account', 'recon', 'mart'].map((schema) => `DROP SCHEMA ${schema} CASCADE;`).join(' ')}
       DELETE FROM ops.migration WHERE version >= 2`,
    )
    await before.run("INSERT INTO ops.dirty_partition VALUES ('mine', 'all')")
    before.close()
    const after = await openTestWarehouse(home)
    expect(await after.rows('FROM market.candle')).toEqual([])
    expect(await after.rows('FROM ops.dirty_partition')).toEqual([{ relation: 'mine', partition: 'all' }])
  })

  test('that fail leave the version before, whole', async () => {
    const home = temporaryFolder()
    const file = join(home, 'warehouse.duckdb')
    const warehouse = await openWarehouse(file, systemEffects)
    // A table in the way of the second migration.
    await warehouse.run(
      `${['market', 'account', 'recon', 'mart'].map((schema) => `DROP SCHEMA ${schema} CASCADE;`).join(' ')}
       DELETE FROM ops.migration WHERE version >= 2`,
    )
    await warehouse.run('CREATE SCHEMA market; CREATE TABLE market.candle (n INTEGER)')
    warehouse.close()
    const before = await contents(file)
    await expect(openWarehouse(file, systemEffects)).rejects.toThrow()
    expect(await contents(file)).toEqual(before)
  })
})
