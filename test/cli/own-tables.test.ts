import { readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readManifest } from '../../src/lake/manifest.js'
import type { RunSummary } from '../../src/night/summary.js'
import { sharedHome } from '../support/shared-home.js'
import { folderWith, rowsOf, run, writeInHome } from './support/own-home.js'

const kept = sharedHome()

const workingFolder = (files?: Record<string, string>): string => folderWith(kept.home, files)

async function publish(cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(cwd, 'publish', '--json')
  expect(code, stderr).toBe(0)
  return stdout
}

/** The table in the manifest, and the number of the publication. */
async function published(cwd: string, name: string) {
  const manifest = await readManifest(join(cwd, 'data', 'lake'))
  const relation = manifest?.relations.find((each) => each.name === `mine.${name}`)
  return { publication: manifest?.publication, relation, tables: manifest?.own_tables }
}

const TRADED = `-- What each symbol traded.
-- traded: Shares, of all sessions.
SELECT symbol, sum(volume) AS traded, max(trading_date) AS last_day
FROM market.candle WHERE timeframe = '1m' GROUP BY symbol`

/** Tables that are broken when their file is, each in another way, and what is said of it. */
const BROKEN = {
  column: ['SELECT symbol,\n simbol\nFROM market.candle', 'sql/tables/column.sql:2: '],
  error: [
    `SELECT error('no ' || symbol) AS n FROM market.candle`,
    'sql/tables/error.sql: Invalid Input Error: no ',
  ],
  instant: ['SELECT local_time FROM market.candle', 'column local_time of type TIMESTAMP'],
  name: ['SELECT count(*) FROM market.candle', 'name it with AS'],
  list: ['SELECT [1] AS list', 'column list of type INTEGER[]'],
} as const
const WHOLE = 'SELECT symbol, 1 AS n FROM market.candle'

describe('tables of the user’s own', () => {
  test('are files of the lake, with comments, in an order in which each finds what it reads; keep their former file and a note while theirs is broken or fails; go with it', async () => {
    const names = Object.keys(BROKEN)
    const cwd = workingFolder({
      'sql/tables/traded.sql': TRADED,
      'sql/tables/best.sql': 'FROM mine.large LIMIT 1',
      'sql/views/large.sql': 'SELECT symbol, traded * 2 AS twice FROM mine.traded ORDER BY ALL',
      ...Object.fromEntries(names.map((name) => [`sql/tables/${name}.sql`, WHOLE])),
    })
    await publish(cwd)
    const { relation, tables } = await published(cwd, 'traded')
    expect(relation).toMatchObject({ comment: 'What each symbol traded.', files: [{ partition: 'all' }] })
    expect(relation?.columns).toMatchObject([
      { name: 'symbol', type: 'VARCHAR', comment: expect.stringMatching(/^Symbol/) },
      { name: 'traded', type: 'DECIMAL(38,0)', comment: 'Shares, of all sessions.' },
      { name: 'last_day', type: 'DATE' },
    ])
    const order = tables?.map(({ name }) => name) ?? []
    expect(order.filter((name) => !names.includes(name))).toEqual(['traded', 'best'])
    const bound = 'SELECT max(n)::INT AS n, (SELECT count(*) FROM mine.best) AS best FROM mine.list'
    expect(await rowsOf(cwd, bound)).toEqual([{ n: 1, best: '1' }])
    expect(await rowsOf(cwd, 'SHOW TABLES')).toContainEqual({
      relation: 'mine.traded',
      comment: 'What each symbol traded.',
    })

    const all = ['traded', ...names]
    const former = await Promise.all(all.map((name) => published(cwd, name)))
    for (const [name, [text]] of Object.entries(BROKEN)) writeInHome(cwd, `sql/tables/${name}.sql`, text)
    const out = await publish(cwd)
    for (const [, words] of Object.values(BROKEN)) expect(out).toContain(words)
    const { notes } = JSON.parse(out) as RunSummary
    const kept = notes.filter((note) => note.includes('readers keep its former version'))
    expect(kept.map((note) => /sql\/tables\/(\w+)/.exec(note)?.[1]).sort()).toEqual([...names].sort())
    expect(await Promise.all(all.map((name) => published(cwd, name)))).toEqual(former)
    const verified = await run(cwd, 'lake', 'verify')
    expect([verified.code, verified.stdout]).toEqual([0, expect.any(String)])

    const best = (await published(cwd, 'best')).relation?.files
    rmSync(join(cwd, 'data/sql/tables/traded.sql'))
    const { notes: renamed } = JSON.parse(await publish(cwd)) as RunSummary
    expect(renamed.filter((note) => /^sql\/\w+\/(best|large)\.sql/.test(note))).toEqual([
      expect.stringMatching(/sql\/tables\/best\.sql.* \(readers keep its former version\)/),
      expect.stringMatching(/sql\/views\/large\.sql.* \(readers lose its former version too/),
    ])
    expect((await published(cwd, 'best')).relation?.files).toEqual(best)
    expect(await rowsOf(cwd, 'SELECT count(*) AS n FROM mine.best')).toEqual([{ n: '1' }])

    rmSync(join(cwd, 'data/sql'), { recursive: true })
    await publish(cwd)
    expect(await published(cwd, 'list')).toMatchObject({ relation: undefined, tables: undefined })
    expect((await run(cwd, 'sql', 'FROM mine.list')).code).toBe(2)
    expect((await run(cwd, 'lake', 'verify')).code).toBe(0)
  })

  test('are written again only where what they read, their statement or their file has changed, and have the same hash after replay and publish from the raw pages alone', async () => {
    const cwd = workingFolder({ 'sql/tables/traded.sql': TRADED, 'sql/tables/none.sql': `${TRADED} LIMIT 0` })
    await publish(cwd)
    const first = await published(cwd, 'traded')
    // Only the words. That nothing is written where nothing has changed: the test above.
    writeInHome(cwd, 'sql/tables/traded.sql', TRADED.replace('What each', 'All that each'))
    await publish(cwd)
    const worded = await published(cwd, 'traded')
    expect(worded.relation?.comment).toBe('All that each symbol traded.')
    expect(worded.relation?.files).toEqual(first.relation?.files)
    writeInHome(cwd, 'sql/tables/traded.sql', `${TRADED} HAVING traded > 0`)
    await publish(cwd)
    const filtered = await published(cwd, 'traded')
    expect(filtered.publication).toBe((worded.publication ?? 0) + 1)
    const file = join(cwd, 'data/lake', filtered.relation?.files[0]?.path ?? '')
    rmSync(file)
    await publish(cwd)
    const sha256 = filtered.relation?.files[0]?.sha256
    expect((await published(cwd, 'traded')).relation?.files[0]?.sha256).toBe(sha256)
    expect(readdirSync(dirname(file)).filter((name) => name.endsWith('.parquet'))).not.toEqual([])

    for (const name of readdirSync(join(cwd, 'data')))
      if (name !== 'raw' && name !== 'sql') rmSync(join(cwd, 'data', name), { recursive: true })
    expect((await run(cwd, 'replay')).code).toBe(0)
    await publish(cwd)
    expect((await published(cwd, 'traded')).relation?.files[0]?.sha256).toBe(sha256)
    expect(await rowsOf(cwd, 'FROM mine.none')).toEqual([])
  })
})
