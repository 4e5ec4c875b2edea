import { join } from 'node:path'
import { StorageError } from 'candlehouse-foundation/errors'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { identifier, literal, sqlFile, sqlFiles } from '../../src/duckdb/sqlfile.js'
import { temporaryFolder } from '../support/folder.js'
import { startScript } from '../support/process.js'

const zoneScript = new URL('../support/zone.ts', import.meta.url)

async function openMemory(): Promise<Database> {
  const database = await openDatabase(':memory:')
  onTestFinished(() => database.close())
  return database
}

describe('a session', () => {
  test.each(['Asia/Ho_Chi_Minh', 'America/New_York', 'UTC'])(
    'speaks UTC in a process at %s',
    async (zone) => {
      const { firstLine } = await startScript(zoneScript, [], { TZ: zone })
      expect(JSON.parse(firstLine)).toEqual({
        zone: 'UTC',
        text: '2025-03-14 02:15:00+00',
        day: '2025-03-14',
        ms: String(Date.UTC(2025, 2, 14, 2, 15)),
        cut_in_utc: true,
      })
    },
  )

  test('never fetches an extension by itself', async () => {
    const database = await openMemory()
    expect(await database.rows("SELECT current_setting('autoinstall_known_extensions') AS it")).toEqual([
      { it: false },
    ])
  })

  test('uses the given number of threads', async () => {
    const database = await openDatabase(':memory:', { threads: 1 })
    onTestFinished(() => database.close())
    expect(await database.rows("SELECT current_setting('threads') AS n")).toEqual([{ n: 1n }])
  })
})

describe('one file in one process', () => {
  test('is opened once: a second open is refused, also for reading', async () => {
    const file = join(temporaryFolder(), 'a.duckdb')
    const database = await openDatabase(file)
    onTestFinished(() => database.close())
    await expect(openDatabase(file)).rejects.toThrow(StorageError)
    await expect(openDatabase(file, { readOnly: true })).rejects.toThrow('already open in this process')
  })

  test('is refused also while the first open is in progress', async () => {
    const file = join(temporaryFolder(), 'a.duckdb')
    const both = await Promise.allSettled([openDatabase(file), openDatabase(file)])
    for (const each of both) if (each.status === 'fulfilled') each.value.close()
    expect(both.map((each) => each.status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('can be opened again after it is closed, and has the rows that were written', async () => {
    const file = join(temporaryFolder(), 'a.duckdb')
    const first = await openDatabase(file)
    await first.run('CREATE TABLE kept AS SELECT 1 AS n')
    first.close()
    const second = await openDatabase(file, { readOnly: true })
    expect(await second.rows('FROM kept')).toEqual([{ n: 1 }])
    await expect(second.run('INSERT INTO kept VALUES (2)')).rejects.toThrow(/read-only/)
    second.close()
  })

  test('databases in memory are separate', async () => {
    const one = await openMemory()
    const other = await openMemory()
    await one.run('CREATE TABLE mine (n INTEGER)')
    await expect(other.rows('FROM mine')).rejects.toThrow(/does not exist/)
  })
})

describe('rows', () => {
  test('are exact: DECIMAL and dates as text, BIGINT as bigint, lists as arrays', async () => {
    const database = await openMemory()
    expect(
      await database.rows(`SELECT 12345678901234.000001::DECIMAL(20,6) AS price, 9007199254740993 AS volume,
        DATE '2025-03-14' AS day, TIMESTAMP '2025-03-14 09:15:00' AS local_time, [1.5::DECIMAL(4,2)] AS list,
        NULL AS nothing, true AS yes, 0.5::DOUBLE AS half`),
    ).toEqual([
      {
        price: '12345678901234.000001',
        volume: 9007199254740993n,
        day: '2025-03-14',
        local_time: '2025-03-14 09:15:00',
        list: ['1.50'],
        nothing: null,
        yes: true,
        half: 0.5,
      },
    ])
  })

  test('bound values stay values', async () => {
    const database = await openMemory()
    expect(await database.rows('SELECT ? AS text, ?::BIGINT AS n, ? AS none', ["'; --", 7n, null])).toEqual([
      { text: "'; --", n: 7n, none: null },
    ])
  })
})

describe('a transaction', () => {
  test('is committed as a whole, and returns the result of its work', async () => {
    const database = await openMemory()
    await database.run('CREATE TABLE t (n INTEGER)')
    expect(
      await database.transaction(async () => {
        await database.run('INSERT INTO t VALUES (1)')
        return 'done'
      }),
    ).toBe('done')
    expect(await database.rows('FROM t')).toEqual([{ n: 1 }])
  })

  test('leaves no rows if its work throws, and rethrows the error', async () => {
    const database = await openMemory()
    await database.run('CREATE TABLE t (n INTEGER)')
    const failure = new Error('halfway')
    await expect(
      database.transaction(async () => {
        await database.run('INSERT INTO t VALUES (1)')
        throw failure
      }),
    ).rejects.toBe(failure)
    expect(await database.rows('FROM t')).toEqual([])
  })

  test('leaves no rows if a statement fails, rethrows its error, and the next transaction works', async () => {
    const database = await openMemory()
    await database.run('CREATE TABLE t (n INTEGER)')
    await expect(
      database.transaction(async () => {
        await database.run('INSERT INTO t VALUES (1)')
        await database.run("INSERT INTO t VALUES ('x'::INTEGER)")
      }),
    ).rejects.toThrow(/Could not convert/)
    await database.transaction(() => database.run('INSERT INTO t VALUES (2)'))
    expect(await database.rows('FROM t')).toEqual([{ n: 2 }])
  })
})

describe('SQL text', () => {
  test.each(["it's", "''", 'back\\slash', '"double"', 'Thép'])(
    'a literal keeps its text: %s',
    async (text) => {
      const database = await openMemory()
      expect(await database.rows(`SELECT ${literal(text)} AS ${identifier(text)}`)).toEqual([
        { [text]: text },
      ])
    },
  )

  test('files of a folder come in the order in which they run', () => {
    const names = sqlFiles('migrations')
    expect(names).toEqual([...names].sort())
    expect(names[0]).toBe('0001_ledger.sql')
    for (const name of names) expect(sqlFile(`migrations/${name}`)).toMatch(/CREATE|ALTER|COMMENT|UPDATE/)
  })
})
