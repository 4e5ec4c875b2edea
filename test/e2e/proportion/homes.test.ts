import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/folder.js'
import { LONG } from '../../support/long.js'
import { cli, type Ran } from '../../support/program.js'
import { filesBelow } from '../../support/published.js'
import { ALWAYS } from '../support/bad-answers.js'
import { towards } from '../support/cli.js'
import { Evenings, undueDifferences } from './support/evenings.js'
import { snapshotOf } from './support/touches.js'
import {
  ACCOUNTS,
  type Clock,
  eveningClock,
  homeAfter,
  runNight,
  type Service,
  service,
  sessionOf,
} from './support/world.js'

const words = (ran: Ran): string => `exit ${ran.code}\n${ran.stdout}\n${ran.stderr}`

/** A command at the evening of a session, towards the service. */
const type = (args: string[], cwd: string, standIn: Service, day: string): Promise<Ran> =>
  cli(args, { cwd, env: towards(standIn), effects: eveningClock(day) })

/** Listens again so many milliseconds after the first wait from now on. */
function pluggedAfter(standIn: Service, clock: Clock, ms: number): void {
  const start = clock.monotonic()
  clock.whenWaiting = async () => {
    if (clock.monotonic() - start < ms) return
    clock.whenWaiting = () => undefined
    await standIn.plug()
  }
}

test('connections are refused for twenty seconds from the first request on, and for forty-five seconds in the middle of the night: waited out', async () => {
  const cwd = LONG ? await homeAfter(1) : temporaryFolder()
  const standIn = await service(2)
  await standIn.unplug()
  const clock = eveningClock(sessionOf(2))
  pluggedAfter(standIn, clock, 20_000)
  standIn.onRequest = async (_, { path }) => {
    if (!path.endsWith('/masterdata')) return
    standIn.onRequest = undefined
    await standIn.unplug()
    pluggedAfter(standIn, clock, 45_000)
  }
  const ran = await runNight(standIn, cwd, 2, { effects: clock, accounts: LONG })
  expect(ran.code, words(ran)).toBe(0)
  expect(standIn.onRequest).toBeUndefined()
  expect(clock.monotonic()).toBeGreaterThan(65_000)
  // Complete: that it is equal everywhere after faults that pass, in short: one-fault.test.ts.
  if (LONG) expect(await undueDifferences(cwd, 2, () => false)).toEqual([])
})

/** One home without accounts. In short: test/e2e/damaged-home.test.ts. */
test.runIf(LONG)(
  'rm -rf lake, then publish; a truncated file of the lake, then publish; another one, then nightly: healed, or 6 with the cure; never a bug',
  async () => {
    const cwd = await homeAfter(1, false)
    const standIn = await service(2)
    const lake = join(cwd, 'data', 'lake')
    expect((await runNight(standIn, cwd, 2, { accounts: false })).code).toBe(0)
    rmSync(lake, { recursive: true })
    const written = await type(['publish', '--json'], cwd, standIn, sessionOf(2))
    expect(written.code, words(written)).toBe(0)
    expect(await undueDifferences(cwd, 2, () => false, false)).toEqual([])

    const publish = (): Promise<Ran> => type(['publish', '--json'], cwd, standIn, sessionOf(3))
    const nightly = (): Promise<Ran> => runNight(standIn, cwd, 3, { accounts: false })
    standIn.turn(3)
    for (const run of [publish, nightly]) {
      const file = filesBelow(lake).find((name) => /^market\/daily_summary\/.*\.parquet$/.test(name)) ?? ''
      chmodSync(join(lake, file), 0o600)
      truncateSync(join(lake, file), 100)
      const ran = await run()
      expect([0, 4, 6], words(ran)).toContain(ran.code)
      expect(words(ran)).not.toMatch(/this is a bug/)
      if (ran.code === 6) {
        const advised = /candlehouse ((?:lake|publish|replay|repair)[^"\\\n#]*)/.exec(words(ran))?.[1]?.trim()
        expect(advised, words(ran)).toBeDefined()
        await type((advised ?? '').split(' '), cwd, standIn, sessionOf(3))
      }
      expect(statSync(join(lake, file)).size).toBeGreaterThan(100)
    }
    expect((await nightly()).code).toBe(0)
    expect(await undueDifferences(cwd, 3, () => false, false)).toEqual([])
  },
)

test('login --otp "": refused, and the stored session stays', async () => {
  const cwd = await homeAfter(0)
  const standIn = await service(1)
  const day = sessionOf(1)
  expect((await type(['login', '--otp', '246811'], cwd, standIn, day)).code).toBe(0)
  const file = join(cwd, 'data', 'session.json')
  const stored = digest(file)
  const logins = standIn.count('/auth/token')
  const ran = await type(['login', '--otp', ''], cwd, standIn, day)
  expect(ran.code, words(ran)).toBe(2)
  expect(existsSync(file) && digest(file)).toBe(stored)
  expect(standIn.count('/auth/token')).toBe(logins)
})

/** In short: test/read/status.test.ts, and one-fault.test.ts, whose next nights close gaps. */
test.runIf(LONG)(
  'the gap of a snapshot is closed by a later complete one, or said to be lost: status, doctor and repair agree',
  async () => {
    const night = 2
    const [cash] = ACCOUNTS
    const evenings = new Evenings()
    const fault = { path: '/trading/position', where: { accountNo: cash } }
    await evenings.run({
      night,
      faults: [{ kind: 'status', status: 500, match: fault, times: ALWAYS }],
      names: [cash],
      touches: snapshotOf(cash, sessionOf(night)),
    })
    const { cwd, standIn } = await evenings.run({
      night: night + 1,
      code: 0,
      names: [],
      touches: ({ relation, kind, row }) =>
        snapshotOf(cash, sessionOf(night))({ relation, kind, row }) ||
        (relation === 'account.order_book' && kind === 'new'),
    })
    const day = sessionOf(night + 1)
    const status = await type(['status', '--json'], cwd, standIn, day)
    const { gapCount } = status.json<{ gapCount: number }>()
    if (gapCount !== 0) expect(status.stdout).toMatch(/cannot be fetched any more/)
    const doctor = await type(['doctor', '--json'], cwd, standIn, day)
    if (new RegExp(cash).test(doctor.stdout)) expect(doctor.stdout).toMatch(/cannot be fetched any more/)
  },
)

function digest(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
