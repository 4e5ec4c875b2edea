import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { systemEffects } from '../../src/effects.js'
import type { Manifest } from '../../src/lake/manifest.js'
import type { OwnView } from '../../src/lake/own-views.js'
import { bindHere } from '../../src/mine/bind.js'
import { problemLine } from '../../src/mine/problem.js'
import { temporaryFolder } from '../support/folder.js'

/** A home with these files in `sql/views`, and a lake that has published these views. */
function homeOf(files: Record<string, string | Uint8Array>, published: readonly OwnView[] = []): string {
  const home = temporaryFolder()
  mkdirSync(join(home, 'sql', 'views'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, 'sql', 'views', name), text)
  const manifest: Manifest = {
    format: 'candlehouse-lake',
    format_version: 1,
    publication: 1,
    run_id: '20250314T110000000Z-a',
    published_at: '2025-03-14T11:00:00.000Z',
    fetched_timeframes: [],
    own_views: [...published],
    relations: [],
  }
  mkdirSync(join(home, 'lake'))
  writeFileSync(join(home, 'lake', 'manifest.json'), JSON.stringify(manifest))
  return home
}

async function bound(files: Record<string, string | Uint8Array>, published?: readonly OwnView[]) {
  const { own: views, problems } = await bindHere(homeOf(files, published), systemEffects)
  return { views, names: views.map(({ name }) => name), lines: problems.map(problemLine) }
}

const view = (name: string, sql: string): OwnView => ({ name, comment: '', columns: [], sql })

describe('views of the user’s own', () => {
  test.skipIf(process.platform === 'win32')(
    'what is not a file of text is not read: a device or a pipe has no end',
    async () => {
      const home = homeOf({ 'good.sql': 'SELECT 1 AS n' })
      symlinkSync('/dev/null', join(home, 'sql', 'views', 'device.sql'))
      const { own, problems } = await bindHere(home, systemEffects)
      expect(own.map(({ name }) => name)).toEqual(['good'])
      expect(problems.map(problemLine)).toEqual([
        expect.stringMatching(/device\.sql: it is a pipe, .* device/),
      ])
    },
  )

  test.each<[string, string | Uint8Array, RegExp]>([
    [
      'a column that is not there',
      '-- x\n\nSELECT symbol,\n  prise\nFROM market.candle',
      /a\.sql:4: .*"prise" not found/,
    ],
    ['a relation that is not there', 'FROM market.candel', /a\.sql:1: .*Did you mean "candle"/],
    ['a schema that is not there', 'FROM\n markt.candle', /a\.sql:2: .*markt/],
    ['a relation without its schema', 'FROM candle', /a\.sql:1: .*market\.candle/],
    ['no SQL', 'selec 1', /a\.sql:1: .*syntax error/],
    ['an open bracket', 'SELECT (', /a\.sql: .*syntax error/],
    ['nothing', '', /a\.sql: no statement given/],
    ['only a comment', '-- later', /a\.sql: no statement given/],
    ['two statements', 'SELECT 1; SELECT 2', /2 statements given/],
    ['a statement that writes', 'DROP VIEW market.candle', /only statements that read/],
    ['COPY', `COPY (SELECT 1) TO '/tmp/x.csv'`, /only statements that read/],
    ['ATTACH', `ATTACH '/tmp/x.db'`, /only statements that read/],
    ['a file of the machine', `FROM read_text('/etc/passwd')`, /reads a file/],
    ['a file by its name alone', `FROM '/etc/passwd.csv'`, /reads a file/],
    ['an address', `FROM read_csv('https://example.com/x.csv')`, /a\.sql.*(reads a file|httpfs)/],
    ['SQL in a text', `FROM query('SELECT 1')`, /function query is not allowed/],
    ['a parameter', 'SELECT ?', /has a parameter/],
    ['EXPLAIN', 'EXPLAIN SELECT 1', /a\.sql/],
    ['itself', 'FROM mine.a', /it cannot rest on itself: mine\.a reads mine\.a/],
    ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0x41]), /not UTF-8/],
    ['too much', `SELECT '${'x'.repeat(300_000)}'`, /more than 256000 bytes/],
  ])('%s is a problem of that file alone', async (_, text, words) => {
    const { names, lines } = await bound({ 'a.sql': text, 'good.sql': 'SELECT 1 AS n' })
    expect(names).toEqual(['good'])
    expect(lines).toEqual([expect.stringMatching(words)])
  })

  test.each(['A.sql', 'my view.sql', '1a.sql', `x'"; drop.sql`, 'é.sql', '.sql'])(
    'the name %j is refused, or no view at all',
    async (name) => {
      const { names, lines } = await bound({ [name]: 'SELECT 1 AS n' })
      expect(names).toEqual([])
      expect(lines).toEqual(
        name.startsWith('.') ? [] : [expect.stringContaining('cannot be the name of a view')],
      )
    },
  )

  test('a cycle is named in each of its files, and ends nothing else', async () => {
    const { names, lines } = await bound({
      'a.sql': 'FROM mine.b',
      'b.sql': 'FROM mine.c',
      'c.sql': 'FROM mine.a',
      'd.sql': 'SELECT 1 AS n',
    })
    expect(names).toEqual(['d'])
    expect(lines.map((line) => line.split(';')[0])).toEqual([
      'sql/views/a.sql: it cannot rest on itself: mine.a reads mine.b reads mine.c reads mine.a',
      'sql/views/b.sql: it cannot rest on itself: mine.b reads mine.c reads mine.a reads mine.b',
      'sql/views/c.sql: it cannot rest on itself: mine.c reads mine.a reads mine.b reads mine.c',
    ])
  })

  test('a broken file keeps its published version, and what reads it goes on; a file that is gone takes its view along', async () => {
    const published = [view('a', 'SELECT 1 AS n'), view('gone', 'SELECT 2 AS n'), view('b', 'FROM mine.a')]
    const { views, lines } = await bound(
      { 'a.sql': 'SELECT', 'b.sql': 'SELECT n + 1 AS m FROM mine.a' },
      published,
    )
    expect(views.map(({ name, sql }) => [name, sql])).toEqual([
      ['a', 'SELECT 1 AS n'],
      ['b', 'SELECT n + 1 AS m FROM mine.a'],
    ])
    expect(lines).toEqual([expect.stringMatching(/a\.sql.*readers keep its former version/)])
  })

  test('a view that reads what has gone is a problem, and keeps nothing that cannot be read', async () => {
    const published = [view('a', 'SELECT 1 AS n'), view('b', 'FROM mine.a')]
    const { names, lines } = await bound({ 'b.sql': 'FROM mine.a' }, published)
    expect(names).toEqual([])
    expect(lines).toEqual([
      expect.stringMatching(
        /b\.sql:1: .*name a .*\(readers lose its former version too, which reads what is gone\)/,
      ),
    ])
  })

  test('binding computes nothing', async () => {
    const { names } = await bound({
      'heavy.sql': `SELECT repeat('x', 1000000000) AS x, list_sum(range(1000000000)) AS y`,
    })
    expect(names).toEqual(['heavy'])
  })
})
