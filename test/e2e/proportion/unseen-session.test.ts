import { appendFileSync, cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import type { Conclusion } from '../../../src/night/conclusion.js'
import { temporaryFolder } from '../../support/folder.js'
import { LONG } from '../../support/long.js'
import { cli, type Ran } from '../../support/program.js'
import { ask } from '../../support/published.js'
import { towards } from '../support/cli.js'
import { restorableHashes } from '../support/hashes.js'
import { expectCode } from '../support/nights.js'
import { differences, shown, type Touch } from './support/differences.js'
import { undueDifferences } from './support/evenings.js'
import { publishedIn } from './support/published.js'
import { either } from './support/touches.js'
import {
  ACCOUNTS,
  eveningClock,
  FUTURE,
  homeAfter,
  otpOf,
  runNight,
  type Service,
  service,
  sessionOf,
  smallMarket,
} from './support/world.js'

const CLOSED = 2

const textOf = (day: string): string =>
  `no answer has trades of ${day}: the service does not have the session yet, or the exchanges were closed (then name the day in calendar.csv); the next session decides`

const conclusionOf = (ran: Ran): Conclusion => ran.json<{ conclusion: Conclusion }>().conclusion

/** The night ends with 4, for this reason alone. */
function expectUnseen(ran: Ran, day: string): void {
  expectCode(ran, 4)
  const { headline, reasons } = conclusionOf(ran)
  expect(reasons.map(({ kind, text, since }) => ({ kind, text, since }))).toEqual([
    { kind: 'session_unseen', text: textOf(day), since: day },
  ])
  expect(headline).toBe(`no answer has ${day}`)
}

/** Types what the night advises. */
async function typeAdvice(ran: Ran, standIn: Service, cwd: string, night: number): Promise<Ran> {
  const [advice, ...others] = conclusionOf(ran).next
  expect(others).toEqual([])
  const command = advice?.command ?? ''
  expect(command).toBe(`candlehouse nightly --date ${sessionOf(night)} --sessions 2`)
  const env = towards(standIn, { BROKER_OTP: otpOf(night) })
  return await cli([...command.split(' ').slice(1), '--json'], {
    cwd,
    env,
    effects: eveningClock(sessionOf(night)),
  })
}

/** A home whose last night was on a day that no answer has, and how that night ended. */
let unseen: { cwd: string; ran: Ran }
beforeAll(async () => {
  const cwd = await homeAfter(CLOSED - 1)
  const ran = await runNight(await service(CLOSED, smallMarket(sessionOf(CLOSED))), cwd, CLOSED)
  unseen = { cwd, ran }
})

/** A copy to go on from: the night that follows publishes it. */
function copyOfUnseen(): string {
  const copy = temporaryFolder()
  cpSync(unseen.cwd, copy, { recursive: true })
  return copy
}

/** What the list of a service without the session says of the future: the same evening's list with it says otherwise. */
const figuresOfTheList: Touch = ({ relation, row }) =>
  relation === 'market.revision' &&
  row.relation === 'market.security_daily' &&
  String(row.key).includes(FUTURE) &&
  ['open_interest', 'settlement_price'].includes(String(row.column))

test('a service that does not have the session yet: the night says so and ends with 4; typed again once the service has it, the home is equal everywhere', async () => {
  expectUnseen(unseen.ran, sessionOf(CLOSED))
  const cwd = copyOfUnseen()
  const standIn = await service(CLOSED)
  if (LONG) {
    // A snapshot alone does not settle it.
    const snapshot = await cli(['snapshot', '--json'], {
      cwd,
      // A one-time password is good for one login: that of the night below is of another service.
      env: towards(await service(CLOSED), { BROKER_OTP: otpOf(CLOSED) }),
      effects: eveningClock(sessionOf(CLOSED)),
    })
    expect(conclusionOf(snapshot).reasons.map(({ kind }) => kind)).toEqual(['session_unseen'])
  }
  expectCode(await typeAdvice(unseen.ran, standIn, cwd, CLOSED), 0)
  const ofMoment = either(({ relation }) => relation.startsWith('account.'), figuresOfTheList)
  expect(await undueDifferences(cwd, CLOSED, ofMoment)).toEqual([])
  if (!LONG) return
  standIn.turn(CLOSED + 1)
  expectCode(await runNight(standIn, cwd, CLOSED + 1), 0)
  // Asked at the price of the session before, which was the latest one known.
  const atPriceBefore: Touch = ({ relation }) => relation === 'account.max_quantity'
  expect(await undueDifferences(cwd, CLOSED + 1, either(atPriceBefore, figuresOfTheList))).toEqual([])
})

test('exchanges closed on a day that no calendar names: that night ends with 4, the next one learns it, and no account has the day', async () => {
  expectUnseen(unseen.ran, sessionOf(CLOSED))
  const cwd = copyOfUnseen()
  const standIn = await service(CLOSED + 1, smallMarket(sessionOf(CLOSED)))
  expectCode(await runNight(standIn, cwd, CLOSED + 1), 0)
  const curve = await ask(
    join(cwd, 'data'),
    `SELECT CAST(trading_date AS VARCHAR) AS day FROM mart.account_equity_curve WHERE account_no = '${ACCOUNTS[0]}' ORDER BY 1`,
  )
  const open = Array.from({ length: CLOSED + 1 }, (_, nth) => nth + 1).filter((night) => night !== CLOSED)
  expect(curve.map((row) => row.day)).toEqual(open.map(sessionOf))
  if (!LONG) return
  // Typed later for that day, the night knows.
  const late = { effects: eveningClock(sessionOf(CLOSED + 1)), accounts: false }
  expectCode(await runNight(standIn, cwd, CLOSED, late), 0)
})

test.runIf(LONG)(
  'a night on a day that turns out to be closed leaves nothing but what it read that evening',
  async () => {
    const market = smallMarket(sessionOf(CLOSED))
    const [cwd, other] = [await homeAfter(CLOSED - 1), await homeAfter(CLOSED - 1)]
    const ran = await runNight(await service(CLOSED, market), cwd, CLOSED)
    expectUnseen(ran, sessionOf(CLOSED))
    expectUnseen(await typeAdvice(ran, await service(CLOSED, market), cwd, CLOSED), sessionOf(CLOSED))
    for (const night of [CLOSED + 1, CLOSED + 2]) {
      for (const home of [cwd, other])
        expectCode(await runNight(await service(night, market), home, night), 0)
      // It was the first to read the orders of the day before.
      const others = differences(await publishedIn(other), await publishedIn(cwd)).filter(
        ({ relation, row }) =>
          relation !== 'account.order_book' && !Object.values(row).includes(sessionOf(CLOSED)),
      )
      expect(shown(others)).toEqual([])
    }
    const before = await restorableHashes(cwd)
    expectCode(await cli(['replay'], { cwd }), 0)
    expectCode(await cli(['publish'], { cwd }), 0)
    expect(await restorableHashes(cwd)).toEqual(before)
  },
)

// In short: what is advised, test/night/advice.test.ts; nights with the user's calendar, test/e2e/calendar.test.ts.
test.runIf(LONG)(
  "a day that the user's calendar names as closed: the advised command is for the session before it, and complete",
  async () => {
    const cwd = await homeAfter(CLOSED - 1)
    const standIn = await service(CLOSED, smallMarket(sessionOf(CLOSED)))
    const ran = await runNight(standIn, cwd, CLOSED, { accounts: false })
    expectUnseen(ran, sessionOf(CLOSED))
    const file = join(cwd, 'data', 'calendar.csv')
    writeFileSync(file, 'day\n')
    appendFileSync(file, `${sessionOf(CLOSED)}\n`)
    const again = await runNight(standIn, cwd, CLOSED, { accounts: false })
    expectCode(again, 0)
    expect(again.json()).toMatchObject({ tradingDate: sessionOf(CLOSED - 1) })
    expect(conclusionOf(again).headline).toBe('complete')
  },
)

test.runIf(LONG)(
  'a night for symbols that did not trade says nothing of it, as long as anything has the session',
  async () => {
    const cwd = await homeAfter(1)
    const night = 2
    const standIn = await service(night)
    const { summaries } = standIn.market
    const today = sessionOf(night).replaceAll('-', '/')
    const at = summaries.findIndex(({ symbol, tradingDate }) => symbol === 'DNT' && tradingDate === today)
    if (at >= 0) summaries.splice(at, 1)
    const ran = await runNight(standIn, cwd, night, { accounts: false, args: ['--symbols', 'DNT'] })
    expect(conclusionOf(ran).reasons.map(({ kind }) => kind)).not.toContain('session_unseen')
  },
)
