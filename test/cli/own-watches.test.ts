import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunSummary } from '../../src/night/summary.js'
import { cli, type Ran } from '../support/program.js'
import { evening } from '../support/published.js'
import { sharedHome } from '../support/shared-home.js'
import { folderWith, writeInHome } from './support/own-home.js'

const kept = sharedHome()

/** A working folder with a home that has one bar of HPG, and these watches: other names in each test. */
function workingFolder(files: Record<string, string> = {}): string {
  const cwd = folderWith(kept.home)
  for (const [name, text] of Object.entries(files)) write(cwd, name, text)
  return cwd
}

const write = (cwd: string, name: string, text: string): void =>
  writeInHome(cwd, `sql/watches/${name}.sql`, text)

async function run(cwd: string, args: string[], env: Record<string, string> = {}): Promise<Ran> {
  return await cli(args, { cwd, effects: evening(), env: { PATH: process.env.PATH ?? '', ...env } })
}

async function publish(cwd: string, env: Record<string, string> = {}): Promise<RunSummary> {
  const { code, stdout, stderr } = await run(cwd, ['publish', '--json'], env)
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout) as RunSummary
}

/** A watch that has these rows. */
const found = (...values: readonly string[]): string =>
  `-- New values
-- key: value
SELECT value, 'x' AS other FROM (VALUES ${values.map((value) => `('${value}')`).join(', ')}) AS listed(value)`

const idsOf = ({ watches = [] }: RunSummary): string[] =>
  watches.flatMap(({ rows }) => rows.map(({ id }) => id))

const textsOf = ({ watches = [] }: RunSummary): string[] =>
  watches.flatMap(({ rows }) => rows.map(({ text }) => text))

/** A watch of bars that have this. */
const barsWhere = (where: string): string =>
  `-- Bars\nSELECT symbol, timeframe, opened_at, close FROM market.candle WHERE timeframe = '1m' AND ${where}`

describe('watches of the user’s own', () => {
  test('count what is there at first, then report each row once, until every hook has it, with the same id, and name where it came from; no restatement, replay or repeat doubles it', async () => {
    const cwd = workingFolder({ values: found('a', 'b'), bars: barsWhere('false') })
    const first = await publish(cwd)
    expect(first.watches).toBeUndefined()
    expect(first.notes.join()).toContain('sql/watches/values.sql begins: what it has already (2 rows)')

    write(cwd, 'values', found('a', 'b', 'c'))
    write(cwd, 'bars', barsWhere('true'))
    const refused = await publish(cwd, { CANDLEHOUSE_NOTIFY_COMMAND: 'exit 1' })
    expect(refused.notes).toContain('values: New values: value c, other x')
    expect(textsOf(refused)).toEqual([expect.stringContaining('symbol HPG'), 'value c, other x'])
    const [, ...words] = refused.watches?.[0]?.rows[0]?.trace?.split(' ') ?? []
    const traced = await run(cwd, words)
    expect([traced.code, traced.stdout]).toEqual([0, expect.stringContaining('HPG')])

    write(cwd, 'values', found('d'))
    const delivered = await publish(cwd, { CANDLEHOUSE_NOTIFY_COMMAND: 'cat > got.json' })
    expect(textsOf(delivered)).toEqual([...textsOf(refused), 'value d, other x'])
    expect(idsOf(delivered).slice(0, 2)).toEqual(idsOf(refused))
    expect((await publish(cwd)).watches).toBeUndefined()

    write(cwd, 'values', found('a', 'b', 'c', 'd'))
    expect((await run(cwd, ['replay'])).code).toBe(0)
    expect((await publish(cwd)).watches).toBeUndefined()
    const verified = await run(cwd, ['raw', 'verify'])
    expect([verified.code, verified.stdout]).toEqual([0, expect.not.stringContaining('watches')])
  })

  test('that do not work are notes, and hinder neither the run nor the others', async () => {
    const broken = {
      syntax: 'selec 1',
      writes: '-- x\nDELETE FROM market.candle',
      reads: "FROM read_csv('/etc/passwd')",
      key: '-- x\n-- key: b\nSELECT 1 AS a',
      twice: 'SELECT 1 AS a, 2 AS a',
      fails: "SELECT error('no ' || symbol) AS n FROM market.candle",
      endless: 'SELECT length(repeat(repeat(symbol, 1000000), 3000)) AS n FROM market.candle',
      huge: 'SELECT range AS n FROM range(20000)',
    }
    const cwd = workingFolder({ whole: found('a') })
    await publish(cwd)
    for (const [name, text] of Object.entries({ ...broken, whole: found('b') })) write(cwd, name, text)
    const summary = await publish(cwd)
    for (const name of Object.keys(broken))
      expect(summary.notes.join('\n')).toContain(`sql/watches/${name}.sql`)
    expect(summary.notes.join('\n')).toContain('sql/watches/key.sql:2: its key has b')
    expect(textsOf(summary)).toEqual(['value b, other x'])
    workingFolder({ syntax: broken.syntax, whole: found('b') })
    expect((await run(cwd, ['mine', 'check'])).code).toBe(2)
  })

  test('of the package are written by name, and work', async () => {
    const cwd = workingFolder()
    const shipped = [
      'limit_streak',
      'margin_distance',
      'foreign_room',
      'fill_outside_prices',
      'index_member_dropped',
      'corporate_action',
      'conditional_order',
      'volume_spike',
      'new_high',
      'dividend_ahead',
    ]
    for (const name of [...shipped, 'my_watch'])
      expect((await run(cwd, ['mine', 'new', 'watch', name])).code).toBe(0)
    const summary = await publish(cwd)
    for (const name of [...shipped, 'my_watch'])
      expect(summary.notes.join('\n')).toContain(`sql/watches/${name}.sql begins`)
    // One for all: each takes a process.
    for (const name of [...shipped, 'my_watch'].filter((each) => each !== 'volume_spike'))
      rmSync(join(cwd, `data/sql/watches/${name}.sql`))
    const { code, stdout } = await run(cwd, ['mine', 'check'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('Five times the usual volume')])
  })
})
