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

/** A page of the user's own with these blocks. */
const page = (...blocks: string[]): string =>
  ['# Mine', ...blocks.map((block) => `\`\`\`sql ${block}\n\`\`\``)].join('\n\n')

describe('views of the user’s own', () => {
  test('reach the prompt and its comments with the next publication, change and go; a broken file is a note, and readers keep its former version, also after a catalog that is lost', async () => {
    const cwd = workingFolder({
      'sql/views/traded.sql': LARGE,
      'sql/views/few.sql': 'FROM mine.traded LIMIT 1',
      'sql/views/n.sql': 'SELECT 1 AS n',
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
    expect(manifest?.own_views?.map(({ name }) => name)).toEqual(['traded', 'few', 'n'])

    writeInHome(cwd, 'sql/views/few.sql', 'SELECT 7 AS seven')
    writeInHome(cwd, 'sql/views/n.sql', 'SELECT\n  n\nFROM market.candel')
    rmSync(join(cwd, 'data/sql/views/traded.sql'))
    const { code, stdout } = await run(cwd, 'publish', '--json')
    expect(code).toBe(0)
    expect(stdout).toContain('sql/views/n.sql:3: ')
    expect(stdout).toContain('readers keep its former version')
    expect(await rowsOf(cwd, 'FROM mine.few, mine.n')).toEqual([{ seven: 7, n: 1 }])
    expect((await run(cwd, 'sql', 'FROM mine.traded')).code).toBe(2)
    expect((await run(cwd, 'doctor', '--json')).stdout).toContain('sql/views/n.sql:3')

    rmSync(join(cwd, 'data/catalog.duckdb'))
    await run(cwd, 'publish')
    expect(await rowsOf(cwd, 'FROM mine.few, mine.n')).toEqual([{ seven: 7, n: 1 }])
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
      'sql/cases/traded/no_file/market.daily_summary.csv': 'symbol\nAAA\n',
      'sql/cases/traded/no_relation/expected.csv': 'symbol\n',
      'sql/cases/traded/no_relation/market.nothing.csv': 'symbol\nAAA\n',
      'sql/cases/traded/no_column/expected.csv': 'sym\nAAA\n',
      'sql/cases/traded/no_given/expected.csv': 'symbol\n',
      'sql/cases/traded/no_given/market.daily_summary.csv': 'sym\nAAA\n',
      'sql/cases/traded/no_type/expected.csv': 'traded\nmany\n',
    })
    const { code, stdout } = await run(cwd, 'mine', 'check')
    expect(code).toBe(2)
    expect(stdout).toMatch(/mine\.traded +view +3 +\d+ +\d+ {2}Symbols that traded\./)
    expect(stdout).toContain('1 of 7 cases as expected')
    expect(problemsOf(stdout)).toEqual([
      'sql/cases/few/bad/expected.csv: by symbol, more: the view lacks (AAA, 151.0), instead the view has (AAA, 150.0), and 1 more',
      'sql/cases/traded/no_column/expected.csv: mine.traded has no column sym',
      'sql/cases/traded/no_file/expected.csv: the case has no such file',
      'sql/cases/traded/no_given/expected.csv: Binder Error: Table "market.daily_summary" does not have a column with name "sym"',
      'sql/cases/traded/no_relation/expected.csv: Catalog Error: Table with name nothing does not exist!',
      expect.stringMatching(/^sql\/cases\/traded\/no_type\/expected.csv: .*'many'/),
    ])
  })

  test('says in which line a page is wrong, and which file is not a page', async () => {
    const cwd = workingFolder({
      'sql/pages/column.md': page('\nSELECT\n  prise FROM market.candle'),
      'sql/pages/two.md': page('\nSELECT 1; SELECT 2'),
      'sql/pages/copies.md': page("\nCOPY (SELECT 1) TO '/tmp/x.csv'"),
      'sql/pages/reads.md': page("\nFROM read_text('/etc/passwd')"),
      'sql/pages/syntax.md': page('\nSELEC 1'),
      'sql/pages/over.md': page('chart over=nothing\nFROM range(3) r(n)'),
      'sql/pages/chart.md': page('chart\nSELECT 1 AS n'),
      'sql/pages/pie.md': page('pie\nSELECT 1'),
      'sql/pages/A Page.md': '# A',
      'sql/pages/large.md': 'x'.repeat(70_000),
      'sql/pages/deep.md': '>'.repeat(60_000),
    })
    const { code, stdout } = await run(cwd, 'mine', 'check')
    expect(code).toBe(2)
    expect(problemsOf(stdout)).toEqual([
      expect.stringContaining('sql/pages/A Page.md: "A Page" cannot be the name of a page'),
      expect.stringMatching(/^sql\/pages\/chart.md:3: A chart needs/),
      expect.stringMatching(/^sql\/pages\/column.md:5: Binder Error: Referenced column "prise" not found/),
      expect.stringMatching(/^sql\/pages\/copies.md:4: /),
      expect.stringMatching(/^sql\/pages\/deep.md: .*nested too deep/),
      expect.stringMatching(/^sql\/pages\/large.md: .*more than 64000 bytes/),
      expect.stringMatching(/^sql\/pages\/over.md:3: over=nothing: the result has no such column/),
      expect.stringMatching(/^sql\/pages\/pie.md:3: a block is shown as table or chart, not as pie/),
      expect.stringMatching(/^sql\/pages\/reads.md:4: /),
      expect.stringMatching(/^sql\/pages\/syntax.md:4: Parser Error/),
      expect.stringMatching(/^sql\/pages\/two.md:4: /),
    ])
  })

  /** What it names as wrong, in the order of the files. */
  const problemsOf = (stdout: string): string[] =>
    stdout
      .split('\n')
      .flatMap((line) => (line.startsWith('! ') ? line.slice(2) : []))
      .sort()
})

test.each([
  ['view', 'my_stocks', 'views/my_stocks.sql', /^-- /, /mine\.my_stocks +view/, 'My Stocks'],
  ['page', 'my_page', 'pages/my_page.md', /^# My page/, /my_page +2 +\d+ {2}My page/, '../x'],
])('mine new %s writes one that works, once', async (kind, name, file, text, line, noName) => {
  const cwd = workingFolder()
  expect((await run(cwd, 'mine', 'check')).stdout).toContain('candlehouse mine new view my_stocks')
  expect((await run(cwd, 'mine', 'new', kind, name)).code).toBe(0)
  expect(readFileSync(join(cwd, 'data/sql', file), 'utf8')).toMatch(text)
  // It reads a view that only the next publication brings.
  writeInHome(cwd, 'sql/views/next.sql', 'SELECT 7 AS seven')
  writeInHome(cwd, 'sql/pages/reads_next.md', page('\nFROM mine.next'))
  const { code, stdout } = await run(cwd, 'mine', 'check')
  expect([code, stdout]).toEqual([0, expect.stringMatching(line)])
  const again = await run(cwd, 'mine', 'new', kind, name)
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('exists already')])
  expect((await run(cwd, 'mine', 'new', kind, noName)).code).toBe(2)
})
