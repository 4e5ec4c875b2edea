import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sharedHome } from '../support/shared-home.js'
import { folderWith, rowsOf, run, writeInHome } from './support/own-home.js'

const kept = sharedHome()

/** Files below `data/sql` with one thing wrong each. `STOLEN` is a path that none may write. */
const BROKEN: Readonly<Record<string, string | Uint8Array>> = {
  'views/syntax.sql': 'selec 1',
  'views/bracket.sql': 'SELECT (',
  'views/quote.sql': "SELECT 'open",
  'views/empty.sql': '',
  'views/comment.sql': '-- later',
  'views/two.sql': 'SELECT 1; SELECT 2',
  'views/drops.sql': 'DROP VIEW market.candle',
  'views/creates.sql': 'CREATE TABLE market.mine AS SELECT 1',
  'views/inserts.sql': 'INSERT INTO market.candle SELECT * FROM market.candle',
  'views/hidden_write.sql': 'WITH gone AS (DELETE FROM market.candle RETURNING *) FROM gone',
  'views/copies.sql': `COPY (SELECT 1) TO 'STOLEN'`,
  'views/exports.sql': `EXPORT DATABASE 'STOLEN'`,
  'views/attaches.sql': `ATTACH 'STOLEN' AS other`,
  'views/installs.sql': 'INSTALL httpfs',
  'views/loads.sql': 'LOAD httpfs',
  'views/sets.sql': 'SET enable_external_access = true',
  'views/pragma.sql': `PRAGMA enable_logging`,
  'views/reads_text.sql': `FROM read_text('/etc/passwd')`,
  'views/reads_blob.sql': `FROM read_blob('/proc/self/environ')`,
  'views/lists.sql': `FROM glob('/etc/*')`,
  'views/by_name.sql': `FROM '/etc/passwd.csv'`,
  'views/socket.sql': `FROM read_csv('https://127.0.0.1:1/x.csv')`,
  'views/bucket.sql': `FROM read_parquet('s3://bucket/x.parquet')`,
  'views/runs_text.sql': `FROM query('DROP VIEW market.candle')`,
  'views/logs.sql': `SELECT write_log('x')`,
  'views/parameter.sql': 'SELECT ?',
  'views/unknown.sql': 'SELECT prise FROM market.candle',
  'views/unknown_relation.sql': 'FROM market.candel',
  'views/itself.sql': 'FROM mine.itself',
  'views/cycle_a.sql': 'FROM mine.cycle_b',
  'views/cycle_b.sql': 'FROM mine.cycle_a',
  'views/bytes.sql': new Uint8Array([0xff, 0xfe, 0x41]),
  'views/large.sql': `SELECT '${'x'.repeat(300_000)}'`,
  [`views/a'b"; DROP.sql`]: 'SELECT 1',
  'views/Upper.sql': 'SELECT 1',
  'tables/list.sql': 'SELECT [1] AS list',
  'tables/struct.sql': `SELECT {'a': 1} AS pair`,
  'tables/unnamed.sql': 'SELECT count(*) FROM market.candle',
  'tables/twice.sql': 'SELECT 1 AS n, 2 AS N',
  'tables/instant.sql': `SELECT TIMESTAMP '2025-01-01' AS at`,
  'tables/quoted_column.sql': `SELECT 1 AS "a"";--"`,
  'tables/fails.sql': `SELECT error('no ' || symbol) AS n FROM market.candle`,
  'tables/casts.sql': 'SELECT CAST(symbol AS INTEGER) AS n FROM market.candle',
  'tables/huge.sql': 'SELECT range AS n FROM range(30000000)',
  'tables/memory.sql': 'SELECT length(repeat(repeat(symbol, 1000000), 1400)) AS n FROM market.candle',
  'tables/syntax.sql': 'SELECT 1',
  'rules/no_head.sql': 'SELECT 1',
  'rules/ours.sql': ruleOf({ number: 7 }),
  'rules/no_columns.sql': '-- rule: 1001\n-- title: x\n-- severity: error\nSELECT 1 AS n',
  'rules/writes.sql': '-- rule: 1002\n-- title: x\n-- severity: error\nDELETE FROM market.candle',
  'rules/reads.sql': ruleOf({ number: 1003, from: "read_csv('/etc/passwd')" }),
  'rules/reaches.sql': ruleOf({ number: 1004 }).replace('severity', 'reach: back 9999 days\n-- severity'),
  'rules/fails.sql': ruleOf({
    number: 1005,
    from: `(SELECT *, error('no') AS e FROM market.candle) WHERE e = '' AND`,
  }),
}

function ruleOf({ number = 1000, from = 'market.candle WHERE' }): string {
  return `-- rule: ${number}
-- title: there are no bars
-- severity: error
SELECT trading_date, 'market' AS subject, 'market.candle' AS relation,
  json_object('symbol', symbol, 'trading_date', trading_date) AS key,
  'none' AS expected, volume AS actual, 1 AS residual, 'break' AS result
FROM ${from} timeframe = '1m'`
}

const write = (cwd: string, name: string, text: string | Uint8Array): void =>
  writeInHome(cwd, `sql/${name}`, text)

test('fifty broken files end no run, open no gate, and take nothing from readers', {
  timeout: 240_000,
}, async () => {
  const cwd = folderWith(kept.home)
  const stolen = join(cwd, 'stolen')
  // A rule of the user's own withholds the only bar. Then its file is broken too.
  write(cwd, 'rules/no_bars.sql', ruleOf({}))
  write(cwd, 'views/good.sql', 'SELECT 1 AS n')
  write(cwd, 'tables/kept.sql', 'SELECT 2 AS n')
  expect((await run(cwd, 'publish')).code).toBe(4)
  const files = {
    ...BROKEN,
    'rules/no_bars.sql': 'SELECT',
    'tables/kept.sql': `SELECT n FROM mine.nothing`,
  }
  expect(Object.keys(files).length).toBeGreaterThan(50)
  for (const [name, text] of Object.entries(files))
    write(cwd, name, typeof text === 'string' ? text.replaceAll('STOLEN', stolen) : text)
  const checked = await run(cwd, 'check', '--date', '2025-03-14')
  expect(checked.code, checked.stderr).toBe(4)
  const published = await run(cwd, 'publish', '--json')
  expect(published.code, published.stderr).toBe(4)
  const { notes } = JSON.parse(published.stdout) as { notes: string[] }
  const said = [...notes, checked.stdout].join('\n')
  for (const name of Object.keys(files)) expect(said).toContain(`sql/${name}`)
  expect(await rowsOf(cwd, 'FROM mine.good')).toEqual([{ n: 1 }])
  expect(await rowsOf(cwd, 'FROM mine.kept')).toEqual([{ n: 2 }])
  expect(
    await rowsOf(cwd, "SELECT view_name FROM duckdb_views() WHERE schema_name = 'mine' ORDER BY 1"),
  ).toEqual([{ view_name: 'good' }, { view_name: 'kept' }])
  expect(await rowsOf(cwd, "SELECT state FROM recon.finding WHERE title LIKE 'mine.no_bars%'")).toEqual([
    { state: 'break' },
  ])
  expect(existsSync(stolen)).toBe(false)
  expect(readdirSync(join(cwd, 'data/tmp'))).toEqual([])
  // Without them, and with the rule gone, the gate is open again.
  rmSync(join(cwd, 'data/sql'), { recursive: true })
  await run(cwd, 'check', '--date', '2025-03-14')
  expect((await run(cwd, 'publish')).code).toBe(0)
  expect(
    await rowsOf(cwd, "SELECT count(*)::INT AS n FROM duckdb_views() WHERE schema_name = 'mine'"),
  ).toEqual([{ n: 0 }])
})
