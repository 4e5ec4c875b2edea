import { expect, test } from 'vitest'
import { buildMarket, type Row, type StandIn, startStandIn } from '../standin/index.js'
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'
import { cli, type Ran } from '../support/program.js'
import { towards } from './support/cli.js'
import { restorableHashes } from './support/hashes.js'
import { expectCode, LOW_JITTER, rowsOf } from './support/nights.js'

const SESSIONS = ['2025-03-13', '2025-03-14'] as const

async function service(): Promise<StandIn> {
  const standIn = await startStandIn({ market: buildMarket({ sessions: [...SESSIONS] }) })
  onEnd(() => standIn.close())
  return standIn
}

async function snapshot(standIn: StandIn, cwd: string, date: string): Promise<Ran> {
  const env = towards(standIn, { BROKER_OTP: standIn.otp })
  return await cli(['snapshot', '--date', date], { cwd, env, effects: LOW_JITTER })
}

/** Changes every order of every answer. */
function tells(standIn: StandIn, change: (order: Row) => Row): void {
  standIn.setOptions({
    mutateRow: (_, row, request) => (request.path.endsWith('/orderBook') ? change(row) : row),
  })
}

const without =
  (field: string) =>
  (order: Row): Row =>
    Object.fromEntries(Object.entries(order).filter(([name]) => name !== field))

const FAULTS: readonly (readonly [field: string, how: string, change: (order: Row) => Row])[] = [
  ['symbol', 'missing', without('symbol')],
  ['side', 'null', (order) => ({ ...order, side: null })],
  ['quantity', 'renamed', (order) => ({ ...without('quantity')(order), qty: order.quantity })],
  ['orderStatus', 'empty', (order) => ({ ...order, orderStatus: '' })],
  ['filledQty', 'null', (order) => ({ ...order, filledQty: null })],
  ['avgPrice', 'renamed', (order) => ({ ...without('avgPrice')(order), averagePrice: order.avgPrice })],
]

test.each(FAULTS)(
  'orders whose %s is %s: the snapshot is partial and names the field, exit 4; the next is complete',
  async (field, _, change) => {
    const standIn = await service()
    const cwd = temporaryFolder()
    expectCode(await snapshot(standIn, cwd, SESSIONS[0]), 0)
    tells(standIn, change)
    const ran = await snapshot(standIn, cwd, SESSIONS[1])
    expectCode(ran, 4)
    expect(ran.stdout).toMatch(new RegExp(`orders: field ${field} is missing in \\d+ of \\d+ records`))
    const states = `SELECT DISTINCT state FROM account.snapshot
      WHERE as_of = '${SESSIONS[1]}' AND account_no IN (SELECT account_no FROM account.order_book)
      QUALIFY row_number() OVER (PARTITION BY account_no ORDER BY snapshot_id DESC) = 1`
    expect(await rowsOf(cwd, states)).toEqual([{ state: 'partial' }])
    const before = await restorableHashes(cwd)
    expectCode(await cli(['replay'], { cwd }), 0)
    expectCode(await cli(['publish'], { cwd }), 0)
    expect(await restorableHashes(cwd)).toEqual(before)
    standIn.setOptions({ mutateRow: undefined })
    expectCode(await snapshot(standIn, cwd, SESSIONS[1]), 0)
    expect(await rowsOf(cwd, states)).toEqual([{ state: 'complete' }])
  },
)

test('what an order need not have is not lost where no earlier order had it', async () => {
  const standIn = await service()
  const cwd = temporaryFolder()
  tells(standIn, (order) => ({ ...without('avgPrice')(order), cancelQty: null, message: null }))
  expectCode(await snapshot(standIn, cwd, SESSIONS[0]), 0)
  expectCode(await snapshot(standIn, cwd, SESSIONS[1]), 0)
})
