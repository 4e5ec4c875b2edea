import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { createTerminal } from 'candlehouse-foundation/command-line/terminal'
import { systemEffects } from 'candlehouse-foundation/effects'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../test/support/folder.js'
import { type SandboxFlags, sandboxOptionsOf } from '../src/command/command-options.js'
import { createSandboxProgram } from '../src/command/program.js'
import { world } from '../src/market/world/world.js'
import type { SandboxOptions } from '../src/options.js'
import { type Caller, caller, type Row } from './caller.js'

let api: Caller | undefined
afterEach(() => api?.close())

const SUMMARY = '/api/v3/data/securitiesSummary'
const CASH = '0881234561'
const MARGIN = '0881234566'

async function optionsOf(...words: string[]): Promise<SandboxOptions> {
  const edge = {
    terminal: createTerminal({ stdout: new PassThrough(), stderr: new PassThrough() }),
    signal: new AbortController().signal,
  }
  const command = createSandboxProgram(edge, systemEffects)
    .action(() => undefined)
    .parse(words, { from: 'user' })
  return await sandboxOptionsOf(command.opts<SandboxFlags>())
}

async function start(...words: string[]): Promise<Caller> {
  api = await caller(await optionsOf(...words), { otp: true })
  return api
}

async function summary(symbol: string, day: string): Promise<Row> {
  const { body } = await (api as Caller).get(SUMMARY, { symbol, from: day, to: day })
  return body.data[0] ?? {}
}

async function position(accountNo: string, symbol: string): Promise<Row> {
  const { body } = await (api as Caller).get('/api/v3/trading/position', { accountNo })
  const { equity } = body.data as unknown as { equity: Row[] }
  return equity.find((row) => row.symbol === symbol) ?? {}
}

async function balanceOf(sandbox: Caller): Promise<Row> {
  const { body } = await sandbox.get('/api/v3/trading/accountBalance', { accountNo: CASH })
  return body.equity as unknown as Row
}

describe('a split', () => {
  it('divides the reference on its ex-date, and owners at the open get new shares', async () => {
    const sandbox = await start(
      '--date=2025-11-14',
      '--at=18:00',
      '--drive',
      '--ongoing',
      '--split=FPT,2025-11-17,2',
    )
    const before = await summary('FPT', '2025/11/14')
    const owned = Number((await position(CASH, 'FPT')).quantity)
    await sandbox.post('/sandbox/clock', { to: '2025-11-17T08:30:00+07:00' })
    expect(Number((await position(CASH, 'FPT')).dividendQuantity)).toBe(owned)
    await sandbox.post('/sandbox/clock', { to: '2025-11-17T18:00:00+07:00' })
    const after = await summary('FPT', '2025/11/17')
    expect(Number(after.close)).toBeGreaterThan(0.46 * Number(before.close))
    expect(Number(after.close)).toBeLessThan(0.54 * Number(before.close))
  })

  it('leaves the days before it, and other symbols, as they were', () => {
    const [plain, split] = [
      world('demo', 1),
      world('demo', 1, { splits: [{ symbol: 'FPT', day: '2025-11-17', ratio: 2 }] }),
    ]
    const session = plain.time.at('2025-11-14')
    const closes = (all: typeof plain, at: number, without = '') =>
      all
        .sheet(at)
        .filter(({ instrument }) => instrument.kind === 'stock' && instrument.symbol !== without)
        .map(({ close }) => close)
    expect(closes(split, session)).toEqual(closes(plain, session))
    expect(closes(split, session + 3, 'FPT')).toEqual(closes(plain, session + 3, 'FPT'))
  })
})

describe('a transfer', () => {
  const transfers = [{ symbol: 'ACV', day: '2025-11-17', board: 'HOSE' }] as const
  it('moves a stock from one list to another, at prices within the band of the new board', async () => {
    await start('--date=2025-11-20', '--transfer=ACV,2025-11-17,HOSE')
    const listed = await (api as Caller).get('/api/v3/data/securitiesByBoard', { symbol: 'ACV' })
    expect(listed.list.map(({ board }) => board)).toEqual(['HOSE'])
    const market = world('demo', 1, { transfers })
    const acv = market.find('ACV')
    const session = market.time.at('2025-11-17')
    if (!acv) throw new RangeError('ACV')
    for (const at of [session, session + 1, session + 2]) {
      const { floor, low, high, ceiling } = market.daily(acv, at)
      expect([floor <= low, high <= ceiling]).toEqual([true, true])
    }
    expect(market.members('VNINDEX', session).map(({ symbol }) => symbol)).toContain('ACV')
    expect(market.members('VNINDEX', session - 1).map(({ symbol }) => symbol)).not.toContain('ACV')
  })
})

describe('events that the market cannot have', () => {
  it.each([
    ['--split=NOPE,2025-11-17,2', '--split: NOPE is not a stock of the sandbox'],
    ['--split=FPT,2025-11-16,2', '--split: 2025-11-16 is not a session'],
    ['--split=FPT,2025-11-17,1', '--split: a ratio is from 1.2 to 10'],
    ['--transfer=FPT,2025-11-17,HOSE', '--transfer: FPT is on HOSE before 2025-11-17'],
    ['--transfer=MKC,2025-11-17,HNX', '--transfer: MKC moves once only'],
    ['--lending=FPTT=30', '--lending: FPTT is not a symbol of the sandbox'],
  ])('%s is refused at the start', async (word, problem) => {
    await expect(start(word)).rejects.toThrow(problem)
  })
  it.each([
    '--split=FPT,2',
    '--transfer=FPT,2025-11-17,NYSE',
    '--margin-ratios=30/40',
    '--lending=FPT=60',
    '--forced-sale=25:00',
    '--restate=FPT',
  ])('%s is refused by the command line', async (word) => {
    await expect(optionsOf(word)).rejects.toThrow()
  })
})

describe('the margin account', () => {
  const action = async (...words: string[]): Promise<unknown> => {
    const sandbox = await start('--date=2025-12-05', ...words)
    const { body } = await sandbox.get('/api/v3/trading/ppmmrAccount', { accountNo: MARGIN })
    return (body.equity as Row).action
  }
  it.each([
    [[], 'NONE'],
    [['--margin-ratios=70/50'], 'CALL'],
    [['--margin-ratios=80/70'], 'FORCESELL'],
    [['--margin-loan=0', '--margin-ratios=70/50'], 'NONE'],
  ])('with %j is in %s', async (words, expected) => {
    expect(await action(...words)).toBe(expected)
  })
})

describe('a margin call and a forced sale', () => {
  const figures = async (): Promise<Row> =>
    (await (api as Caller).get('/api/v3/trading/ppmmrAccount', { accountNo: MARGIN })).body
      .equity as unknown as Row
  const forcedOrders = async (): Promise<Row[]> => {
    const query = { accountNo: MARGIN, from: '2025-12-05', pageSize: '1000' }
    const { data } = (await (api as Caller).get('/api/v3/trading/orderBook', query)).body
    const { orderList } = data as unknown as { orderList: Row[] }
    return orderList.filter(({ clientRequestId }) => clientRequestId?.startsWith('FORCED'))
  }

  it('a call is met by paying in what it asks for, and by no less', async () => {
    const sandbox = await start('--date=2025-12-05', '--at=09:30', '--drive', '--margin-ratios=70/50')
    const called = await figures()
    expect(called.action).toBe('CALL')
    const amount = Number(called.marginCall)
    await sandbox.post('/sandbox/cash', { accountNo: MARGIN, amount: amount - 1_000 })
    expect(await figures()).toMatchObject({ action: 'CALL', marginCall: '1000' })
    await sandbox.post('/sandbox/cash', { accountNo: MARGIN, amount: 1_000 })
    expect(await figures()).toMatchObject({ action: 'NONE', marginCall: '0' })
  })

  it('money is paid out as far as it can be withdrawn', async () => {
    const sandbox = await start('--date=2025-12-05', '--at=09:30', '--drive')
    const cash = async () => Number((await balanceOf(sandbox)).withdrawable)
    const most = await cash()
    const refused = await sandbox.post('/sandbox/cash', { accountNo: CASH, amount: -most - 1 })
    expect([refused.status, await cash()]).toEqual([400, most])
    await sandbox.post('/sandbox/cash', { accountNo: CASH, amount: -most })
    expect(await cash()).toBe(0)
  })

  it('a forced sale begins at its time, sells what covers the debt, and ends the call', async () => {
    const sandbox = await start(
      '--date=2025-12-05',
      '--at=10:00',
      '--drive',
      '--margin-ratios=80/70',
      '--forced-sale=10:15',
    )
    const before = await figures()
    expect([before.action, (await forcedOrders()).length]).toEqual(['FORCESELL', 0])
    await sandbox.post('/sandbox/clock', { to: '2025-12-05T11:00:00+07:00' })
    const orders = await forcedOrders()
    expect(orders.length).toBeGreaterThan(0)
    expect(
      orders.every(({ side, inputTime }) => side === 'S' && String(inputTime) >= '2025/12/05 10:15'),
    ).toBe(true)
    const after = await figures()
    expect(after.action).toBe('NONE')
    const sold = Number(after.sellT0) - Number(before.sellT0)
    expect(sold).toBeGreaterThan(0.95 * Number(before.marginCallLMVSold))
    await sandbox.post('/sandbox/clock', { to: '2025-12-09T13:00:00+07:00' })
    expect(Number((await figures()).totalDebt)).toBeLessThan(Number(before.totalDebt) - 0.9 * sold)
  })

  it('what is lent on a share can be set', async () => {
    const sandbox = await start('--date=2025-12-05', '--lending=FPT=0', '--lending=HPG=20')
    const of = async (symbol: string) => {
      const query = { accountNo: MARGIN, symbol, price: '10000' }
      return ((await sandbox.get('/api/v3/trading/maxBuySell', query)).body.data as unknown as Row)
        .marginRatio
    }
    expect([await of('FPT'), await of('HPG'), await of('VNM')]).toEqual(['0', '0.2', '0.5'])
  })
})

describe('answers that are not the truth', () => {
  it('restate a value, of a day or of a minute', async () => {
    const sandbox = await start(
      '--restate=FPT,2025-11-19,close=13250',
      '--restate=FPT,2025-11-19 10:00:00,volume=',
    )
    const candles = async (timeFrame: string) =>
      await sandbox.get('/api/v3/data/ohlc', {
        symbol: 'FPT',
        timeFrame,
        from: '2025-11-19',
        to: '2025-11-19',
        pageSize: '400',
      })
    expect((await candles('1d')).body.data[0]?.close).toBe('13250')
    const minutes = (await candles('1m')).body.data
    expect(minutes.find(({ tradingDate }) => tradingDate === '2025/11/19 10:00:00')?.volume).toBeNull()
  })

  it('come from a file of faults: an order book that hides an order and says so, and cash that is wrong', async () => {
    const file = join(temporaryFolder(), 'faults.json')
    const faults = [
      { route: 'orderBook', nth: 'every', fault: { kind: 'omitRow' } },
      { route: 'orderBook', nth: 'every', fault: { kind: 'itemsCount', by: -1 } },
      {
        route: 'accountBalance',
        nth: 'every',
        fault: { kind: 'mutate', field: 'accountBalance', value: '7' },
      },
    ]
    writeFileSync(file, JSON.stringify({ faults }))
    const sandbox = await start('--date=2025-11-20', `--faults=${file}`)
    const book = async () => {
      const { body } = await sandbox.get('/api/v3/trading/orderBook', { accountNo: CASH, pageSize: '1000' })
      const { totalRecord, orderList } = body.data as unknown as { totalRecord: number; orderList: unknown[] }
      return [totalRecord, orderList.length]
    }
    const [counted = 0, shown] = await book()
    const balance = await sandbox.get('/api/v3/trading/accountBalance', { accountNo: CASH })
    expect((balance.body.equity as Row).accountBalance).toBe('7')
    await fetch(`${sandbox.sandbox.url}/sandbox/faults`, { method: 'DELETE' })
    expect([counted, shown]).toEqual([counted, counted])
    expect(await book()).toEqual([counted + 1, counted + 1])
  })

  it('refuses a file that is not a plan', async () => {
    const file = join(temporaryFolder(), 'faults.json')
    writeFileSync(file, '{"faults":[{"route":"/ohlc","nth":0,"fault":{"kind":"reset"}}]}')
    await expect(optionsOf(`--faults=${file}`)).rejects.toThrow('faults.0.nth')
    await expect(optionsOf('--faults=/nowhere.json')).rejects.toThrow('cannot be read')
  })
})
