import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError, UsageError } from 'candlehouse-foundation/errors'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Reader } from '../../src/duckdb/reader.js'
import { REFUSED_FUNCTIONS } from '../../src/duckdb/statement.js'
import { querySql } from '../../src/read/index.js'
import { openCatalog, type QueryResult, query, withCatalog } from '../../src/read/query.js'
import { temporaryFolder } from '../support/folder.js'
import { openMacros } from '../support/landed.js'
import { filesBelow, stamps } from '../support/published.js'
import { sharedHome } from '../support/shared-home.js'

const { home } = sharedHome()

let shared: Reader
beforeAll(async () => {
  shared = await openCatalog(home)
})
afterAll(() => shared.close())

/** The answer to a statement on a catalog that stays open: opening one takes longer than most statements. */
const answer = (sql: string): Promise<QueryResult> => query(shared, sql)

/** The error of a statement that must not run. */
async function refusal(sql: string): Promise<UsageError> {
  const error: unknown = await answer(sql).then(
    () => undefined,
    (caught: unknown) => caught,
  )
  expect(error).toBeInstanceOf(UsageError)
  return error as UsageError
}

/** Files are checked by their path; the others show what DuckDB knows about itself or make rows. */
const READING_FUNCTIONS =
  '^(duckdb_|pragma_|parquet_|read_|json_each$|json_tree$|glob$|sniff_csv$|seq_scan$|query_table$|which_secret$|' +
  'sql_auto_complete$|check_peg_parser$|summary$|icu_calendar_names$|pg_timezone_names$|generate_series$|range$|repeat$|' +
  'repeat_row$|unnest$|test_all_types$|test_vector_types$)'

describe('opening', () => {
  test('before the first publication is a storage error that names the command to run', async () => {
    const empty = temporaryFolder()
    const error = await openCatalog(empty).then(
      () => undefined,
      (caught: unknown) => caught,
    )
    expect(error).toBeInstanceOf(StorageError)
    expect(error).toMatchObject({ exitCode: 6, hint: 'run candlehouse nightly' })
    expect((error as Error).message).toContain(join(empty, 'catalog.duckdb'))
  })

  test('creates no file', async () => {
    const empty = temporaryFolder()
    await expect(querySql(empty, 'SELECT 1')).rejects.toThrow(StorageError)
    expect(filesBelow(empty)).toEqual([])
  })

  test('works for two readers at the same time', async () => {
    const one = await openCatalog(home)
    onTestFinished(() => one.close())
    const { rows } = await querySql(home, 'SELECT count(*) FROM ops.publication')
    const seen: unknown[] = []
    await one.stream(
      'SELECT count(*) FROM ops.publication',
      () => undefined,
      (chunk) => {
        seen.push(...chunk)
      },
    )
    expect(seen).toEqual(rows)
  })
})

describe('statements that read', () => {
  test.each([
    'SELECT 1 AS n',
    'FROM (VALUES (1)) v(n)',
    'WITH one AS (SELECT 1 AS n) SELECT * FROM one',
    'VALUES (1)',
    'SELECT 1 AS n;',
    '-- a comment\nSELECT 1 AS n -- another',
  ])('%s', async (sql) => {
    expect((await answer(sql)).rows).toEqual([[1]])
  })

  test('DESCRIBE, SUMMARIZE, SHOW and EXPLAIN work on relations', async () => {
    const described = await answer('DESCRIBE market.price_limit')
    expect(described.rows.map((row) => row[0])).toContain('ref_price')
    const summarised = await answer('SUMMARIZE market.candle')
    expect(summarised.rows.map((row) => row[0])).toContain('opened_at')
    expect((await answer('SHOW ALL TABLES')).rows.map((row) => row[2])).toContain('candle')
    expect((await answer('EXPLAIN FROM market.candle')).rows).toHaveLength(1)
  })

  test('a result without rows has its columns', async () => {
    expect(await answer('SELECT symbol, volume FROM market.candle WHERE false')).toEqual({
      columns: [
        { name: 'symbol', type: 'VARCHAR' },
        { name: 'volume', type: 'BIGINT' },
      ],
      rows: [],
    })
  })

  test('a long result arrives in chunks, in order and complete', async () => {
    let pieces = 0
    let next = 0
    await withCatalog(home, (reader) =>
      reader.stream(
        'SELECT i::INTEGER FROM range(100000) r(i) ORDER BY i',
        (columns) => expect(columns).toHaveLength(1),
        (rows) => {
          pieces += 1
          for (const [value] of rows) expect(value).toBe(next++)
        },
      ),
    )
    expect(next).toBe(100_000)
    expect(pieces).toBeGreaterThan(1)
  })
})

describe('statements that are refused', () => {
  test('several statements in one string', async () => {
    const error = await refusal('SELECT 1; SELECT 2')
    expect(error).toMatchObject({ exitCode: 2, message: '2 statements given: only one can be run' })
    expect(error.hint).toBe('give one SELECT statement')
    expect(await refusal("SELECT 1; COPY (SELECT 1) TO '/tmp/nothing.csv'")).toMatchObject({ exitCode: 2 })
  })

  test.each([
    ['COPY', () => `COPY (SELECT 1) TO '${home}/lake/out.csv'`],
    ['COPY elsewhere', () => `COPY (SELECT 1) TO '${home}/out.csv'`],
    ['SET', () => "SET TimeZone = 'Asia/Ho_Chi_Minh'"],
    ['SET of what locks', () => 'SET enable_external_access = true'],
    ['RESET', () => 'RESET allowed_directories'],
    ['ATTACH', () => "ATTACH ':memory:' AS other"],
    ['DETACH', () => 'DETACH catalog'],
    ['INSTALL', () => 'INSTALL httpfs'],
    ['LOAD', () => 'LOAD httpfs'],
    ['PRAGMA', () => "PRAGMA memory_limit = '1GB'"],
    ['INSERT', () => "INSERT INTO ops.lake_file VALUES ('a', 'b', 'c')"],
    ['UPDATE', () => "UPDATE ops.lake_file SET file = 'x'"],
    ['DELETE', () => 'DELETE FROM ops.lake_file'],
    ['CREATE', () => 'CREATE TABLE market.mine (n INTEGER)'],
    ['CREATE TEMP', () => 'CREATE TEMP TABLE mine AS SELECT 1'],
    ['DROP', () => 'DROP VIEW market.candle'],
    ['ALTER', () => 'ALTER TABLE ops.lake_file ADD COLUMN n INTEGER'],
    ['CALL', () => 'CALL pragma_version()'],
    ['USE', () => 'USE market'],
    ['BEGIN', () => 'BEGIN'],
    ['CHECKPOINT', () => 'CHECKPOINT'],
    ['VACUUM', () => 'VACUUM'],
    ['PREPARE', () => 'PREPARE mine AS SELECT 1'],
    ['EXPORT', () => `EXPORT DATABASE '${home}/out'`],
    ['a log in the lake', () => `FROM enable_logging(storage = 'file', storage_path = '${home}/lake/log')`],
    ['a log, with its name quoted', () => `SELECT * FROM system.main."Enable_Logging"()`],
    ['a log, behind a comment', () => 'WITH a AS (FROM enable_logging/**/()) FROM a'],
    ['a log, explained', () => 'EXPLAIN ANALYZE FROM enable_logging()'],
    ['a log, described', () => 'DESCRIBE FROM enable_logging()'],
    ['a text run as SQL', () => "FROM query('FROM enable_' || 'logging()')"],
    ['a profile', () => `FROM enable_profiling(save_location = '${home}/lake/profile.txt')`],
  ])('%s', async (_, sql) => {
    const before = filesBelow(home)
    const changed = stamps(home)
    const error = await refusal(sql())
    expect(error.exitCode).toBe(2)
    expect(filesBelow(home)).toEqual(before)
    expect(stamps(home)).toEqual(changed)
  })

  test('a function that does more than read is named; its name as a column or a text is allowed', async () => {
    expect((await refusal('FROM enable_logging()')).message).toBe(
      'function enable_logging is not allowed: it does more than read',
    )
    const sql = `SELECT query, 'enable_logging()' AS text FROM (SELECT 'a' AS query)`
    expect((await answer(sql)).rows).toEqual([['a', 'enable_logging()']])
  })

  // A function that a new version of DuckDB adds fails here until somebody has looked at what it does.
  test('every function of DuckDB that gives a table is known to read only, or is refused', async () => {
    const { rows } = await answer(`SELECT DISTINCT function_name FROM duckdb_functions()
       WHERE function_type = 'table' AND NOT regexp_matches(function_name, '${READING_FUNCTIONS}')`)
    const unknown = rows.map(([name]) => String(name)).filter((name) => !REFUSED_FUNCTIONS.includes(name))
    const step = 'look at what it does, then name it in src/duckdb/statement.ts'
    expect(unknown.map((name) => `${name}: ${step}`)).toEqual([])
  })

  test('PIVOT needs its values named', async () => {
    const from = "(VALUES ('a', 1), ('b', 2)) t(k, n)"
    expect((await refusal(`PIVOT ${from} ON k USING sum(n)`)).hint).toContain('name the values')
    const { rows } = await answer(`PIVOT ${from} ON k IN ('a', 'b') USING sum(n)`)
    expect(rows).toEqual([['1', '2']])
  })

  test('the error for a writing statement names the allowed ones', async () => {
    const { message, hint } = await refusal('DROP VIEW market.candle')
    expect(message).toMatch(/only statements that read.*SELECT/)
    // True at the prompt, in an export and in the console too, which have no --csv.
    expect(hint).toContain('candlehouse mine new table my_table')
  })
})

describe('files outside the lake', () => {
  test.each([
    ['text', () => "SELECT * FROM read_text('/etc/passwd')"],
    ['bytes', () => "SELECT * FROM read_blob('/etc/passwd')"],
    ['lines', () => "SELECT * FROM read_csv('/etc/passwd', header = false, delim = ':')"],
    ['a path for a table', () => "FROM '/etc/passwd.csv'"],
    ['names of files', () => "SELECT * FROM glob('/etc/*')"],
    ['Parquet beside the lake', () => `FROM read_parquet('${home}/private.parquet')`],
    [
      'a folder whose name begins like the lake’s',
      () => `SELECT * FROM read_text('${home}/lake-of-others/note.txt')`,
    ],
    ['a way out of the lake', () => `SELECT * FROM read_text('${home}/lake/../session.json')`],
    ['the tokens', () => `SELECT * FROM read_text('${home}/session.json')`],
    ['raw pages', () => `SELECT * FROM read_text('${home}/raw/**')`],
    ['the warehouse', () => `SELECT * FROM read_blob('${home}/warehouse.duckdb')`],
    ['the network', () => "FROM read_parquet('https://127.0.0.1:9/x.parquet')"],
  ])('cannot be read: %s', async (_, sql) => {
    await writeNeighbours()
    const error = await refusal(sql())
    expect(error.message).toMatch(/Permission Error|disabled by configuration/)
    expect(error.message).not.toContain('kept from others')
  })

  test('files of the lake can be read as files', async () => {
    const { rows } = await answer(
      `SELECT count(*) FROM read_parquet('${home}/lake/ops/publication/*.parquet')`,
    )
    expect(rows).toEqual([['1']])
  })
})

async function writeNeighbours(): Promise<void> {
  mkdirSync(join(home, 'lake-of-others'), { recursive: true })
  writeFileSync(join(home, 'lake-of-others', 'note.txt'), 'kept from others')
  writeFileSync(join(home, 'session.json'), 'kept from others')
  const database = await openMacros()
  await database.run(`COPY (SELECT 'kept from others' AS word) TO '${home}/private.parquet' (FORMAT parquet)`)
}

describe('bad SQL', () => {
  test.each([
    ['SELEC 1', /syntax error at or near "SELEC"/],
    ['SELECT nope FROM market.candle', /Referenced column "nope" not found/],
    ['FROM market.nope', /Table with name nope does not exist/],
    ["SELECT 'x'::INTEGER", /Could not convert string 'x' to INT32/],
    ['SELECT ?', /parameter/i],
  ])("%s: a usage error with DuckDB's message", async (sql, words) => {
    const error = await refusal(sql)
    expect(error.exitCode).toBe(2)
    expect(error.message).toMatch(words)
  })

  test.each(['', '   ', ';', '-- nothing'])("an empty statement ('%s') is a usage error", async (sql) => {
    expect((await refusal(sql)).exitCode).toBe(2)
  })
})

describe('values', () => {
  const one = async (expression: string) => (await answer(`SELECT ${expression}`)).rows[0]?.[0]

  test.each([
    ['DECIMAL', '12345678901234.567890::DECIMAL(20,6)', '12345678901234.567890'],
    ['a negative DECIMAL', '-0.000001::DECIMAL(18,6)', '-0.000001'],
    ['the largest BIGINT', '9223372036854775807::BIGINT', '9223372036854775807'],
    ['the smallest BIGINT', '(-9223372036854775807 - 1)::BIGINT', '-9223372036854775808'],
    [
      'HUGEINT',
      '170141183460469231731687303715884105727::HUGEINT',
      '170141183460469231731687303715884105727',
    ],
    ['DATE', "DATE '2024-02-29'", '2024-02-29'],
    ['an early DATE', "DATE '0001-01-01'", '0001-01-01'],
    ['TIMESTAMP', "TIMESTAMP '2025-03-14 09:15:00'", '2025-03-14 09:15:00'],
    ['TIMESTAMPTZ', "TIMESTAMPTZ '2025-03-14 09:15:00+07'", '2025-03-14T02:15:00Z'],
    ['microseconds', "TIMESTAMPTZ '2025-03-14 02:15:00.123456+00'", '2025-03-14T02:15:00.123456Z'],
    ['INTEGER', '42::INTEGER', 42],
    ['DOUBLE', '0.1::DOUBLE', 0.1],
    ['BOOLEAN', 'true', true],
    ['NULL', 'NULL', null],
    ['text', "'Thép Hòa Phát'", 'Thép Hòa Phát'],
    ['not a number', "'NaN'::DOUBLE", 'NaN'],
    ['endless', "'-Infinity'::DOUBLE", '-Infinity'],
    ['a list', '[1.50::DECIMAL(4,2), NULL]', ['1.50', null]],
  ])('%s is exact', async (_, expression, value) => {
    expect(await one(expression)).toEqual(value)
  })

  test('every value can be written as JSON', async () => {
    const { rows } = await answer('FROM market.candle ORDER BY ALL')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.parse(JSON.stringify(rows))).toEqual(rows)
  })

  test('published prices, volumes, days and instants are exact text, with their types', async () => {
    const { columns, rows } = await answer(
      `SELECT open, value, volume, trading_date, opened_at, local_time FROM market.candle WHERE timeframe = '1m'`,
    )
    expect(columns).toEqual([
      { name: 'open', type: 'DECIMAL(18,6)' },
      { name: 'value', type: 'DECIMAL(18,2)' },
      { name: 'volume', type: 'BIGINT' },
      { name: 'trading_date', type: 'DATE' },
      { name: 'opened_at', type: 'TIMESTAMP WITH TIME ZONE' },
      { name: 'local_time', type: 'TIMESTAMP' },
    ])
    expect(rows).toEqual([
      [
        '27000.123456',
        '9007199254740993.25',
        '9007199254740993',
        '2025-03-14',
        '2025-03-14T02:15:00Z',
        '2025-03-14 09:15:00',
      ],
    ])
  })
})

describe('errors while a statement runs', () => {
  test('an error after many rows is reported, never a shortened result', async () => {
    const sql = `SELECT CASE WHEN i = 100000 THEN error('boom') ELSE i::VARCHAR END FROM range(200000) t(i)`
    expect((await refusal(sql)).message).toContain('boom')
  })

  test('EXPLAIN ANALYZE runs its statement, so it is refused for writing statements', async () => {
    const before = stamps(home)
    const live = filesBelow(join(home, 'lake')).find((file) => file.endsWith('.parquet'))
    for (const explain of ['EXPLAIN ANALYZE', 'explain (analyze)', 'EXPLAIN /* */ ANALYZE', 'EXPLAIN']) {
      await refusal(`${explain} COPY (SELECT 1 AS x) TO '${home}/lake/${live}' (FORMAT parquet)`)
    }
    await refusal(`EXPORT DATABASE '${home}/lake/x'`)
    expect(stamps(home)).toEqual(before)
    const { rows } = await answer('EXPLAIN ANALYZE SELECT 42')
    expect(rows.length).toBeGreaterThan(0)
  })

  test('comments before a statement are ignored', async () => {
    expect((await answer('-- why\n/* how */ SELECT 1')).rows).toEqual([[1]])
    expect((await refusal('-- nothing\n ;')).message).toBe('no statement given')
  })

  test('a damaged catalog is a storage error that names the command to write it again', async () => {
    const damaged = temporaryFolder()
    writeFileSync(join(damaged, 'catalog.duckdb'), 'not a catalog'.repeat(500))
    await expect(querySql(damaged, 'SELECT 1')).rejects.toMatchObject({
      exitCode: 6,
      hint: expect.stringContaining('candlehouse publish'),
    })
  })
})
