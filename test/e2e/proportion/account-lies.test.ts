import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import {
  BALANCE_DERIVATIVE,
  BALANCE_EQUITY,
  POWER_DERIVATIVE,
  POWER_EQUITY,
} from '../../standin/account-fields.js'
import { LONG } from '../../support/long.js'
import { cli, type Ran } from '../../support/program.js'
import { ask } from '../../support/published.js'
import { towards } from '../support/cli.js'
import { FAULTS_BUT_ZERO, type FieldFault, withFault } from '../support/field-faults.js'
import { restorableHashes } from '../support/hashes.js'
import { seeded } from '../support/seeded.js'
import type { Row } from './support/differences.js'
import { undisturbedRows, undueDifferences } from './support/evenings.js'
import { snapshotOf } from './support/touches.js'
import {
  eveningClock,
  homeAfter,
  otpOf,
  runNight,
  type Service,
  service,
  sessionOf,
} from './support/world.js'

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Fields that are no part of a key, by the end of the path that reports them. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  accountBalance: [...new Set([...BALANCE_EQUITY, ...BALANCE_DERIVATIVE])],
  ppmmrAccount: [...new Set([...POWER_EQUITY, ...POWER_DERIVATIVE])],
  position:
    words(`quantity blockQuantity dividendQuantity buyingQuantity boughtQuantity sellingQuantity soldQuantity
    t1SellQuantity t2SellQuantity costPrice mortgageQuantity sellableQuantity restrictedQuantity long short net bidAvgPrice
    askAvgPrice tradePrice tradingPL floatingPL`),
  orderBook: words(
    `clientRequestId symbol side orderType quantity price filledQty cancelQty avgPrice orderStatus message`,
  ),
}
const RELATIONS: Readonly<Record<string, readonly string[]>> = {
  accountBalance: ['account.equity_balance', 'account.derivative_balance'],
  ppmmrAccount: ['account.equity_margin', 'account.derivative_margin'],
  position: ['account.equity_position', 'account.derivative_position', 'account.derivative_position_summary'],
  orderBook: ['account.order_book'],
}

const plain = (name: string): string => name.replaceAll('_', '').toLowerCase()
const KEYS = ['account_no', 'symbol', 'order_id', 'side_of_book']
const keyOf = (row: Row, relation: string): string =>
  KEYS.filter((name) => name in row && !(relation === 'account.order_book' && name === 'symbol'))
    .map((name) => row[name])
    .join(' ')

/** Values that the snapshot of a day holds and that the service never had. */
async function wrongValues(cwd: string, night: number, endpoint: string): Promise<string[]> {
  const day = sessionOf(night)
  const truths = await undisturbedRows(night)
  const wrong: string[] = []
  for (const relation of RELATIONS[endpoint] ?? []) {
    const own = [...(truths.get(relation)?.values() ?? [])].filter(({ as_of }) => as_of === day)
    expect(own.length, relation).toBeGreaterThan(0)
    const byKey = new Map(own.map((row) => [keyOf(row, relation), row]))
    const held = await ask(
      join(cwd, 'data'),
      `FROM ${relation} SEMI JOIN (FROM account.snapshot WHERE as_of = '${day}') USING (snapshot_id)`,
    )
    for (const row of held) {
      const truth = byKey.get(keyOf(row, relation))
      if (!truth) wrong.push(`${relation} ${keyOf(row, relation)}: no such row`)
      for (const [name, value] of Object.entries(truth ?? {}))
        if (name in row && row[name] !== null && row[name] !== value)
          wrong.push(`${relation}.${name}: ${row[name]} where the service has ${value}`)
    }
  }
  return wrong
}

type Tell = (endpoint: string, field: string) => FieldFault | undefined

/** Tells fields of account records wrongly. */
function tells(standIn: Service, tell: Tell): void {
  standIn.setOptions({
    mutateRow: (dataset, row, { path }) => {
      const endpoint = Object.keys(FIELDS).find((name) => dataset === 'account' && path.endsWith(`/${name}`))
      const fields = new Set((endpoint ? FIELDS[endpoint] : undefined)?.map(plain))
      return Object.keys(row).reduce((told, name) => {
        const manner = endpoint && fields.has(plain(name)) ? tell(endpoint, plain(name)) : undefined
        return manner ? withFault(told, name, manner) : told
      }, row)
    },
  })
}

async function wrongOn(cwd: string, night: number): Promise<string[]> {
  const wrong: string[] = []
  // One after the other: a home has one reader at a time.
  for (const endpoint of Object.keys(FIELDS)) wrong.push(...(await wrongValues(cwd, night, endpoint)))
  return wrong
}

/** The accounts of an evening alone. */
const snapshotOn = async (standIn: Service, cwd: string, night: number): Promise<Ran> =>
  await cli(['snapshot', '--date', sessionOf(night)], {
    cwd,
    env: towards(standIn, { BROKER_OTP: otpOf(night) }),
    effects: eveningClock(sessionOf(night)),
  })

/** One home and evening: the second test goes on where the first one ended. */
const night = 2
let cwd: string
let standIn: Service
beforeAll(async () => {
  cwd = await homeAfter(1)
  standIn = await service(night)
})

test(`every account field is told wrongly, each in ${LONG ? 'every manner within a night and three snapshots' : 'one manner within a snapshot'}: exit 4, never a wrong number${LONG ? '; the market is equal' : ''}`, async () => {
  for (const shift of LONG ? FAULTS_BUT_ZERO.keys() : [1]) {
    tells(standIn, (endpoint, field) => {
      const at = (FIELDS[endpoint] ?? []).map(plain).indexOf(field)
      return FAULTS_BUT_ZERO[(at + shift) % FAULTS_BUT_ZERO.length]
    })
    const ran = shift === 0 ? await runNight(standIn, cwd, night) : await snapshotOn(standIn, cwd, night)
    expect(ran.code, `${shift}: ${ran.stdout}`).toBe(4)
    expect(await wrongOn(cwd, night)).toEqual([])
    if (shift > 0) continue
    const ofAccounts = snapshotOf(undefined, sessionOf(night))
    const market = await undueDifferences(
      cwd,
      night,
      (each) => each.relation.startsWith('account.') || ofAccounts(each),
    )
    expect(market).toEqual([])
  }
})

interface Lie {
  readonly field: string
  readonly manner: FieldFault
}

/** What messages call the records of an endpoint. */
const ABOUT: Readonly<Record<string, string>> = {
  accountBalance: 'balance',
  ppmmrAccount: 'PP/MMR',
  position: 'positions',
  orderBook: 'orders',
}

/** Null may be right in any of these. */
const MAY_BE_NULL = words('bidAvgPrice askAvgPrice tradePrice clientRequestId avgPrice message')

/** No order of the stand-in has a message: where it is not a text, that can be seen; nothing is lost without it. */
const isSeen = (field: string, manner: FieldFault): boolean =>
  field === 'message' ? manner === 'another type' : manner !== 'null' || !MAY_BE_NULL.includes(field)

const liesOf = (endpoint: string): Lie[] =>
  (FIELDS[endpoint] ?? []).flatMap((field) =>
    FAULTS_BUT_ZERO.filter((manner) => isSeen(field, manner)).map((manner) => ({ field, manner })),
  )

const random = seeded(Number(process.env.SOAK_SEED ?? 20_260_302))
const drawn = (): Record<string, Lie | undefined> =>
  Object.fromEntries(
    Object.keys(FIELDS).map((endpoint) => {
      const lies = liesOf(endpoint)
      return [endpoint, lies[Math.floor(random() * lies.length)]]
    }),
  )
function onlyOfShares(ofShares: readonly string[], ofDerivatives: readonly string[]): Lie {
  const field = ofShares.find((name) => !ofDerivatives.includes(name) && !MAY_BE_NULL.includes(name))
  if (field === undefined) throw new Error('every field is of both kinds of accounts')
  return { field, manner: 'missing' }
}

/** One lie of each endpoint: those that were seen; in `make soak` drawn ones too. The snapshots above have told every field. */
const TOLD: readonly Record<string, Lie | undefined>[] = [
  {
    accountBalance: { field: 'withdrawable', manner: 'null' },
    ppmmrAccount: { field: 'callLMVBroker', manner: 'missing' },
    position: { field: 'costPrice', manner: 'renamed' },
    orderBook: { field: 'orderStatus', manner: 'another type' },
  },
  ...(LONG
    ? [
        // Fields of accounts of shares alone: no other account has them too.
        {
          accountBalance: onlyOfShares(BALANCE_EQUITY, BALANCE_DERIVATIVE),
          ppmmrAccount: onlyOfShares(POWER_EQUITY, POWER_DERIVATIVE),
        },
        ...Array.from({ length: 200 }, drawn),
      ]
    : []),
]

const statesOn = async (cwd: string, day: string) =>
  await ask(
    join(cwd, 'data'),
    `SELECT DISTINCT state FROM (
       SELECT * FROM account.snapshot WHERE as_of = '${day}'
       QUALIFY row_number() OVER (PARTITION BY account_no ORDER BY snapshot_id DESC) = 1)`,
  )

test(`one field of each account endpoint is told wrongly, ${TOLD.length} times: the snapshot names each and ends with 4; the next is complete`, async () => {
  const snapshot = () => snapshotOn(standIn, cwd, night)
  for (const lies of TOLD) {
    tells(standIn, (endpoint, told) => {
      const lie = lies[endpoint]
      return lie && told === plain(lie.field) ? lie.manner : undefined
    })
    const ran = await snapshot()
    expect(ran.code, `${JSON.stringify(lies)}: ${ran.stdout}`).toBe(4)
    for (const [endpoint, lie] of Object.entries(lies)) {
      const what =
        lie?.manner === 'another type'
          ? String.raw`\d+ records? rejected`
          : `fields? [^;]*\\b${lie?.field}\\b[^;]* missing in`
      expect(ran.stdout, JSON.stringify(lies)).toMatch(new RegExp(`${ABOUT[endpoint]}: ${what}`))
    }
    expect(await wrongOn(cwd, night), JSON.stringify(lies)).toEqual([])
  }
  if (LONG) {
    const before = await restorableHashes(cwd)
    expect((await cli(['replay'], { cwd })).code).toBe(0)
    expect(await restorableHashes(cwd)).toEqual(before)
  }
  standIn.setOptions({ mutateRow: undefined })
  expect((await snapshot()).code).toBe(0)
  expect(await statesOn(cwd, sessionOf(night))).toEqual([{ state: 'complete' }])
})

test.runIf(LONG)('a field that no earlier record had is not lost: exit 0', async () => {
  const cwd = await homeAfter(0)
  const standIn = await service(1)
  tells(standIn, (endpoint, field) => {
    if (endpoint === 'orderBook' && field === 'avgprice') return 'missing'
    const nulls = ['cancelqty', 'message', 'costprice', 'dividend', 'creditlimit']
    return nulls.includes(field) ? 'null' : undefined
  })
  for (const night of [1, 2]) {
    standIn.turn(night)
    const ran = await snapshotOn(standIn, cwd, night)
    expect(ran.code, ran.stdout).toBe(0)
  }
})
