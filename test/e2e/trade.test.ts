import { once } from 'node:events'
import { instantOf } from 'candlehouse-foundation/market/day'
import { describe, expect, test } from 'vitest'
import { balance } from '../../packages/sandbox/src/broker/ledger/balance.js'
import { chart } from '../../packages/sandbox/src/broker/ledger/chart-of-accounts.js'
import { margin } from '../../packages/sandbox/src/broker/ledger/margin.js'
import { CLIENT_ID } from '../../packages/sandbox/src/broker/ledger/opening-balances.js'
import { positions } from '../../packages/sandbox/src/broker/ledger/positions.js'
import { openBroker } from '../../packages/sandbox/src/broker/open-broker.js'
import { world } from '../../packages/sandbox/src/market/world/world.js'
import {
  type RunningSandbox,
  type SandboxOptions,
  SHOWCASE_ENDS,
} from '../../packages/sandbox/src/options.js'
import { startWithEffects } from '../../packages/sandbox/src/start.js'
import { systemEffects } from '../../src/effects.js'
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli, type Environment } from '../support/program.js'
import { start } from './support/cli.js'
import { hashes } from './support/hashes.js'

const DAY = '2025-11-20'

/** Hashes of the first of these nights. */
let firstNight: Record<string, string> = {}

const SUFFIXES = { broker: 'ABC', depository: 'XYZ' }

/** Settings that point at a sandbox. */
function towardsSandbox({ url, apiKey, apiSecret, otp }: Address): Environment {
  return {
    BROKER_BASE_URL: url,
    BROKER_API_KEY: apiKey,
    BROKER_API_SECRET: apiSecret,
    BROKER_OTP: otp,
    BROKER_MAX_RPS: '1000',
  }
}

type Address = Pick<RunningSandbox, 'url' | 'apiKey' | 'apiSecret' | 'otp'>

/** The sandbox of the built program on its scripted day, a process of its own until the test ends. */
async function sandboxProgram(): Promise<Environment> {
  const { child } = start(['sandbox', '--date', DAY, '--trade', '--seed', '1'], { cwd: temporaryFolder() })
  const [line] = (await once(child.stdout ?? child, 'data')) as [string]
  return towardsSandbox(JSON.parse(line) as Address)
}

/** The same day in this process. */
async function sandboxHere(options: SandboxOptions = {}): Promise<Environment> {
  const sandbox = await startWithEffects(
    { date: DAY, trade: SHOWCASE_ENDS, seed: 1, ...options },
    systemEffects,
  )
  onEnd(() => sandbox.close())
  return towardsSandbox(sandbox)
}

/** The same house, opened here: its ledger is what the catalog has to equal. */
function houseOfTheDay() {
  const market = world('demo', 1)
  const now = instantOf(DAY, '14:20')
  return openBroker({
    world: market,
    dialect: 'spec',
    now,
    session: market.time.at(DAY),
    trade: true,
    ongoing: false,
  })
}

type Row = Record<string, unknown>

async function rows(cwd: string, query: string): Promise<Row[]> {
  const ran = await cli(['sql', '--json', query], { cwd })
  expect(ran.stderr).toBe('')
  return ran.json()
}

const NIGHT = ['nightly', '--date', DAY, '--sessions', '1', '--symbols', 'FPT']

describe('a scripted trading day, then the nightly', () => {
  test('account.* equals the ledger of the sandbox, to the last unit', async () => {
    const env = await sandboxProgram()
    const cwd = temporaryFolder()
    const ran = await cli(NIGHT, { cwd, env })
    expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)])
    firstNight = await hashes(cwd)
    const { ledger, orders, conditionals } = houseOfTheDay()
    const own = ledger.accounts.filter(({ clientId }) => clientId === CLIENT_ID)
    const equity = await rows(cwd, 'from account.equity_balance order by account_no')
    for (const account of own.filter(({ accountType }) => accountType !== 'DERIVATIVE')) {
      const held = equity.find((row) => row.account_no === account.accountNo)
      // From the postings themselves, not from what the service writes of them.
      const { book } = ledger
      const sub = (name: string): number =>
        book.below(`${account.accountNo}/${name}/`).reduce((sum, { amount }) => sum + amount, 0)
      const cash = book.balance(chart.cash(account.accountNo))
      const waiting = book.balance(chart.reserved(account.accountNo))
      expect(Number(held?.account_balance)).toBe(cash + waiting + sub('paying'))
      expect(Number(held?.buy_unmatched)).toBe(waiting)
      expect(Number(held?.sell_t0) + Number(held?.sell_t1) + Number(held?.sell_t2)).toBe(sub('receiving'))
      expect(Number(held?.total_debt)).toBe(
        0 - book.balance(chart.loan(account.accountNo)) - book.balance(chart.interest(account.accountNo)),
      )
    }
    const shares = await rows(cwd, 'from account.equity_position order by account_no, symbol')
    for (const row of shares) {
      const owned = ['shares', 'selling'].map((name) =>
        ledger.book.balance(`${String(row.account_no)}/${name}`, String(row.symbol)),
      )
      const arriving = ledger.book
        .below(`${String(row.account_no)}/arriving/`)
        .filter(({ unit }) => unit === row.symbol)
        .reduce((sum, { amount }) => sum + amount, 0)
      expect(Number(row.quantity), String(row.symbol)).toBe((owned[0] ?? 0) + (owned[1] ?? 0) + arriving)
      expect(Number(row.sellable_quantity)).toBe(owned[0])
    }
    const told = own.flatMap((account) => positions(ledger, account, true).data.equity)
    expect(shares).toHaveLength(told.length)
    const book = await rows(cwd, 'from account.order_book order by order_id')
    const wanted = own.flatMap(({ accountNo }) => orders.ofAccount(accountNo))
    expect(
      book.map(({ order_id, order_status, filled_qty, cancel_qty }) => [
        order_id,
        order_status,
        filled_qty,
        cancel_qty,
      ]),
    ).toEqual(
      wanted
        .map((order) => [order.orderId, order.status, String(order.filled), String(order.cancelled)])
        .sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
    )
    const waiting = await rows(
      cwd,
      'select fco_id, status, matched_quantity from account.conditional_order order by 1',
    )
    expect(
      waiting.map(({ fco_id, status, matched_quantity }) => [fco_id, status, Number(matched_quantity)]),
    ).toEqual(
      own
        .flatMap(({ accountNo }) => conditionals.ofAccount(accountNo))
        .map((order) => [order.fcoId, order.status, order.matchedQuantity])
        .sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
    )
    const derivative = own.find(({ accountType }) => accountType === 'DERIVATIVE')
    if (!derivative) throw new RangeError('no derivative account')
    const [contracts] = await rows(cwd, 'from account.derivative_margin')
    const figures = margin(ledger, derivative).derivative
    expect(Number(contracts?.margin_req_depository)).toBe(Number(figures.marginReqDepository))
    expect(Number(contracts?.account_balance)).toBe(
      Number(balance(ledger, derivative).derivative.accountBalance),
    )
  })

  test.runIf(LONG)(
    'the same day from the same seed gives identical hashes, and a live deployment the same accounts',
    async () => {
      const taken = [firstNight]
      const suffixes = { BROKER_FIELD_SUFFIX: SUFFIXES.broker, DEPOSITORY_FIELD_SUFFIX: SUFFIXES.depository }
      for (const live of [false, true]) {
        const env = await sandboxHere(live ? { dialect: 'live', fieldSuffixes: SUFFIXES } : {})
        const cwd = temporaryFolder()
        const ran = await cli(NIGHT, { cwd, env: { ...env, ...(live ? suffixes : {}) } })
        expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)])
        taken.push(await hashes(cwd))
      }
      const [first = {}, second, live = {}] = taken
      expect(second).toEqual(first)
      // What differs is written differently there: operators as numbers, words of the sides that do not apply.
      const differ = Object.keys(first).filter(
        (name) => name.startsWith('account.') && live[name] !== first[name],
      )
      expect(differ).toEqual(['account.conditional_order'])
    },
  )
})
