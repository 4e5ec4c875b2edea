import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Fault, position } from '../../standin/index.js'
import { ask } from '../../support/published.js'
import { ALWAYS } from '../support/bad-answers.js'
import { BOARD_SYMBOLS } from './support/draws.js'
import { Evenings, type Touch } from './support/evenings.js'
import { barsOf, firstSeenOn, indexOn, limitsOn, listOf } from './support/touches.js'
import { ACCOUNTS, sessionOf, sessionsOf } from './support/world.js'

const bars = (symbol?: string): Pick<Fault, 'match' | 'times'> => ({
  match: { path: '/data/ohlc', ...(symbol ? { where: { symbol } } : {}) },
  times: ALWAYS,
})
const MAINTENANCE = '{"code":"400","msg":"System is under maintenance"}'
/** Above the 64 MiB that a body may have. */
const TOO_MANY = 68 * 2 ** 20

describe('one window fails for a whole night: that window is incomplete and named, all else is published, accounts are read', () => {
  const evenings = new Evenings()
  const cases: [string, number, Fault, string][] = [
    ['answers 500', 2, { kind: 'status', status: 500, ...bars('FPT') }, 'FPT'],
    [
      'redirects',
      3,
      { kind: 'status', status: 302, headers: { Location: 'https://elsewhere.example/' }, ...bars('VCB') },
      'VCB',
    ],
    [
      'answers 401',
      4,
      { kind: 'status', status: 401, body: '{"code":"401","msg":"Unauthorized"}', ...bars('HPG') },
      'HPG',
    ],
    ['answers more than 64 MiB', 5, { kind: 'oversized', blanks: TOO_MANY, ...bars('PVS') }, 'PVS'],
    ['answers without an end', 6, { kind: 'endless', ...bars('ACV') }, 'ACV'],
  ]
  test.each(cases)('candles of one symbol: the service %s', async (_, night, fault, symbol) => {
    await evenings.run({
      night,
      faults: [fault],
      names: [symbol],
      touches: barsOf(symbol, sessionsOf(night)),
    })
  })

  test('the summary of one index', async () => {
    const fault: Fault = {
      kind: 'html502',
      match: { path: '/data/indexSummary', where: { index: 'VN30' } },
      times: ALWAYS,
    }
    await evenings.run({
      night: 7,
      faults: [fault],
      names: ['VN30'],
      touches: indexOn('VN30', sessionsOf(7)),
    })
  })

  test('the next healthy night is equal everywhere', async () => await evenings.healthy(8))
})

describe('a refusal that no documented limit explains is a gap: incomplete, exit 4, requested again', () => {
  const evenings = new Evenings(false)
  const lists = (query: Record<string, string>) => ({
    match: { path: '/data/securitiesByBoard', where: query },
    times: ALWAYS,
  })
  const limits = { match: { path: '/data/masterdata' }, times: ALWAYS }
  const states = async (cwd: string): Promise<unknown> =>
    await ask(join(cwd, 'data'), `SELECT DISTINCT state FROM ops.coverage WHERE state = 'refused'`)

  const cases: [string, number, Fault, RegExp, Touch, Touch?][] = [
    [
      'all candles: 400, the system is under maintenance',
      2,
      { kind: 'status', status: 400, body: MAINTENANCE, ...bars() },
      /FPT/,
      barsOf(undefined, sessionsOf(2)),
    ],
    [
      'limits: 400',
      3,
      { kind: 'status', status: 400, body: MAINTENANCE, ...limits },
      /400/,
      limitsOn(sessionsOf(3)),
    ],
    [
      'the list of one board: []',
      4,
      { kind: 'body', transform: () => '[]', ...lists({ board: 'HNX' }) },
      /HNX/,
      listOf('HNX', BOARD_SYMBOLS.HNX),
      firstSeenOn(4, BOARD_SYMBOLS.HNX ?? []),
    ],
    ['limits: 404', 5, { kind: 'status', status: 404, body: '', ...limits }, /404/, limitsOn(sessionsOf(5))],
    [
      'the list of one board: 400',
      6,
      { kind: 'status', status: 400, body: MAINTENANCE, ...lists({ board: 'UPCOM' }) },
      /UPCOM/,
      listOf('UPCOM', BOARD_SYMBOLS.UPCOM),
      firstSeenOn(6, []),
    ],
    [
      'all candles: 403',
      7,
      { kind: 'status', status: 403, body: '{"code":"403","msg":"Forbidden"}', ...bars() },
      /FPT/,
      barsOf(undefined, sessionsOf(7)),
    ],
  ]
  test.each(cases)('%s', async (_, night, fault, name, touches, lasting) => {
    const { cwd } = await evenings.run({
      night,
      faults: [fault],
      names: [name],
      touches,
      ...(lasting && { lasting }),
    })
    expect(await states(cwd)).toEqual([])
  })

  test('the next healthy night is equal everywhere', async () => await evenings.healthy(8))
})

test('accounts hold symbols that no board lists: recorded as they are, exit 0', async () => {
  const [cash] = ACCOUNTS
  const held = ['41I1E9000', 'HPGR25', 'FLC', ' fpt ']
  const { cwd } = await new Evenings().run({
    night: 2,
    change: ({ accounts }) => {
      accounts.positions.push(...held.map((symbol) => position(cash, symbol, 700, 10_000)))
      return undefined
    },
    code: 0,
    names: [],
    touches: ({ relation, kind, row }) =>
      kind === 'new' && relation.startsWith('account.') && held.includes(String(row.symbol)),
  })
  const rows = await ask(
    join(cwd, 'data'),
    `SELECT trim(symbol) AS symbol, quantity FROM account.equity_position JOIN account.snapshot USING (snapshot_id, account_no)
     WHERE as_of = '${sessionOf(2)}' AND quantity = 700 ORDER BY symbol`,
  )
  expect(rows.map(({ symbol }) => symbol)).toEqual(held.map((symbol) => symbol.trim()).sort())
})
