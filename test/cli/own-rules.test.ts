import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OwnProcess } from '../../src/mine/own-process.js'
import { sharedHome } from '../support/shared-home.js'
import { folderWith, rowsOf, run, writeInHome } from './support/own-home.js'

const kept = sharedHome()

const workingFolder = (files?: Record<string, string>): string => folderWith(kept.home, files)

/** A rule that each bar of a minute breaks. */
function ruleOf(
  severity: string,
  { number = 1000, result = "'break'", from = 'market.candle' } = {},
): string {
  return `-- rule: ${number}
-- title: there are no bars
-- severity: ${severity}
SELECT trading_date, 'market' AS subject, 'market.candle' AS relation,
  json_object('symbol', symbol, 'trading_date', trading_date) AS key,
  'none' AS expected, volume AS actual, 1.5 AS residual, ${result} AS result
FROM ${from} WHERE timeframe = '1m'`
}

const FINDINGS = `SELECT rule::INT AS rule, title, severity, state, offenders::INT AS offenders FROM recon.finding WHERE rule >= 1000 ORDER BY rule`
const BARS = `SELECT count(*)::INT AS bars FROM market.candle WHERE timeframe = '1m'`

describe('rules of the user’s own', () => {
  test('report with their name, beside ours; a rule of severity warn withholds nothing; mine check runs their cases, mine new rule gives the next number', async () => {
    const cwd = workingFolder({
      'sql/rules/no_bars.sql': ruleOf('warn'),
      'sql/rules/bars.sql': ruleOf('error', { number: 1001, result: "'pass'" }),
      'sql/cases/no_bars/one/market.candle.csv':
        'symbol,timeframe,opened_at,trading_date,volume\nAAA,1m,2025-03-13 09:15:00+07,2025-03-13,100\n',
      'sql/cases/no_bars/one/expected.csv': 'result,actual\nbreak,100\n',
    })
    const { code, stderr } = await run(cwd, 'publish')
    expect(code, stderr).toBe(0)
    expect(await rowsOf(cwd, FINDINGS)).toEqual([
      {
        rule: 1000,
        title: 'mine.no_bars: there are no bars',
        severity: 'warn',
        state: 'break',
        offenders: 1,
      },
      { rule: 1001, title: 'mine.bars: there are no bars', severity: 'error', state: 'pass', offenders: 0 },
    ])
    expect(await rowsOf(cwd, BARS)).toEqual([{ bars: 1 }])
    const [row] = await rowsOf(cwd, 'SELECT relation, key, actual FROM recon.offender WHERE rule = 1000')
    expect(row).toMatchObject({ relation: 'market.candle', actual: '9007199254740993' })

    const created = await run(cwd, 'mine', 'new', 'rule', 'unusual')
    expect(created.code, created.stderr).toBe(0)
    const checked = await run(cwd, 'mine', 'check')
    expect([checked.code, checked.stdout]).toEqual([
      0,
      expect.stringContaining('warn: there are no bars (1 break it)'),
    ])
    expect(checked.stdout).toContain('1 of 1 case as expected')
    expect(checked.stdout).toContain('mine.unusual')
    await using apart = new OwnProcess()
    const { rules, problems } = await apart.bind(join(cwd, 'data'))
    expect([rules.map(({ head }) => head.number).sort(), problems]).toEqual([[1000, 1001, 1002], []])
  })

  test('of severity error withhold the rows that they name, also while their file is broken; and give them back with it', async () => {
    const cwd = workingFolder({ 'sql/rules/no_bars.sql': ruleOf('error') })
    const withheld = await run(cwd, 'publish')
    expect(withheld.code).toBe(4)
    expect(withheld.stdout + withheld.stderr).toContain('mine.no_bars')
    // Of other faults: own-sql-hostile.test.ts.
    writeInHome(cwd, 'sql/rules/no_bars.sql', ruleOf('error', { from: 'market.candel' }))
    const broken = await run(cwd, 'check', '--date', '2025-03-14')
    expect(broken.stdout + broken.stderr).toContain('sql/rules/no_bars.sql')
    expect((await run(cwd, 'publish')).code).toBe(4)
    writeInHome(cwd, 'sql/rules/no_bars.sql', ruleOf('error'))
    const overridden = await run(cwd, 'publish', '--accept', '1000', '--because', 'the bars are right')
    expect(overridden.code, overridden.stderr).toBe(0)
    expect(await rowsOf(cwd, BARS)).toEqual([{ bars: 1 }])
    rmSync(join(cwd, 'data/sql/rules/no_bars.sql'))
    await run(cwd, 'check', '--date', '2025-03-14')
    expect((await run(cwd, 'publish')).code).toBe(0)
    expect(await rowsOf(cwd, FINDINGS)).toEqual([])
  })

  test('cannot end a run, write, or withhold with what is not theirs', async () => {
    const endless = ruleOf('error', { number: 1002 }).replace(
      "'none'",
      'repeat(repeat(symbol, 1000000), 3000)',
    )
    const cwd = workingFolder({
      'sql/rules/writes.sql': '-- rule: 1000\n-- title: x\n-- severity: error\nDROP TABLE market.candle',
      'sql/rules/reads_files.sql': ruleOf('error', { number: 1001, from: "read_csv('/etc/passwd')" }),
      'sql/rules/endless.sql': endless,
      'sql/rules/fails.sql': ruleOf('error', { number: 1003, result: "error('no')" }),
      'sql/rules/ours.sql': ruleOf('error', { number: 7 }),
      'sql/rules/of_mine.sql': ruleOf('error', { number: 1004, from: 'mine.bars' }),
      'sql/rules/elsewhere.sql': ruleOf('error', { number: 1005 }).replace(
        "'market.candle' AS",
        "'ops.run; x' AS",
      ),
      'sql/views/bars.sql': 'FROM market.candle',
    })
    const { code, stdout, stderr } = await run(cwd, 'publish')
    expect(code).toBe(0)
    const names = ['writes', 'reads_files', 'endless', 'fails', 'ours', 'of_mine']
    for (const name of names) expect(stdout + stderr).toContain(`sql/rules/${name}.sql`)
    expect(await rowsOf(cwd, BARS)).toEqual([{ bars: 1 }])
    expect(await rowsOf(cwd, FINDINGS)).toMatchObject([{ rule: 1005, state: 'not_evaluable' }])
  })
})
