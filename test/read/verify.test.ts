import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/duckdb/open.js'
import { systemEffects } from '../../src/effects.js'
import { attachLake, verifyLake } from '../../src/read/index.js'
import { baseline } from '../support/baseline.js'
import { onEnd } from '../support/cleanup.js'
import { deltaFiles } from '../support/delta.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse } from '../support/landed.js'
import { candleWalk, publishTest } from '../support/published.js'

/** A home with two publications, made once, and a copy of its lake elsewhere. */
async function copiedLake(): Promise<{ home: string; copy: string }> {
  const home = await baseline('a lake of two publications', async (folder) => {
    const warehouse = await openTestWarehouse(folder)
    for (const day of ['2025-03-13', '2025-03-14']) {
      await loadWalks(warehouse, folder, [candleWalk('HPG', day, ['09:15:00'])])
      await publishTest(warehouse, folder)
    }
  })
  const copy = join(temporaryFolder(), 'copy')
  cpSync(join(home, 'lake'), copy, { recursive: true })
  return { home, copy }
}

const check = (lake: string) =>
  verifyLake(lake, { onTable: () => undefined, signal: new AbortController().signal })

describe('verifying a lake', () => {
  test('a complete copy has no findings', async () => {
    const { copy } = await copiedLake()
    expect(await check(copy)).toMatchObject({
      lake: copy,
      publication: 2,
      publishedAt: '2025-06-30T12:00:00.000Z',
      tables: 37,
      findings: [],
    })
  })

  test('a copy of an older publication is complete, because its manifest was copied with it', async () => {
    const { home, copy } = await copiedLake()
    const entry = join('market', 'candle', '_delta_log', `${'2'.padStart(20, '0')}.json`)
    writeFileSync(join(copy, entry), '{"commitInfo":{}}\n')
    expect((await check(copy)).findings).toEqual([])
    expect(existsSync(join(home, 'lake', entry))).toBe(false)
  })

  test.each<[string, (table: string, file: string) => void, string]>([
    ['a file that is missing', (table, file) => rmSync(join(table, file)), 'missing'],
    [
      'a file that is cut short',
      (table, file) => writeFileSync(join(table, file), 'PAR1'),
      'size is 4 bytes',
    ],
    [
      'a file with one byte changed',
      (table, file) => {
        const bytes = readFileSync(join(table, file))
        bytes[100] = (bytes[100] ?? 0) ^ 1
        writeFileSync(join(table, file), bytes)
      },
      'SHA-256 differs',
    ],
    [
      'a log entry that is missing',
      (table) => rmSync(join(table, '_delta_log', `${'0'.repeat(20)}.json`)),
      'missing',
    ],
    [
      'a log entry that was changed',
      (table) => writeFileSync(join(table, '_delta_log', `${'0'.repeat(20)}.json`), '{}'),
      'SHA-256 differs',
    ],
  ])('%s is reported by name', async (_, harm, wrong) => {
    const { copy } = await copiedLake()
    const table = join(copy, 'market', 'candle')
    harm(table, deltaFiles(table)[0] ?? '')
    const { findings } = await check(copy)
    expect(findings).toHaveLength(1)
    expect(findings[0]?.path).toContain('market/candle/')
    expect(findings[0]?.wrong).toContain(wrong)
  })

  test('a folder without a manifest, or with a damaged one, is not a lake', async () => {
    const { copy } = await copiedLake()
    writeFileSync(join(copy, 'manifest.json'), '{"format":"candlehouse-lake",')
    for (const folder of [temporaryFolder(), join(temporaryFolder(), 'gone'), copy]) {
      await expect(check(folder)).rejects.toMatchObject({
        exitCode: 6,
        message: expect.stringContaining('is not a candlehouse lake'),
        hint: expect.stringContaining('manifest.json'),
      })
    }
  })
})

describe('attaching a lake', () => {
  const rows = async (catalog: string, sql: string) => {
    const database = await openDatabase(catalog, { readOnly: true })
    try {
      return await database.rows(sql)
    } finally {
      database.close()
    }
  }
  const count = `SELECT count(*) AS n FROM market.candle WHERE timeframe = '1m'`
  const SHAPE = `SELECT schema_name, table_name, column_name, data_type, comment FROM duckdb_columns()
    WHERE NOT internal ORDER BY ALL`

  test('the catalog of a copy reads the copy, and shows the same rows as the catalog of the home', async () => {
    const { home, copy } = await copiedLake()
    const out = join(temporaryFolder(), 'desk.duckdb')
    expect(await attachLake(copy, out, systemEffects)).toMatchObject({
      catalog: out,
      lake: copy,
      publication: 2,
      relations: 37,
    })
    // While the lake of the home is away.
    renameSync(join(home, 'lake'), join(home, 'gone'))
    onEnd(() => renameSync(join(home, 'gone'), join(home, 'lake')))
    expect(await rows(out, count)).toEqual([{ n: 2n }])
    expect(await rows(out, `SELECT open FROM market.candle WHERE timeframe = '1h'`)).toHaveLength(2)
    expect(await rows(out, SHAPE)).toEqual(await rows(join(home, 'catalog.duckdb'), SHAPE))
  })

  test('an attached catalog is replaced as a whole; other files are not touched', async () => {
    const { copy } = await copiedLake()
    const folder = temporaryFolder()
    const out = join(folder, 'desk.duckdb')
    await attachLake(copy, out, systemEffects)
    await attachLake(copy, out, systemEffects)
    const mine = join(folder, 'mine.duckdb')
    const database = await openDatabase(mine)
    await database.run('CREATE TABLE notes AS SELECT 1 AS n')
    database.close()
    const words = join(folder, 'words.txt')
    writeFileSync(words, 'words')
    mkdirSync(join(folder, 'folder'))
    // The writer's own file of a home is no catalog, though it lists the files of the lake.
    const writers = join(folder, 'warehouse.duckdb')
    const warehouse = await openDatabase(writers)
    await warehouse.run(
      'CREATE SCHEMA ops; CREATE TABLE ops.lake_file AS SELECT 1 AS n; CREATE SCHEMA market; CREATE TABLE market.security AS SELECT 1 AS n',
    )
    warehouse.close()
    for (const other of [mine, words, join(folder, 'folder'), writers]) {
      await expect(attachLake(copy, other, systemEffects)).rejects.toMatchObject({
        exitCode: 2,
        hint: expect.stringContaining('--out'),
      })
    }
    expect(await rows(mine, 'FROM notes')).toEqual([{ n: 1 }])
    expect(readFileSync(words, 'utf8')).toBe('words')
    expect(readdirSync(folder).sort()).toEqual([
      'desk.duckdb',
      'folder',
      'mine.duckdb',
      'warehouse.duckdb',
      'words.txt',
    ])
  })

  test('an incomplete copy is refused before anything is written', async () => {
    const { copy } = await copiedLake()
    rmSync(join(copy, 'market', 'candle', deltaFiles(join(copy, 'market', 'candle'))[0] ?? ''))
    const folder = temporaryFolder()
    await expect(attachLake(copy, join(folder, 'desk.duckdb'), systemEffects)).rejects.toMatchObject({
      exitCode: 6,
      message: expect.stringMatching(/^1 of \d+ files of .* are missing: market\/candle\//),
      hint: `candlehouse lake verify ${copy}`,
    })
    await expect(
      attachLake(temporaryFolder(), join(folder, 'desk.duckdb'), systemEffects),
    ).rejects.toMatchObject({
      exitCode: 6,
    })
    expect(readdirSync(folder)).toEqual([])
  })

  test('the error names a folder that does not exist', async () => {
    const { copy } = await copiedLake()
    await expect(
      attachLake(copy, join(temporaryFolder(), 'gone', 'x.duckdb'), systemEffects),
    ).rejects.toMatchObject({
      message: expect.stringContaining('does not exist'),
    })
  })
})
