import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cli } from '../support/program.js'
import { hashes } from './support/hashes.js'
import { afterEve, expectCode, FIRST, LAST, night, rowsOf, service } from './support/nights.js'

interface Told {
  exitCode: number
  checks: {
    breaks: { rule: number; severity: string; expected: string; actual: string }[]
    withheld: { relation: string; tradingDate: string; rule: number; since: string; keys: string[] | null }[]
  }
}

/** Shares that are not in the summary: more than the hundredth that rule 8 allows sums of minutes. */
const EXTRA = 10_000_000

const isClosingAuction = (row: object): boolean =>
  String((row as { tradingDate: string }).tradingDate).includes('14:45')

const sessions =
  "select distinct trading_date from market.candle where timeframe = '1d' and symbol = 'HPG' order by 1"

test('a wrong digit withholds the bars of its symbol and session, until the service corrects it or a person overrides the rule', async () => {
  const standIn = await service()
  const cwd = await afterEve()
  standIn.setOptions({
    mutateRow: (_, row, request) =>
      request.query.timeFrame === '1m' && request.query.symbol === 'HPG' && isClosingAuction(row)
        ? { ...row, volume: String(Number((row as { volume: string }).volume) + EXTRA) }
        : row,
  })
  const ran = await night(standIn, cwd)
  expectCode(ran, 4)
  const { checks } = ran.json<Told>()
  const broken = checks.breaks.find(({ rule }) => rule === 8)
  expect(broken).toMatchObject({ rule: 8, severity: 'error' })
  expect(Number(broken?.actual) - Number(broken?.expected)).toBe(EXTRA)
  expect(checks.withheld).toMatchObject([
    { relation: 'market.candle', tradingDate: LAST, rule: 8, keys: ['HPG'] },
  ])
  // Readers keep the session before; the summary of the session confirms its volume by its value, and is published.
  expect(await rowsOf(cwd, sessions)).toEqual([{ trading_date: FIRST }])
  expect(await rowsOf(cwd, sessions.replace('HPG', 'FPT'))).toHaveLength(2)
  expect(
    await rowsOf(cwd, "select max(trading_date) as day from market.daily_summary where symbol = 'HPG'"),
  ).toEqual([{ day: LAST }])
  const status = await cli(['status'], { cwd })
  expect(status.stdout).toMatch(/rule 8 is broken .*market\.candle of HPG as before/)
  const [offender] = await rowsOf<{ key: string }>(
    cwd,
    "select key from recon.offender where rule = 8 and state = 'break'",
  )
  const traced = await cli(['trace', 'market.candle', offender?.key ?? ''], { cwd })
  expect([traced.code, traced.stderr]).toEqual([2, expect.stringContaining('is withheld: rule 8')])

  const refused = await cli(['publish', '--accept', '13', '--because', 'never mind'], { cwd })
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('rule 13 has no open finding')])
  const unexplained = await cli(['publish', '--accept', '8'], { cwd })
  expect([unexplained.code, unexplained.stderr]).toEqual([2, expect.stringContaining('given together')])
  expect((await cli(['publish'], { cwd })).code).toBe(4)
  expectCode(await cli(['publish', '--accept', '8', '--because', 'the broker confirmed it'], { cwd }), 0)
  expect(await rowsOf(cwd, sessions)).toEqual([{ trading_date: FIRST }, { trading_date: LAST }])
  expect(await rowsOf(cwd, 'select rule, trading_date, because from recon.acceptance')).toEqual([
    { rule: 8, trading_date: LAST, because: 'the broker confirmed it' },
  ])
  // What was accepted stays accepted by the night after, and survives the loss of everything but raw/.
  expectCode(await night(standIn, cwd), 0)
  const whole = await hashes(cwd)
  for (const entry of readdirSync(join(cwd, 'data')))
    if (entry !== 'raw') rmSync(join(cwd, 'data', entry), { recursive: true })
  for (const verb of ['replay', 'publish']) expectCode(await cli([verb], { cwd }), 0)
  expect(await hashes(cwd)).toEqual(whole)
})
