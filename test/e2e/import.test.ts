import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli, type Environment } from '../support/program.js'
import { ask } from '../support/published.js'
import { start } from './support/cli.js'
import { hashes, restorableHashes } from './support/hashes.js'
import { copyOfBoth, expectCode, FIRST, LAST } from './support/nights.js'

const KILLER = ['--import', join(import.meta.dirname, 'support/killer.mjs')]

async function run(cwd: string, args: readonly string[], env: Environment = {}): Promise<string> {
  // A time zone is of a process.
  const ran = await (env.TZ ? start(args, { cwd, env }).ended : cli(args, { cwd, env }))
  expectCode(ran, 0)
  return ran.stdout
}

async function expectKilled(args: readonly string[], cwd: string, at: string): Promise<void> {
  const env = { KILLER_AT: at, TMPDIR: temporaryFolder() }
  const killed = await start(args, { cwd, env, node: KILLER }).ended
  expect(killed.signal, killed.stderr).toBe('SIGKILL')
  // It has left no conclusion: the status names it all the same, until the next run.
  expect(await killedRun(cwd)).toMatchObject({ job: 'import' })
}

async function killedRun(cwd: string): Promise<unknown> {
  return JSON.parse(await run(cwd, ['status', '--json'])).killedRun
}

test('what one home exports another imports, killed on the way, row by row, and makes again from raw/', async () => {
  const [home, other] = [await copyOfBoth(), temporaryFolder()]
  for (const [relation, format, TZ, KILLER_AT] of [
    // Daily bars are derived from the summaries: these come first.
    ['market.daily_summary', 'csv', 'America/New_York', 'after 1 writeFile journal'],
    [
      'market.candle',
      'parquet',
      ...(LONG ? (['Asia/Tokyo', 'before 1 rename catalog.duckdb'] as const) : []),
    ],
  ] as const) {
    const file = join(home, `exported.${format}`)
    await run(home, ['export', relation, '--out', file])
    const bring = ['import', relation, file, '--json']
    if (KILLER_AT) await expectKilled(bring, other, KILLER_AT)
    const told = JSON.parse(await run(other, bring, TZ ? { TZ } : {})) as { notes: string[] }
    expect(told.notes.filter((note) => !/^skipped \d+ bars: derived bars/.test(note))).toEqual([])
    const sql = `SELECT * EXCLUDE (request_id, loaded_at) FROM ${relation} ORDER BY ALL`
    const rows = await ask(join(other, 'data'), sql)
    expect(rows.length).toBeGreaterThan(10)
    expect(rows).toEqual(await ask(join(home, 'data'), sql))
  }
  // Declared actions; corrected by a second file, in short: test/import/corporate-actions.test.ts.
  const actions = join(other, 'actions.csv')
  const declare = async (row: string) => {
    writeFileSync(actions, `symbol,ex_date,kind,ratio,amount,is_withdrawn\n${row}\n`)
    await run(other, ['import', 'corporate_actions', actions])
  }
  if (LONG) await declare(`FPT,${LAST},cash_dividend,,1000,\nHPG,${LAST},bonus,0.1,,`)
  await declare(`FPT,${LAST},cash_dividend,,1500,\nHPG,${LAST},bonus,,,true`)
  const declared = await ask(
    join(other, 'data'),
    'SELECT symbol, state, remark FROM mart.adjustment_event ORDER BY symbol',
  )
  expect(declared).toEqual([{ symbol: 'FPT', state: 'declared', remark: 'no reference price to compare' }])
  const before = await hashes(other)
  for (const entry of readdirSync(join(other, 'data')))
    if (entry !== 'raw') rmSync(join(other, 'data', entry), { recursive: true })
  await run(other, ['replay'])
  await run(other, ['publish'])
  expect(await hashes(other)).toEqual(before)

  // What the service said stays, though a file says otherwise.
  const said = await restorableHashes(home)
  writeFileSync(join(home, 'lies.csv'), `symbol,trading_date,close\nFPT,${FIRST},7\nFPT,${LAST},7\n`)
  const lies = ['import', 'securitiesSummary', 'lies.csv']
  expect(JSON.parse(await run(home, [...lies, '--dry-run', '--json']))).toMatchObject({
    rows: 2,
    standing: 2,
  })
  expect(await run(home, lies)).toContain('skipped 2 rows of 2 sessions: already stored from the service')
  expect(await restorableHashes(home)).toEqual(said)
})
