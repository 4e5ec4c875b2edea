import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ASSISTANT_LIMITS } from '../../src/mcp/assistant-limits.js'
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'
import { stamps } from '../support/published.js'
import { type Connected, connected, type Got, homeWithAccounts } from './support/served.js'

let home: string
/** A folder in which every file that a call writes would be. */
let outside: string
let served: Connected
/** What is endless ends after a fifth of a second. */
let brief: Connected
beforeAll(async () => {
  home = await homeWithAccounts()
  outside = temporaryFolder()
  mkdirSync(join(outside, 'in'))
  // On a busy machine a statement that is refused may take long.
  served = await connected(home, { hasAccounts: true, limits: { ms: 1_000 } })
  brief = await connected(home, { hasAccounts: true, limits: { ms: 200 } })
})

/** Statements that write, with the folder and the port that they write to. */
function writing(folder: string, port: number): string[] {
  const file = (name: string): string => join(folder, name)
  const lake = join(home, 'lake')
  return [
    `copy (select 1) to '${file('a.csv')}'`,
    `copy market.candle to '${file('a.parquet')}'`,
    `copy (select 1) to '${lake}/a.parquet'`,
    `export database '${file('db')}'`,
    `attach '${file('a.duckdb')}' as a`,
    `attach '${join(home, 'warehouse.duckdb')}' as w`,
    `attach 'http://127.0.0.1:${port}/a.duckdb' as a`,
    'create table t as select 1',
    'create temp table t as select 1',
    'create or replace view market.candle as select 1',
    'create macro m() as 1',
    'create schema s',
    'create secret s (type s3)',
    'drop view market.candle',
    'drop schema market cascade',
    'delete from ops.lake_file',
    "insert into ops.lake_file values ('a', 'b', 'c')",
    "update ops.lake_file set file = 'x'",
    'truncate ops.lake_file',
    'alter view market.candle rename to c',
    "comment on view market.candle is 'x'",
    'install httpfs',
    `install '${file('x.duckdb_extension')}'`,
    'load httpfs',
    'force install httpfs',
    "set memory_limit = '99GB'",
    "set global temp_directory = '/tmp'",
    'set enable_external_access = true',
    'reset lock_configuration',
    'pragma database_list',
    'pragma enable_profiling',
    `pragma profiling_output = '${file('p.json')}'`,
    'checkpoint',
    'force checkpoint',
    'vacuum',
    'analyze',
    'begin',
    'commit',
    'use memory',
    'call pragma_version()',
    "call enable_logging(storage = 'file')",
    'prepare p as select 1',
    'execute p',
    'deallocate p',
    'select 1; drop view market.candle',
    `select 1; copy (select 1) to '${file('b.csv')}'`,
    'explain analyze delete from ops.lake_file',
    `explain analyze copy (select 1) to '${file('c.csv')}'`,
    `-- comment\ncopy (select 1) to '${file('d.csv')}'`,
    `/* ; */ copy (select 1) to '${file('e.csv')}'`,
    'with t as (delete from ops.lake_file returning *) from t',
    'detach catalog',
    'set variable x = 1',
    'merge into ops.lake_file using market.candle on true when matched then delete',
    "select write_log('x')",
    'select "write_log"(\'x\')',
    "from enable_logging(storage = 'file', storage_config = {'path': '/tmp/x'})",
    'from checkpoint()',
    'from force_checkpoint()',
    'from truncate_duckdb_logs()',
    "from json_execute_serialized_sql(json_serialize_sql('select 1'))",
    "summarize select write_log('x')",
    'describe select * from enable_logging()',
  ]
}

/** Statements that read files, memory, or the network. */
function reaching(folder: string, port: number): string[] {
  const lake = join(home, 'lake')
  const files = [
    '/etc/passwd',
    join(home, 'session.json'),
    join(home, 'warehouse.duckdb'),
    join(home, 'logs/last-run.json'),
  ]
  return [
    ...files.flatMap((file) => [
      `select * from read_text('${file}')`,
      `select * from read_blob('${file}')`,
      `select * from read_csv('${file}', header = false)`,
      `select * from '${file}'`,
    ]),
    `from read_parquet('${lake}/**/*.parquet')`,
    `from parquet_scan(['${lake}/market/candle/a.parquet'])`,
    `from parquet_metadata('${lake}/**/*.parquet')`,
    `from parquet_schema('${lake}/**/*.parquet')`,
    `from parquet_file_metadata('${lake}/**/*.parquet')`,
    `from parquet_kv_metadata('${lake}/**/*.parquet')`,
    `from glob('${home}/**')`,
    "from glob('/**')",
    `from read_json('${home}/logs/*.json')`,
    `from read_ndjson('${home}/raw/journal/*.ndjson')`,
    `from read_duckdb('${join(home, 'warehouse.duckdb')}')`,
    `from sniff_csv('/etc/passwd')`,
    `from "${folder}/in/x.parquet"`,
    'from "x.csv"',
    'from x.csv',
    `from '${lake}/market/candle/*.parquet'`,
    `select * from read_text('http://127.0.0.1:${port}/')`,
    `select * from read_csv('http://127.0.0.1:${port}/a.csv')`,
    `select * from 'https://127.0.0.1:${port}/a.parquet'`,
    `select * from 's3://bucket/a.parquet'`,
    `from query('copy (select 1) to ''${join(folder, 'q.csv')}''')`,
    "from query_table('market.candle')",
    "from query_table(['market.candle', 'ops.run'])",
    'from duckdb_settings()',
    'from duckdb_secrets()',
    "from which_secret('s3://x', 's3')",
    'from duckdb_databases()',
    'from duckdb_extensions()',
    'from duckdb_logs()',
    'from duckdb_temporary_files()',
    'from duckdb_memory()',
    'from duckdb_variables()',
    'from pragma_database_size()',
    "from pragma_storage_info('market.candle')",
    'from arrow_scan(1, 2, 3)',
    'from arrow_scan_dumb(1, 2, 3)',
    'from seq_scan(1)',
    "from sql_auto_complete('sel')",
    'from test_all_types()',
    'from test_vector_types(1)',
    'show databases',
    'show variables',
    'select * from other.main.t',
    'select * from pg_catalog.pg_settings',
    'select sleep_ms(100000)',
    'select pg_sleep(1000)',
    'select setseed(0.5)',
    'select ?',
    'select $name',
    "select getvariable('x')",
  ]
}

/** Statements that would fill a context, a memory or a day. */
const ENDLESS: readonly string[] = [
  'from market.candle',
  'select * from market.candle a, market.candle b',
  'from range(1000000000000)',
  'select count(*) from range(1000000000000) a, range(1000000) b',
  "select repeat('x', 1000000)",
  "select repeat('x', 1000) from range(100000)",
  "select string_agg(symbol, '') from market.candle",
  'select list(close) from market.candle',
  'select to_json(candle) from market.candle candle',
  'select * from ops.request a, ops.request b, ops.request c',
  'with recursive r as (select 1 i union all select i + 1 from r) from r',
  "with recursive r(s) as (select 'x' union all select s || s from r) select length(s) from r",
  `select ${Array.from({ length: 500 }, (_, index) => index).join(', ')}`,
  `select 1 as "${'x'.repeat(15_000)}"`,
  `select ${'('.repeat(3_000)}1${')'.repeat(3_000)}`,
  `select ${'1 + '.repeat(4_000)}1`,
  `select '${'x'.repeat(19_000)}'`,
  `select '${'x'.repeat(200_000)}'`,
  `${'select 1;'.repeat(1_000)}`,
  'select list(i) from range(100000000) t(i)',
  'select median(a.i + b.i) from range(1000000) a(i), range(1000000) b(i)',
  'select symbol, row_number() over (order by close) from market.candle, range(100000)',
  'select md5(i::varchar) from range(100000000) t(i) order by 1',
  'select distinct i from range(1000000000) t(i)',
  "select regexp_replace(repeat('a', 10000), '(a|aa)+$', 'b') from range(1000)",
  '',
  ';',
  '--',
  '\u0000',
  '\ud800',
  "select '\u0000'",
  '🙂',
  "select '\u202e'",
]

/** Calls of the other tools with what no honest client sends. */
const ODD_CALLS: readonly (readonly [name: string, given: Readonly<Record<string, unknown>>])[] = [
  ['query', {}],
  ['query', { sql: 1 }],
  ['query', { sql: null }],
  ['query', { sql: ['select 1'] }],
  ['query', { sql: 'select 1', limit: -1 }],
  ['query', { sql: 'select 1', limit: 1.5 }],
  ['query', { sql: 'select 1', limit: '5' }],
  ['query', { sql: 'from range(10000)', limit: 1e9 }],
  ['query', { statement_hash: "'; drop view market.candle; --" }],
  ['query', { statement_hash: '../../etc/passwd' }],
  ['describe', {}],
  ['describe', { relation: '' }],
  ['describe', { relation: "market.candle'; drop view market.candle; --" }],
  ['describe', { relation: '../../etc/passwd' }],
  ['describe', { relation: 'x'.repeat(100_000) }],
  ['describe', { relation: '__proto__' }],
  ['describe', { relation: 'constructor' }],
  ['find', {}],
  ['find', { text: '' }],
  ['find', { text: "' or 1 = 1; drop view market.candle; --" }],
  ['find', { text: '%' }],
  ['find', { text: 'a '.repeat(50_000) }],
  ['find', { text: '(a+)+$' }],
  ['find', { text: '\u0000' }],
  ['trace', {}],
  ['trace', { relation: 'market.candle', key: {} }],
  [
    'trace',
    { relation: 'market.candle', key: { symbol: "' or true --", timeframe: '1m', opened_at: '2025-03-14' } },
  ],
  ['trace', { relation: 'market.security', key: { symbol: "FPT' or '1' = '1" } }],
  ['trace', { relation: 'market.security', key: { "symbol' or true --": 'FPT' } }],
  ['trace', { relation: 'market.security', key: { symbol: '../../../etc/passwd' } }],
  ['trace', { relation: 'market.security', key: { __proto__: 'x', constructor: 'y' } }],
  ['trace', { relation: '../raw', key: { symbol: 'FPT' } }],
  ['trace', { relation: 'ops.request', key: { request_id: "x' union select * from ops.run --" } }],
  ['trace', { relation: 'ops.lake_file', key: { relation: 'x' } }],
  ['trace', { relation: 'mart.daily', key: { symbol: {}, trading_date: [] } }],
  ['status', { home: '/etc' }],
  ['no_such_tool', {}],
  ['__proto__', {}],
]

/** A socket that nobody should reach. */
async function listening(): Promise<{ port: number; reached: () => number }> {
  let count = 0
  const server = createServer((socket) => {
    count += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onEnd(() => void server.close())
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0, reached: () => count }
}

/** A call that the protocol itself may refuse. */
async function asked(name: string, given: Readonly<Record<string, unknown>>, by = served): Promise<Got> {
  return await by
    .call(name, given)
    .catch((error: Error) => ({ isError: true, text: error.message, answer: undefined as never }))
}

function sizeOf({ text, answer }: Got): number {
  return Math.max(
    Buffer.byteLength(text),
    answer === undefined ? 0 : Buffer.byteLength(JSON.stringify(answer)),
  )
}

/** Files of a home, without the temporary ones of readers: tests of other workers read the same home. */
function stampsOf(folder: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(stamps(folder)).filter(([file]) => !file.startsWith('tmp/')))
}

test('200 hostile calls: no write, no file, no socket, no answer above its bound', async () => {
  const { port, reached } = await listening()
  const before = stampsOf(home)
  const cwd = readdirSync(process.cwd()).sort()
  const [writes, reads] = [writing(outside, port), reaching(outside, port)]
  const statements = [...writes, ...reads, ...ENDLESS]
  expect(statements.length + ODD_CALLS.length).toBeGreaterThanOrEqual(200)
  for (const sql of statements) {
    const server = ENDLESS.includes(sql) ? brief : served
    const got = await asked('query', { sql, limit: 1_000_000 }, server)
    expect([sql.slice(0, 80), sizeOf(got) <= ASSISTANT_LIMITS.answerBytes]).toEqual([sql.slice(0, 80), true])
    if (writes.includes(sql) || (reads.includes(sql) && !/getvariable/.test(sql)))
      expect([sql, got.isError, got.text.includes('a bug')]).toEqual([sql, true, false])
  }
  for (const [name, given] of ODD_CALLS) {
    const got = await asked(name, given)
    expect([name, given, sizeOf(got) <= ASSISTANT_LIMITS.answerBytes]).toEqual([name, given, true])
    expect([name, given, got.text.includes('this is a bug')]).toEqual([name, given, false])
  }
  expect(stampsOf(home)).toEqual(before)
  expect(readdirSync(outside)).toEqual(['in'])
  expect(readdirSync(join(outside, 'in'))).toEqual([])
  expect(readdirSync(process.cwd()).sort()).toEqual(cwd)
  expect(reached()).toBe(0)
  expect(statSync(join(home, 'catalog.duckdb')).mode & 0o222).toBe(0)
  // And the servers still answer.
  expect((await served.call('query', { sql: 'select 1' })).answer.rows).toEqual([[1]])
  await expect.poll(async () => (await brief.call('query', { sql: 'select 1' })).answer?.rows).toEqual([[1]])
}, 300_000)
