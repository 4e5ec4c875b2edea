import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Conclusion } from '../../../src/night/conclusion.js'
import { LONG } from '../../support/long.js'
import { cli, type Ran } from '../../support/program.js'
import { ask } from '../../support/published.js'
import { towards } from '../support/cli.js'
import { restorableHashes } from '../support/hashes.js'
import { expectCode } from '../support/nights.js'
import { differences, shown } from './support/differences.js'
import { Evenings, undueDifferences } from './support/evenings.js'
import { publishedIn } from './support/published.js'
import {
  ACCOUNTS,
  eveningClock,
  homeAfter,
  otpOf,
  runNight,
  type Service,
  service,
  sessionOf,
  smallMarket,
} from './support/world.js'

const CLOSED = 3

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

test('a service that does not have the session yet: the night says so and ends with 4; typed again once the service has it, the home is equal everywhere', async () => {
  const evenings = new Evenings()
  const night = 2
  const { ran, cwd, standIn } = await evenings.run({
    night,
    change: ({ setOptions }) => {
      setOptions({ today: sessionOf(night - 1) })
      return () => setOptions({ today: sessionOf(night) })
    },
    names: [],
    touches: () => true,
    // Asked at the price of the session before, which was the latest one known.
    lasting: ({ relation }) => relation === 'account.max_quantity',
  })
  expectUnseen(ran, sessionOf(night))
  // A snapshot alone does not settle it.
  const snapshot = await cli(['snapshot', '--json'], {
    cwd,
    env: towards(standIn),
    effects: eveningClock(sessionOf(night)),
  })
  expect(conclusionOf(snapshot).reasons.map(({ kind }) => kind)).toEqual(['session_unseen'])
  expectCode(await typeAdvice(ran, standIn, cwd, night), 0)
  expect(await undueDifferences(cwd, night, ({ relation }) => relation.startsWith('account.'))).toEqual([])
  if (LONG) await evenings.healthy(night + 1)
})

test('exchanges closed on a day that no calendar names: that night ends with 4, the next one learns it, and no account has the day', async () => {
  const market = smallMarket(sessionOf(CLOSED))
  const cwd = await homeAfter(2)
  expectUnseen(await runNight(await service(CLOSED, market), cwd, CLOSED), sessionOf(CLOSED))
  const standIn = await service(CLOSED + 1, market)
  expectCode(await runNight(standIn, cwd, CLOSED + 1), 0)
  const curve = await ask(
    join(cwd, 'data'),
    `SELECT CAST(trading_date AS VARCHAR) AS day FROM mart.account_equity_curve WHERE account_no = '${ACCOUNTS[0]}' ORDER BY 1`,
  )
  expect(curve.map((row) => row.day)).toEqual([1, 2, CLOSED + 1].map(sessionOf))
  if (!LONG) return
  // Typed later for that day, the night knows.
  const late = { effects: eveningClock(sessionOf(CLOSED + 1)), accounts: false }
  expectCode(await runNight(standIn, cwd, CLOSED, late), 0)
})

test.runIf(LONG)(
  'a night on a day that turns out to be closed leaves nothing but what it read that evening',
  async () => {
    const market = smallMarket(sessionOf(CLOSED))
    const [cwd, other] = [await homeAfter(2), await homeAfter(2)]
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
    const cwd = await homeAfter(2)
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
