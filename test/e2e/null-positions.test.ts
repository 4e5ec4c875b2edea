import { describe, expect, test } from 'vitest'
import { buildMarket, type Fault, type StandIn, startStandIn } from '../standin/index.js'
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli, type Ran } from '../support/program.js'
import { towards } from './support/cli.js'
import { restorableHashes } from './support/hashes.js'
import { expectCode, LOW_JITTER, rowsOf } from './support/nights.js'

const SESSIONS = ['2025-03-11', '2025-03-12', '2025-03-13', '2025-03-14']

async function service(): Promise<StandIn> {
  const standIn = await startStandIn({ market: buildMarket({ sessions: SESSIONS }), otherSide: 'absent' })
  onEnd(() => standIn.close())
  // Only what a test adds explains anything.
  standIn.accounts.orders.length = 0
  return standIn
}

async function snapshot(standIn: StandIn, cwd: string, date = SESSIONS[0] ?? ''): Promise<Ran> {
  const env = towards(standIn, { BROKER_OTP: standIn.otp })
  return await cli(['snapshot', '--date', date], { cwd, env, effects: LOW_JITTER })
}

/** Answers of a service that has lost its positions, in the words of different deployments. */
const EMPTY: Record<string, string> = {
  'null data': '{"data":null}',
  'null lists': '{"data":{"equity":null,"derivative":null}}',
  'absent lists': '{"data":{}}',
  'empty lists': '{"data":{"equity":[],"derivative":{"derOpenPositions":[],"derClosePositions":[]}}}',
}

const WORDS = LONG ? Object.keys(EMPTY) : ['null data']

/** An account whose positions are refused meanwhile: what was not read is not gone. */
const REFUSED = '0691234566'

function losesPositions(standIn: StandIn, body: string, refusedFor?: string): void {
  const path = '/trading/position'
  const refused: Fault = {
    kind: 'status',
    status: 400,
    match: { path, where: { accountNo: refusedFor ?? '' } },
    times: 1000,
  }
  standIn.setOptions({
    faults: [
      ...(refusedFor === undefined ? [] : [refused]),
      { kind: 'body', transform: () => body, match: { path }, times: 1000 },
    ],
  })
}

const states = (cwd: string) =>
  rowsOf<{ account_no: string; state: string; missing: string | null }>(
    cwd,
    `SELECT account_no, state, missing FROM account.snapshot
     QUALIFY row_number() OVER (PARTITION BY account_no ORDER BY snapshot_id DESC) = 1 ORDER BY account_no`,
  )

describe('positions that are gone', () => {
  test(`${WORDS.join(' or ')} after a day with holdings: partial, and what was stored stays; with the positions the day is complete`, async () => {
    const standIn = await service()
    const cwd = temporaryFolder()
    expectCode(await snapshot(standIn, cwd), 0)
    for (const name of WORDS) {
      losesPositions(standIn, EMPTY[name] ?? '', REFUSED)
      const ran = await snapshot(standIn, cwd, SESSIONS[1])
      expectCode(ran, 4)
      expect([name, ran.stdout]).toEqual([
        name,
        expect.stringContaining('positions: none, and no order explains where HPG, PVS of 2025-03-11 went'),
      ])
      const refused = (await states(cwd)).find(({ account_no }) => account_no === REFUSED)
      expect(refused?.missing).toMatch(/^positions: (?!.*positions: none)/)
      expect(await states(cwd)).toEqual([
        expect.objectContaining({ account_no: '0691234561', state: 'partial' }),
        expect.objectContaining({ account_no: '0691234566', state: 'partial' }),
        expect.objectContaining({ account_no: '0691234568', state: 'partial' }),
      ])
      const held = await rowsOf(
        cwd,
        "SELECT symbol FROM mart.account_position WHERE trading_date = '2025-03-11'",
      )
      expect(held).toHaveLength(4)
    }

    if (LONG) {
      const before = await restorableHashes(cwd)
      expectCode(await cli(['replay'], { cwd }), 0)
      expectCode(await cli(['publish'], { cwd }), 0)
      expect(await restorableHashes(cwd)).toEqual(before)
    }
    standIn.setOptions({ faults: [] })
    expectCode(await snapshot(standIn, cwd, SESSIONS[1]), 0)
  })

  // In short, of what orders explain: the case what-one-account-sold-is-withdrawn-from-it-alone of test/cases/account.
  test.runIf(LONG)(
    'what orders explain is complete, and what nothing explains is believed on the third trading date',
    async () => {
      const standIn = await service()
      const cwd = temporaryFolder()
      expectCode(await snapshot(standIn, cwd), 0)
      const sold = (accountNo: string, symbol: string, quantity: string): void => {
        const order = { accountNo, symbol, side: 'S', orderType: 'LO', quantity, filledQty: quantity }
        const times = { inputTime: '2025/03/12 09:30:00', modifiedTime: '2025/03/12 09:30:00' }
        const rest = { price: '25000', avgPrice: '25000', cancelQty: '0', orderStatus: 'FF', message: '' }
        standIn.accounts.orders.push({ ...order, ...times, ...rest, orderId: `${accountNo}${symbol}` })
      }
      sold('0691234561', 'HPG', '1200')
      sold('0691234561', 'PVS', '500')
      losesPositions(standIn, EMPTY['null lists'] ?? '')
      const [, second, third, fourth] = SESSIONS
      expectCode(await snapshot(standIn, cwd, second), 4)
      expect((await states(cwd)).map(({ state }) => state)).toEqual(['complete', 'partial', 'partial'])
      expectCode(await snapshot(standIn, cwd, third), 4)
      expectCode(await snapshot(standIn, cwd, fourth), 0)
      expect((await states(cwd)).map(({ state }) => state)).toEqual(['complete', 'complete', 'complete'])
    },
  )
})
