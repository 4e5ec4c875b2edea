import { readdirSync } from 'node:fs'
import { readDay, whole } from 'candlehouse-foundation/command-line/argument'
import { InvalidArgumentError } from 'commander'
import { describe, expect, test } from 'vitest'
import { readEvening, symbolList } from '../../src/cli/argument.js'
import { createProgram } from '../../src/cli/program.js'
import { withVerbFirst } from '../../src/cli/verb.js'
import type { PlanView } from '../../src/run/jobs/dry-run.js'
import { fakeEffects } from '../support/effects.js'
import { temporaryFolder } from '../support/folder.js'
import { edgeOf, watchedTerminal } from '../support/program.js'
import { say } from './support/program.js'

async function plan(...args: string[]): Promise<PlanView> {
  const said = await say(['plan', ...args, '--json'], temporaryFolder())
  expect(said.err).toBe('')
  return JSON.parse(said.out) as PlanView
}

const requests = (view: PlanView) => view.stages.flatMap((stage) => stage.requests)

describe('options that all verbs have', () => {
  test.each([
    ['--json status', 'status --json'],
    ['--home x --quiet sql FROM', 'sql FROM --home x --quiet'],
    ['--home x sql -- --FROM', 'sql --home x -- --FROM'],
    ['--home=sql nightly --date d', 'nightly --home=sql --date d'],
    ['--home x config show', 'config show --home x'],
    ['--home sql nightly', 'nightly --home sql'],
    ['status --json', 'status --json'],
    ['--help', '--help'],
    ['--version --json', '--version --json'],
    ['--date d nightly', '--date d nightly'],
    ['--home', '--home'],
    ['--json', '--json'],
    ['--json --help', '--json --help'],
  ])('%s is read as %s', (typed, read) => expect(withVerbFirst(typed.split(' '))).toEqual(read.split(' ')))

  test('may stand before the verb', async () => {
    const folder = temporaryFolder()
    const said = await say(['--home', 'elsewhere', '--json', 'config', 'show'], folder)
    expect([said.err, said.out]).toEqual(['', expect.stringContaining('elsewhere')])
  })
})

describe('values of options', () => {
  test.each(['2025-03-14', '2024-02-29'])('%s is a day', (text) => expect(readDay(text)).toBe(text))

  test.each([
    '2025-02-29',
    '2025-13-01',
    '2025-3-14',
    '2025/03/14',
    '20250314',
    '',
    'today',
    '2025-03-14T00',
  ])("'%s' is not a day", (text) => expect(() => readDay(text)).toThrow(InvalidArgumentError))

  test.each([
    ['FPT', ['FPT']],
    ['FPT,VNM', ['FPT', 'VNM']],
    [' FPT , VNM ,', ['FPT', 'VNM']],
    ['FPT,FPT', ['FPT']],
    ['fpt,FPT', ['fpt', 'FPT']],
  ])("'%s' names symbols", (text, symbols) => expect(symbolList(text)).toEqual(symbols))

  test.each(['', ',', ' , '])("'%s' names no symbol", (text) =>
    expect(() => symbolList(text)).toThrow(InvalidArgumentError),
  )

  test.each([
    ['2025-03-14', '2025-03-14T23:59:59.999999+07:00'],
    ['2025-03-14T18:00+07:00', '2025-03-14T18:00:00+07:00'],
    ['2025-03-14 18:00:01.5+07', '2025-03-14T18:00:01.5+07:00'],
    ['2025-03-14T18:00:00-0330', '2025-03-14T18:00:00-03:30'],
    ['2025-03-14T11:00Z', '2025-03-14T11:00:00Z'],
  ])("'%s' is an evening", (text, instant) => expect(readEvening(text)).toBe(instant))

  test.each([
    '2025-03-14T18:00',
    '2025-03-14T24:00Z',
    '2025-03-14T18:60Z',
    '2025-03-14T18:00+15:00',
    '2025-02-29T18:00Z',
    '2025-02-29',
    '20250314',
    'tomorrow',
    '',
  ])("'%s' is not an evening", (text) => expect(() => readEvening(text)).toThrow(InvalidArgumentError))

  test.each(['0', '251', '-1', '1.5', '1e2', '0x10', '', ' 5', 'five'])(
    "'%s' is not a number from 1 to 250",
    (text) => expect(() => whole(1, 250)(text)).toThrow('from 1 to 250'),
  )

  test('whole numbers are read exactly', () => {
    expect(whole(1, 250)('250')).toBe(250)
    expect(whole(0)('0')).toBe(0)
    expect(() => whole(0)('99999999999999999999')).toThrow('of at least 0')
  })
})

test('the instant of the page is answered', async () => {
  const sql = ['sql', '--as-known-on', '2025-03-14T18:00+07:00', 'FROM market.candle']
  expect((await say(sql, temporaryFolder())).err).toContain('nothing is published yet')
  const receipt = await say(
    ['export', 'market.candle', '--out', 'x.csv', '--receipt', 'r.json'],
    temporaryFolder(),
  )
  expect(receipt.err).toContain('--receipt says what was known on an evening, and none is given')
})

describe('every verb', async () => {
  const { terminal } = watchedTerminal()
  const edge = { ...edgeOf(terminal, { cwd: '/nowhere' }), endWith: () => undefined }
  const leaves = (await createProgram(edge, fakeEffects(), undefined)).commands.flatMap((command) =>
    command.commands.length > 0 ? command.commands : [command],
  )

  test.each(leaves.map((command) => [command.name(), command] as const))(
    '%s takes --json, --quiet and --home, and has a help text',
    (_, command) => {
      const options = command.options.map((option) => option.long)
      expect(options).toEqual(expect.arrayContaining(['--json', '--quiet', '--home']))
      expect(command.description()).not.toBe('')
      for (const option of command.options) expect(option.description, option.flags).not.toBe('')
    },
  )
})

describe('a plan', () => {
  test('of the nightly is for the latest session that has closed, and five sessions', async () => {
    const view = await plan()
    expect(view).toMatchObject({ job: 'nightly', tradingDate: '2025-03-14' })
    const summaries = requests(view).filter(({ dataset }) => dataset === 'securitiesSummary')
    expect(summaries).toMatchObject([{ key: '*', from: '2025-03-10', to: '2025-03-14' }])
  })

  test('is the same as with --dry-run', async () => {
    const args = ['--date', '2025-03-12', '--sessions', '2', '--json']
    const home = temporaryFolder()
    const dry = await say(['nightly', '--dry-run', ...args], home)
    expect(await say(['plan', ...args], home)).toEqual(dry)
    expect(await say(['plan', 'nightly', ...args], home)).toEqual(dry)
    expect(readdirSync(home)).toEqual([])
  })

  test('counts sessions, not days', async () => {
    const view = await plan('--date', '2025-03-10', '--sessions', '2')
    const [summary] = requests(view).filter(({ dataset }) => dataset === 'securitiesSummary')
    expect(summary).toMatchObject({ from: '2025-03-07', to: '2025-03-10' })
  })

  test('shows the number of requests, and how long they take at the highest rate', async () => {
    const home = temporaryFolder()
    const said = await say(['plan', '--json', '--base-url', 'http://127.0.0.1:9', '--max-rps', '2'], home)
    const view = JSON.parse(said.out) as PlanView
    const counted = view.stages.flatMap(({ datasets }) => datasets).reduce((sum, { pages }) => sum + pages, 0)
    expect(view.pages).toBe(counted)
    expect(view.seconds).toBe(Math.ceil(view.pages / 2))
    expect((await plan()).seconds).toBeNull()
  })

  test('of a backfill beyond one year skips intraday data, and lists what it skips', async () => {
    const view = await plan('backfill', 'ohlc', '--from', '2023-03-01', '--timeframe', '5m')
    expect(view.leftOut.length).toBeGreaterThan(0)
    for (const left of view.leftOut) {
      expect(left.dataset).toBe('ohlc')
      expect(left.to < '2024-03-14').toBe(true)
      expect(left.why).toContain('one year')
    }
    const candles = requests(view).filter(({ dataset }) => dataset === 'ohlc')
    expect(candles.every(({ from }) => from >= '2024-03-14')).toBe(true)
  })

  test.each([
    [['nightly', 'ohlc'], 'takes no dataset'],
    [['nightly', '--from', '2025-03-10'], 'not --from and --to'],
    [['nightly', '--timeframe', '5m'], '--timeframe'],
    [['backfill', 'ohlc', '--sessions', '9'], '--sessions'],
    [['backfill'], 'needs a dataset'],
    [['backfill', 'candles'], 'Allowed choices'],
    [['snapshot'], 'Allowed choices'],
    [['--date', '2025-03-16'], 'is in the future'],
    [['backfill', 'ohlc', '--to', '2025-03-15'], 'after the trading date'],
    [['backfill', 'ohlc', '--timeframe', '2m'], 'Allowed choices'],
  ])('%j is refused as the job refuses it', async (args, words) => {
    const said = await say(['plan', ...args], temporaryFolder())
    expect([said.code, said.out]).toEqual([2, ''])
    expect(said.err).toContain(words)
    expect(said.err).toContain('\n  next: ')
  })
})

test('--date may be today, but not later', async () => {
  const home = temporaryFolder()
  expect((await say(['nightly', '--dry-run', '--quiet', '--date', '2025-03-15'], home)).code).toBe(0)
  expect((await say(['nightly', '--dry-run', '--date', '2025-03-16'], home)).code).toBe(2)
})

test('--quiet prints data but no messages', async () => {
  const home = temporaryFolder()
  expect(await say(['plan', '--quiet'], home)).toEqual({ code: 0, out: '', err: '' })
  const both = await say(['plan', '--quiet', '--json'], home)
  expect(JSON.parse(both.out)).toMatchObject({ job: 'nightly' })
  const failed = await say(['plan', '--quiet', '--date', '2025-03-16'], home)
  expect(failed.err).toContain('is in the future')
})

test.each([
  [['export', '--for', 'qlibb', '--out', 'q'], 'lean, nautilus, qlib, zipline. Did you mean qlib?'],
  [['export', '--for', 'NAUTILUS', '--out', 'q'], 'Did you mean nautilus?'],
  [['export', '--for', 'backtrader', '--out', 'q'], 'lean, nautilus, qlib, zipline.\n'],
  [['export', 'market.candle', '--timeframe', '2m', '--out', 'q.csv'], '1h, 1d.\n'],
  [['export', 'market.candle', '--out', '-'], "candlehouse sql --csv 'from market.candle'"],
])('%j names the choice that was meant', async (args, words) => {
  const said = await say(args, temporaryFolder())
  expect([said.code, said.err]).toEqual([2, expect.stringContaining(words)])
})

test('a mistake below a verb names the help of the command that was typed', async () => {
  const said = await say(['schedule', 'print', 'launchd'], temporaryFolder())
  expect([said.code, said.err]).toEqual([
    2,
    expect.stringContaining('next: candlehouse schedule print --help'),
  ])
})
