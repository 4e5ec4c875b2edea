import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildMarket, type StandIn, startStandIn } from '../standin/index.js'
import { anyText } from '../support/any-text.js'
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli, type Ran } from '../support/program.js'
import { towards } from './support/cli.js'
import { restorableHashes } from './support/hashes.js'
import { expectCode, LAST, LOW_JITTER, rowsOf, SESSIONS } from './support/nights.js'

/** What no board lists, and what a path, an address, SQL, HTML, a terminal or a property name trips over. */
const NAMES = [
  'VN30F2412',
  ' fpt ',
  'fpt',
  '__proto__',
  'constructor',
  'X'.repeat(300),
  '../x',
  '..',
  'a\nb',
  '*',
  "a'b",
  'a"b',
  "'\n;DROP",
  '--',
  '\u001b[31mred',
  '\u202eevil',
  '\u0000',
  '<script>',
  '=1+1',
  '%2e%2e',
  '&symbol=HPG',
  '#',
  '?',
  '\\',
  `\${x}`,
  '$1',
  'B\ufeffOM',
  'A\u00a0B',
  '\u{1f600}',
  'null',
  '0',
]

const DRAWN = anyText({ minLength: 1, maxLength: 12 })

/** @param seed of the names that are drawn beside the fixed ones */
function namesOf(seed: number): string[] {
  // DuckDB's package for Node leaves a byte order mark at the start of a text out when it reads it; stored it is.
  const drawn = fc.sample(DRAWN, { seed, numRuns: 10 }).filter((name) => !name.startsWith('\ufeff'))
  return [...new Set([...NAMES, ...drawn])]
}

async function service(names: readonly string[], more: readonly string[] = []): Promise<StandIn> {
  const market = buildMarket({ sessions: [...SESSIONS], extraSymbols: [...more] })
  const standIn = await startStandIn({ market, otherSide: 'absent' })
  onEnd(() => standIn.close())
  const { positions, openContracts, orders, conditional, histories } = standIn.accounts
  const [[position], [contract], [order], [strategy]] = [positions, openContracts, orders, conditional]
  if (!position || !contract || !order || !strategy) throw new Error('the stand-in has no accounts')
  names.forEach((symbol, nth) => {
    positions.push({ ...position, symbol })
    openContracts.push({ ...contract, symbol })
    orders.push({ ...order, symbol, orderId: `order-${nth}` })
    conditional.push({ ...strategy, symbol, fcoId: symbol })
    Object.defineProperty(histories, symbol, { value: histories['fco-1'], enumerable: true })
  })
  return standIn
}

async function run(
  args: readonly string[],
  standIn: StandIn,
  cwd: string,
  writesReport = false,
): Promise<Ran> {
  const env = towards(standIn, { BROKER_OTP: standIn.otp })
  return await cli([...args], { cwd, env, effects: LOW_JITTER, writesReport })
}

const NIGHT = ['nightly', '--date', LAST, '--sessions', '2']

async function symbolsIn(cwd: string, relation: string, column = 'symbol'): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(cwd, `SELECT DISTINCT ${column} AS name FROM ${relation}`)
  return rows.map(({ name }) => name).sort()
}

const RELATIONS = [
  'equity_position',
  'derivative_position',
  'derivative_position_summary',
  'order_book',
  'conditional_order',
]

/** Numbers of accounts. */
const NUMBERS = ["a'b", "x\nb' OR true --", '../x', '__proto__', '\u001b[31mred', 'a b', '<b>', 'é']

/** The account numbers too hold something. */
function addAccounts({ accounts }: StandIn): void {
  const [position] = accounts.positions
  for (const accountNo of NUMBERS) {
    accounts.accounts.push({ accountNo, accountType: 'SAVINGS' as 'CASH' })
    accounts.positions.push({ ...position, accountNo } as (typeof accounts.positions)[number])
  }
}

describe('names of the service are stored as they are', () => {
  test.each(LONG ? [1, 2, 3, 4, 5, 6, 7, 8] : [1])(
    'of holdings, orders and accounts, drawing %i: the report, the explanation and the books have them too',
    async (seed) => {
      const names = namesOf(seed)
      const standIn = await service(names)
      addAccounts(standIn)
      const cwd = temporaryFolder()
      const ran = await run(NIGHT, standIn, cwd, true)
      expectCode(ran, 0)
      expect(ran.stderr).not.toContain('was not written')
      for (const relation of RELATIONS)
        expect(await symbolsIn(cwd, `account.${relation}`)).toEqual(expect.arrayContaining([...names].sort()))
      expect(await symbolsIn(cwd, 'account.conditional_order_event', 'fco_id')).toEqual(
        expect.arrayContaining([...names].sort()),
      )
      expect(await symbolsIn(cwd, 'account.snapshot', 'state')).toEqual(['complete'])
      // No board lists them: there is no close to ask a quantity at, and nothing is asked.
      expect(standIn.requests.filter(({ query }) => names.includes(query.symbol ?? ''))).toEqual([])
      expect(await symbolsIn(cwd, 'account.max_quantity')).toEqual(['41I1F4000', 'FPT', 'HPG', 'PVS'])
      expect(readFileSync(join(cwd, 'data/reports/latest.html'), 'utf8')).not.toContain('<script>,')

      expect(await symbolsIn(cwd, 'account.equity_position', 'account_no')).toEqual(
        expect.arrayContaining([...NUMBERS].sort()),
      )
      for (const number of LONG ? NUMBERS : NUMBERS.slice(0, 4)) {
        const explained = await cli(['reconcile', '--explain', number, '--json'], { cwd })
        expect([explained.code, explained.json()]).toEqual([0, expect.objectContaining({ account: number })])
      }
      const out = join(cwd, 'books.beancount')
      const books = await cli(['export', 'ledger', '--format', 'beancount', '--out', out, '--partial'], {
        cwd,
      })
      expectCode(books, 0)
      const opened = readFileSync(out, 'utf8')
        .split('\n')
        .filter((line) => line.includes(' open '))
      for (const line of opened)
        expect(line).toMatch(/^\d{4}-\d\d-\d\d open [A-Z][A-Za-z]+(:[A-Z0-9][A-Za-z0-9-]*)+$/)
      expect(new Set(opened).size).toBe(opened.length)

      if (!LONG) return
      const before = await restorableHashes(cwd)
      expectCode(await cli(['replay'], { cwd, env: towards(standIn) }), 0)
      expectCode(await cli(['publish'], { cwd, env: towards(standIn) }), 0)
      expect(await restorableHashes(cwd)).toEqual(before)
    },
  )

  test.runIf(LONG)('a snapshot alone fetches the lists, and asks only for what they have', async () => {
    const standIn = await service(NAMES)
    const cwd = temporaryFolder()
    expectCode(await run(['snapshot', '--date', LAST], standIn, cwd), 0)
    expect(standIn.count('/securitiesByBoard')).toBe(3)
    expect(await symbolsIn(cwd, 'account.equity_position')).toEqual([...NAMES, 'FPT', 'HPG', 'PVS'].sort())
    const asked = standIn.requests.flatMap(({ path, query }) =>
      path.endsWith('/securitiesSummary') ? [query.symbol] : [],
    )
    expect(asked.sort()).toEqual(['41I1F4000', 'FPT', 'HPG', 'PVS'])
  })

  // In short: test/e2e/nightly.test.ts and test/load/quarantine.test.ts.
  test.runIf(LONG)('of lists and summaries: what a board lists is asked for by its name', async () => {
    const names = NAMES.filter((name) => !/^VN30F|^\*$/.test(name))
    const standIn = await service(names, names)
    const cwd = temporaryFolder()
    expectCode(await run(NIGHT, standIn, cwd), 0)
    for (const relation of [
      'market.security',
      'market.daily_summary',
      'market.price_limit',
      'account.max_quantity',
    ])
      expect(await symbolsIn(cwd, relation)).toEqual(expect.arrayContaining([...names].sort()))
  })
})

// In short: test/e2e/answers.test.ts.
test.runIf(LONG)('a name that a user types is still checked', async () => {
  const standIn = await service(['vcb'])
  const ran = await run(['nightly', '--date', LAST, '--symbols', 'vcb'], standIn, temporaryFolder())
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('no such symbol: vcb (nearest: VCB)')])
})
