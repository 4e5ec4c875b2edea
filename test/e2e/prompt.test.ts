import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/package.js'
import type { StandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { cli } from '../support/program.js'
import {
  CTRL_C,
  CTRL_D,
  onPseudoTerminal,
  type PseudoTerminal,
  TAB,
  withoutPseudoTerminal,
} from '../support/pseudo-terminal.js'
import { towards } from './support/cli.js'
import { afterEve, expectCode, service } from './support/nights.js'

const READY = 'candlehouse> '
const missing = withoutPseudoTerminal()

describe.skipIf(missing !== undefined)(
  `the prompt on a terminal${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    let cwd: string
    let env: Record<string, string | undefined>
    let standIn: StandIn
    beforeAll(async () => {
      cwd = await afterEve()
      standIn = await service()
      env = towards(standIn)
    })

    function open(more: Record<string, string> = {}, flags = ''): PseudoTerminal {
      const main = join(packageRoot, 'dist/src/main.js')
      return onPseudoTerminal(`${process.execPath} ${main} sql ${flags}`, {
        cwd,
        env: { ...env, HOME: cwd, PAGER: '', BROKER_API_SECRET: 'c4nary-secret', ...more },
      })
    }

    test('runs statements over several lines, completes names, cancels, follows the catalog, and knows its statements again', async () => {
      const terminal = open()
      expect(await terminal.type('', READY)).toContain('publication 1 of ')
      await terminal.type('select count(*) -- rows\r', '...> ')
      expect(await terminal.type('from candle;\r', READY)).toMatch(/count_star\(\)\n─+\n +\d+\n/)
      expect(await terminal.type('describe candle;\r', READY)).toMatch(/opened_at +TIMESTAMP WITH TIME ZONE/)
      expect(await terminal.type('show tables;\r', READY)).toContain('mart.daily_adjusted')

      expect(
        await terminal.type(`select board from market.security_h${TAB}`, 'security_history'),
      ).toBeDefined()
      await terminal.type(CTRL_C, `^C\n${READY}`)

      expect(await terminal.type('from candel;\r', READY)).toContain('Did you mean "candle"?')
      expect(await terminal.type("select 'c4nary-secret';\r", READY)).toContain('c4nary')

      expect(await terminal.type('.tables\r', READY)).toContain('mart.daily_adjusted')
      writeFileSync(join(cwd, 'two.sql'), 'select 1234567.50 as price; -- one\nselect 8 as eight')
      const read = await terminal.type('.read two.sql\r', READY)
      expect(read).toMatch(/1,234,567\.5\n/)
      expect(read).toMatch(/eight\n─+\n +8\n/)
      expect(await terminal.type('.read none.sql\r', READY)).toContain('there is no file')
      await terminal.type('.once price.csv\r', READY)
      expect(await terminal.type('select 1234567.50 as price;\r', READY)).toContain('1 row written to')
      expect(readFileSync(join(cwd, 'price.csv'), 'utf8')).toBe('price\r\n1234567.50\r\n')
      await terminal.type('.output all.txt\r', READY)
      await terminal.type('.read two.sql\r', READY)
      await terminal.type('.output\r', READY)
      expect(readFileSync(join(cwd, 'all.txt'), 'utf8')).toBe(
        '     price\n──────────\n1234567.50\neight\n─────\n    8\n',
      )
      await terminal.type('.once no/such/folder.csv\r', READY)
      expect(await terminal.type('select 1;\r', READY)).toContain('cannot write')

      await terminal.type('.timing on\r', READY)
      expect(await terminal.type('select 7 as seven;\r', READY)).toMatch(/seven\n─+\n +7\n1 row in \d/)
      const wide = await terminal.type("select * from security where symbol = 'FPT';\r", READY)
      expect(wide).toMatch(/\nsymbol +FPT\n/)

      const endless = 'select count(*) from range(10000000000) a, range(10000000000) b;\r'
      await terminal.type(endless, 'b;\n')
      expect(await terminal.type(CTRL_C, READY)).toContain('cancelled')

      writeFileSync(join(cwd, 'daily.csv'), 'symbol,trading_date,close\nFPT,2025-03-14,120000\n')
      expectCode(await cli(['import', 'market.daily_summary', 'daily.csv'], { cwd }), 0)
      const after = await terminal.type('select max(trading_date) as latest from daily_summary;\r', READY)
      expect(after).toContain('publication 2 of ')
      expect(after).toContain('2025-03-14')
      await terminal.type(CTRL_D, '\n')
      expect(await terminal.ended).toBe(0)

      const file = join(cwd, '.local/state/candlehouse/sql_history')
      expect(statSync(file).mode & 0o777).toBe(0o600)
      const kept = readFileSync(file, 'utf8')
      expect(kept.split('\n')[0]).toBe('select count(*) from candle;')
      expect(kept).not.toContain('c4nary')

      const again = open()
      await again.type('', READY)
      expect(await again.type('\x1b[A', 'latest from daily_summary;')).toBeDefined()
      await again.type(`${CTRL_C}${CTRL_D}`, '\n')
      expect(await again.ended).toBe(0)
    })

    test('a long result goes through the pager, which the person may leave before its end', async () => {
      const terminal = open({ PAGER: 'head -n 3' }, '--time')
      await terminal.type('', READY)
      const shown = await terminal.type('select * from range(1000000);\r', READY)
      expect(shown).toMatch(/range\n─+\n +0\n/)
      expect(shown).not.toContain(' 100\n')
      expect(await terminal.type('select 8;\r', READY)).toMatch(/ 8\n|\n8\n/)
      await terminal.type('.quit\r', '\n')
      expect(await terminal.ended).toBe(0)
    })

    test('a paste of several lines has its results below it, and what is typed on behind the next prompt', async () => {
      const terminal = open()
      await terminal.type('', READY)
      const one = await terminal.type('select 1\n  as pasted,\n  2 as too;\n', READY)
      expect(one).toMatch(/\npasted +too\n─+ +─+\n +1 +2\n/)
      expect(one).not.toContain('...>')
      const two = await terminal.type('select 3 as three;\nselect 4 as four;\nselect 5', `${READY}select 5`)
      expect(two).toMatch(/three\n─+\n +3\n.*four\n─+\n +4\n/s)
      expect(two.split(READY)).toHaveLength(2)
      expect(await terminal.type(' as five;\r', READY)).toMatch(/\nfive\n─+\n +5\n/)

      expect(await terminal.type('THREE\x12', 'select 3 as three;')).toBeDefined()
      expect(await terminal.type('\r', READY)).toMatch(/\nthree\n─+\n +3\n/)
      await terminal.type(CTRL_D, '\n')
      expect(await terminal.ended).toBe(0)
    })

    test('--time prints the time of a statement on stderr, also outside the prompt', async () => {
      const { code, stdout, stderr } = await cli(['sql', '--time', '--csv', 'select 1 as one'], { cwd, env })
      expect([code, stdout]).toEqual([0, 'one\r\n1\r\n'])
      expect(stderr).toMatch(/^1 row in \d+\.\d{3} s\n$/)
    })
  },
)

test('where results do not go to a terminal, there is no prompt', async () => {
  const ran = await cli(['sql'], { cwd: temporaryFolder(), typed: ['select 1;'] })
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('does not go to a terminal')])
})
