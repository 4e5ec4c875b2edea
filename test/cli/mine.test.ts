import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../../src/lake/manifest.js'
import { sharedHome } from '../support/shared-home.js'
import { folderWith, rowsOf, run, writeInHome } from './support/own-home.js'

const kept = sharedHome()

const workingFolder = (files?: Record<string, string>): string => folderWith(kept.home, files)

const LARGE = `-- Symbols that traded.
-- traded: Shares.
SELECT symbol, trading_date, total_match AS traded FROM market.daily_summary`

describe('views of the user’s own', () => {
  test('reach the prompt and its comments with the next publication, stay through others, change and go', async () => {
    const cwd = workingFolder({
      'sql/views/traded.sql': LARGE,
      'sql/views/few.sql': 'FROM mine.traded LIMIT 1',
    })
    expect((await run(cwd, 'publish')).code).toBe(0)
    expect(await rowsOf(cwd, 'SELECT count(*) AS n FROM mine.few')).toEqual([{ n: expect.anything() }])
    expect(await rowsOf(cwd, 'DESCRIBE mine.traded')).toMatchObject([
      { column_name: 'symbol', comment: expect.stringMatching(/^Symbol/) },
      { column_name: 'trading_date' },
      { column_name: 'traded', comment: 'Shares.' },
    ])
    expect(await rowsOf(cwd, 'SHOW TABLES')).toContainEqual({
      relation: 'mine.traded',
      comment: 'Symbols that traded.',
    })
    const manifest = await readManifest(join(cwd, 'data', 'lake'))
    expect(manifest?.own_views?.map(({ name }) => name)).toEqual(['traded', 'few'])
    writeInHome(cwd, 'sql/views/few.sql', 'SELECT 7 AS seven')
    rmSync(join(cwd, 'data/sql/views/traded.sql'))
    expect((await run(cwd, 'publish')).code).toBe(0)
    expect(await rowsOf(cwd, 'FROM mine.few')).toEqual([{ seven: 7 }])
    expect((await run(cwd, 'sql', 'FROM mine.traded')).code).toBe(2)
  })

  test('a broken file is a note of the run and of the doctor, and readers keep its former version', async () => {
    const cwd = workingFolder({ 'sql/views/n.sql': 'SELECT 1 AS n' })
    await run(cwd, 'publish')
    writeInHome(cwd, 'sql/views/n.sql', 'SELECT\n  n\nFROM market.candel')
    const { code, stdout } = await run(cwd, 'publish', '--json')
    expect(code).toBe(0)
    expect(stdout).toContain('sql/views/n.sql:3: ')
    expect(stdout).toContain('readers keep its former version')
    expect(await rowsOf(cwd, 'FROM mine.n')).toEqual([{ n: 1 }])
    const checks = JSON.parse((await run(cwd, 'doctor', '--json')).stdout) as { checks?: unknown } | unknown[]
    expect(JSON.stringify(checks)).toContain('sql/views/n.sql:3')
  })

  test('a catalog that is lost comes back with them', async () => {
    const cwd = workingFolder({ 'sql/views/n.sql': 'SELECT 1 AS n' })
    await run(cwd, 'publish')
    rmSync(join(cwd, 'data/catalog.duckdb'))
    await run(cwd, 'publish')
    expect(await rowsOf(cwd, 'FROM mine.n')).toEqual([{ n: 1 }])
  })
})

describe('mine check', () => {
  test('counts rows, runs cases, and says what is wrong in which line', async () => {
    const given = 'symbol,trading_date,total_match\nAAA,2025-03-13,100\nBBB,2025-03-13,\n'
    const cwd = workingFolder({
      'sql/views/traded.sql': LARGE,
      'sql/views/few.sql': `SELECT symbol, traded * 1.5 AS more, traded::DOUBLE / 3 AS third FROM mine.traded`,
      'sql/cases/few/good/market.daily_summary.csv': given,
      'sql/cases/few/good/expected.csv': 'symbol,more,third\nBBB,,\nAAA,150,33.33333333\n',
      'sql/cases/few/bad/market.daily_summary.csv': given,
      'sql/cases/few/bad/expected.csv': 'symbol,more\nAAA,151\n',
    })
    await run(cwd, 'publish')
    const { code, stdout } = await run(cwd, 'mine', 'check')
    expect(code).toBe(2)
    expect(stdout).toMatch(/mine\.traded +view +3 +\d+ +\d+ {2}Symbols that traded\./)
    expect(stdout).toContain('1 of 2 cases as expected')
    expect(stdout).toContain(
      '! sql/cases/few/bad/expected.csv: by symbol, more: the view lacks (AAA, 151.0), instead the view has (AAA, 150.0), and 1 more',
    )
  })

  test.each([
    ['expected.csv', { 'market.daily_summary.csv': 'symbol\nAAA\n' }, 'no such file'],
    ['a relation', { 'expected.csv': 'symbol\n', 'market.nothing.csv': 'symbol\nAAA\n' }, 'nothing'],
    ['a column', { 'expected.csv': 'sym\nAAA\n' }, 'mine.traded has no column sym'],
    ['a given column', { 'expected.csv': 'symbol\n', 'market.daily_summary.csv': 'sym\nAAA\n' }, 'sym'],
    ['a type', { 'expected.csv': 'traded\nmany\n' }, 'many'],
  ])('a case without %s says so', async (_, files, words) => {
    const named = Object.entries(files).map(([name, text]) => [`sql/cases/traded/odd/${name}`, text])
    const cwd = workingFolder({ 'sql/views/traded.sql': LARGE, ...Object.fromEntries(named) })
    const { code, stdout } = await run(cwd, 'mine', 'check')
    expect(code).toBe(2)
    expect(stdout).toMatch(new RegExp(`! sql/cases/traded/odd/expected.csv: .*${words}`))
  })

  test('mine new view writes one that works, once', async () => {
    const cwd = workingFolder()
    expect((await run(cwd, 'mine', 'check')).stdout).toContain('candlehouse mine new view my_stocks')
    expect((await run(cwd, 'mine', 'new', 'view', 'my_stocks')).code).toBe(0)
    expect(readFileSync(join(cwd, 'data/sql/views/my_stocks.sql'), 'utf8')).toMatch(/^-- /)
    const { code, stdout } = await run(cwd, 'mine', 'check')
    expect([code, stdout]).toEqual([0, expect.stringContaining('mine.my_stocks')])
    const again = await run(cwd, 'mine', 'new', 'view', 'my_stocks')
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('exists already')])
    expect((await run(cwd, 'mine', 'new', 'view', 'My Stocks')).code).toBe(2)
  })
})

describe('pages of the user’s own', () => {
  const page = (...blocks: string[]): string =>
    ['# Mine', ...blocks.map((block) => `\`\`\`sql ${block}\n\`\`\``)].join('\n\n')

  test('mine new page writes one that works, once', async () => {
    const cwd = workingFolder()
    expect((await run(cwd, 'mine', 'new', 'page', 'my_page')).code).toBe(0)
    expect(readFileSync(join(cwd, 'data/sql/pages/my_page.md'), 'utf8')).toMatch(/^# My page/)
    const { code, stdout } = await run(cwd, 'mine', 'check')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/my_page +2 +\d+ {2}My page/)])
    const again = await run(cwd, 'mine', 'new', 'page', 'my_page')
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('exists already')])
    expect((await run(cwd, 'mine', 'new', 'page', '../x')).code).toBe(2)
  })

  test('a page reads a view that the next publication brings', async () => {
    const cwd = workingFolder({
      'sql/views/few.sql': 'SELECT 7 AS seven',
      'sql/pages/a.md': page('\nFROM mine.few'),
    })
    expect((await run(cwd, 'mine', 'check')).code).toBe(0)
  })

  test.each([
    ['\nSELECT\n  prise FROM market.candle', 'a.md:5: Binder Error: Referenced column "prise" not found'],
    ['\nSELECT 1; SELECT 2', 'a.md:4: '],
    ["\nCOPY (SELECT 1) TO '/tmp/x.csv'", 'a.md:4: '],
    ["\nFROM read_text('/etc/passwd')", 'a.md:4: '],
    ['\nSELEC 1', 'a.md:4: Parser Error'],
    ['chart over=nothing\nFROM range(3) r(n)', 'a.md:3: over=nothing: the result has no such column'],
    ['chart\nSELECT 1 AS n', 'a.md:3: A chart needs'],
    ['pie\nSELECT 1', 'a.md:3: a block is shown as table or chart, not as pie'],
  ])('mine check says which line is wrong: %j', async (block, words) => {
    const cwd = workingFolder({ 'sql/pages/a.md': page(block) })
    await run(cwd, 'publish')
    const { code, stdout } = await run(cwd, 'mine', 'check')
    expect([code, stdout]).toEqual([2, expect.stringContaining(`! sql/pages/${words}`)])
  })

  test.each([
    ['sql/pages/A Page.md', '# A', 'cannot be the name of a page'],
    ['sql/pages/large.md', 'x'.repeat(70_000), 'more than 64000 bytes'],
    ['sql/pages/deep.md', '>'.repeat(60_000), 'nested too deep'],
  ])('a file that is not a page is named: %s', async (name, text, words) => {
    const cwd = workingFolder({ [name]: text })
    const { code, stdout } = await run(cwd, 'mine', 'check')
    expect([code, stdout]).toEqual([2, expect.stringContaining(words)])
  })
})
