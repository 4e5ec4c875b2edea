import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Fault, position } from '../../standin/index.js'
import { LONG } from '../../support/long.js'
import { ask } from '../../support/published.js'
import { ALWAYS } from '../support/bad-answers.js'
import type { Touch } from './support/differences.js'
import { BOARD_SYMBOLS } from './support/draws.js'
import { Evenings } from './support/evenings.js'
import { barsOf, either, firstSeenOn, indexOn, limitsOn, listOf } from './support/touches.js'
import { ACCOUNTS, sessionOf, sessionsOf } from './support/world.js'

const bars = (symbol?: string): Pick<Fault, 'match' | 'times'> => ({
  match: { path: '/data/ohlc', ...(symbol ? { where: { symbol } } : {}) },
  times: ALWAYS,
})
const MAINTENANCE = '{"code":"400","msg":"System is under maintenance"}'
/** Above the 64 MiB that a body may have. */
const TOO_MANY = 68 * 2 ** 20

/** A fault that lasts for a night, what the run has to name, and what the fault may touch. */
interface Lasting {
  readonly fault: Fault
  readonly name: string | RegExp
  readonly touches: Touch
  readonly lasting?: Touch
}

async function runLasting(evenings: Evenings, night: number, all: readonly Lasting[]): Promise<string> {
  const { cwd } = await evenings.run({
    night,
    faults: all.map(({ fault }) => fault),
    names: all.map(({ name }) => name),
    touches: either(...all.map(({ touches }) => touches)),
    lasting: either(...all.flatMap(({ lasting }) => lasting ?? [])),
  })
  return cwd
}

/** In short: windows that fail alone for a night, drawn from all windows and kinds of faults, one-fault.test.ts. */
describe.runIf(LONG)(
  'windows fail for a whole night: each of them is incomplete and named, all else is published, accounts are read',
  () => {
    const evenings = new Evenings()
    const candles = (night: number, symbol: string, fault: Fault): Lasting => ({
      fault,
      name: symbol,
      touches: barsOf(symbol, sessionsOf(night)),
    })

    test('candles of one symbol: the service answers 500, of another one it redirects, of others it answers 401, more than 64 MiB, and without an end; the summary of one index fails', async () => {
      const Location = 'https://elsewhere.example/'
      const body = '{"code":"401","msg":"Unauthorized"}'
      await runLasting(evenings, 2, [
        candles(2, 'FPT', { kind: 'status', status: 500, ...bars('FPT') }),
        candles(2, 'VCB', { kind: 'status', status: 302, headers: { Location }, ...bars('VCB') }),
        candles(2, 'HPG', { kind: 'status', status: 401, body, ...bars('HPG') }),
        candles(2, 'PVS', { kind: 'oversized', blanks: TOO_MANY, ...bars('PVS') }),
        candles(2, 'ACV', { kind: 'endless', ...bars('ACV') }),
        {
          fault: {
            kind: 'html502',
            match: { path: '/data/indexSummary', where: { index: 'VN30' } },
            times: ALWAYS,
          },
          name: 'VN30',
          touches: indexOn('VN30', sessionsOf(2)),
        },
      ])
    })

    test('the next healthy night is equal everywhere; accounts hold symbols that no board lists: recorded as they are, exit 0', async () => {
      const [cash] = ACCOUNTS
      const held = ['41I1E9000', 'HPGR25', 'FLC', ' fpt ']
      const { cwd } = await evenings.run({
        night: 3,
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
       WHERE as_of = '${sessionOf(3)}' AND quantity = 700 ORDER BY symbol`,
      )
      expect(rows.map(({ symbol }) => symbol)).toEqual(held.map((symbol) => symbol.trim()).sort())
    })
  },
)

/** In short: test/load/limits.test.ts. */
describe.runIf(LONG)(
  'a refusal that no documented limit explains is a gap: incomplete, exit 4, requested again',
  () => {
    const evenings = new Evenings(false)
    const refusal = (status: number, body: string, where: Pick<Fault, 'match' | 'times'>): Fault => ({
      kind: 'status',
      status,
      body,
      ...where,
    })
    const limits = { match: { path: '/data/masterdata' }, times: ALWAYS }
    const list = (board: string) => ({
      match: { path: '/data/securitiesByBoard', where: { board } },
      times: ALWAYS,
    })
    const ofCandles = (night: number, fault: Fault): Lasting => ({
      fault,
      name: /ohlc .*FPT/,
      touches: barsOf(undefined, sessionsOf(night)),
    })
    const ofLimits = (night: number, fault: Fault, name: RegExp): Lasting => ({
      fault,
      name,
      touches: limitsOn(sessionsOf(night)),
    })
    const ofList = (night: number, board: string, fault: Fault): Lasting => ({
      fault,
      name: new RegExp(`securities .*${board}`),
      touches: listOf(board, BOARD_SYMBOLS[board]),
      lasting: firstSeenOn(night, BOARD_SYMBOLS[board] ?? []),
    })

    /** Several endpoints in one night: none is an outage, since others answer. */
    const cases: [string, number, Lasting[]][] = [
      [
        'all candles: 400, the system is under maintenance; limits: 404; the list of one board: [], of another one: 400',
        2,
        [
          ofCandles(2, refusal(400, MAINTENANCE, bars())),
          ofLimits(2, refusal(404, '', limits), /masterdata .*404/),
          ofList(2, 'HNX', { kind: 'body', transform: () => '[]', ...list('HNX') }),
          ofList(2, 'UPCOM', refusal(400, MAINTENANCE, list('UPCOM'))),
        ],
      ],
      [
        'all candles: 403; limits: 400',
        3,
        [
          ofCandles(3, refusal(403, '{"code":"403","msg":"Forbidden"}', bars())),
          ofLimits(3, refusal(400, MAINTENANCE, limits), /masterdata .*400/),
        ],
      ],
    ]
    test.each(cases)('%s', async (_, night, all) => {
      const cwd = await runLasting(evenings, night, all)
      expect(await ask(join(cwd, 'data'), `FROM ops.coverage WHERE state = 'refused'`)).toEqual([])
    })

    test('the next healthy night is equal everywhere', async () => await evenings.healthy(4))
  },
)
