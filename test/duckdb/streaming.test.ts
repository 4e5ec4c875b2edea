import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/duckdb/open.js'
import { openReader, type Reader } from '../../src/duckdb/reader.js'
import { temporaryFolder } from '../support/folder.js'

async function reader(): Promise<Reader> {
  const folder = temporaryFolder()
  const file = join(folder, 'some.duckdb')
  const database = await openDatabase(file)
  await database.run('CREATE TABLE many AS SELECT i FROM range(300000) r(i)')
  database.close()
  const opened = await openReader(file, [folder])
  onTestFinished(() => opened.close())
  return opened
}

async function all(sql: string): Promise<unknown[][]> {
  const rows: unknown[][] = []
  await (await reader()).stream(
    sql,
    () => undefined,
    (chunk) => {
      for (const row of chunk) rows.push(row)
    },
  )
  return rows
}

test('a reader keeps the footers of files', async () => {
  expect(await all(`SELECT current_setting('parquet_metadata_cache')`)).toEqual([[true]])
})

describe('a streamed result', () => {
  test('is complete, in order, without the marker row', async () => {
    const rows = await all('SELECT i, -i AS n FROM many ORDER BY i DESC')
    expect(rows).toHaveLength(300_000)
    expect(rows.slice(0, 2)).toEqual([
      ['299999', '-299999'],
      ['299998', '-299998'],
    ])
    expect(rows.at(-1)).toEqual(['0', '0'])
  })

  test('arrives before the statement has ended', async () => {
    const stop = new Error('seen enough')
    let rows = 0
    await expect(
      (await reader()).stream(
        'SELECT a.i FROM many a, many b, many c',
        () => undefined,
        (chunk) => {
          rows += chunk.length
          throw stop
        },
      ),
    ).rejects.toBe(stop)
    expect(rows).toBeGreaterThan(0)
  })

  test.each([150_000, 0, 299_999])(
    'that fails at row %i is an error with DuckDB’s words, never a short answer',
    async (at) => {
      await expect(
        all(`SELECT CASE WHEN i = ${at} THEN error('no such row') ELSE i END FROM many`),
      ).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringContaining('no such row'),
      })
    },
  )

  test.each([
    ['a semicolon and blanks at the end', 'SELECT 1 AS a, 2 AS a ;\n ; ', [[1, 2]]],
    ['a comment at the end', 'SELECT 1 -- one', [[1]]],
    ['a comment behind the semicolon', 'SELECT 1; -- one', [[1]]],
    ['a text that ends in a semicolon', `SELECT ';'`, [[';']]],
    ['no rows', 'SELECT i FROM many WHERE i < 0', []],
    ['nulls and a column that is true', 'SELECT NULL, true', [[null, true]]],
    ['VALUES', 'VALUES (1), (2)', [[1], [2]]],
    ['FROM first', 'FROM many LIMIT 1', [['0']]],
    ['WITH', 'WITH one AS (SELECT 1) FROM one', [[1]]],
    ['brackets', '(SELECT 1)', [[1]]],
    ['a limit', 'SELECT i FROM many ORDER BY i LIMIT 2 OFFSET 5', [['5'], ['6']]],
  ])('%s', async (_, sql, rows) => {
    expect(await all(sql)).toEqual(rows)
  })

  test('keeps names and types of the statement', async () => {
    const columns = await (await reader()).describe(
      `SELECT 1 AS a, 2 AS a, 1.5::DECIMAL(18,6) AS d, NULL::DATE AS day, 'x'::ENUM('x') AS e, [1] AS list`,
    )
    expect(columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'a INTEGER',
      'a INTEGER',
      'd DECIMAL(18,6)',
      'day DATE',
      "e ENUM('x')",
      'list INTEGER[]',
    ])
  })
})
