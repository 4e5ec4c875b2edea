import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/folder.js'
import { LONG } from '../../support/long.js'
import { cli, type Ran } from '../../support/program.js'
import { ask } from '../../support/published.js'
import { towards } from '../support/cli.js'
import { restorableHashes } from '../support/hashes.js'
import { expectCode } from '../support/nights.js'
import type { Touch } from './support/differences.js'
import { saidBy, undueDifferences } from './support/evenings.js'
import {
  ACCOUNTS,
  eveningClock,
  homeAfter,
  otpOf,
  runNight,
  type Service,
  service,
  sessionOf,
} from './support/world.js'

const [RENUMBERED, LEFT_OUT, LISTED] = ACCOUNTS
const NEW_NUMBER = '0691234571'

interface Owned {
  accountNo?: unknown
}

/** The account has another number everywhere. What is returned undoes it. */
function renumber(standIn: Service, from: string, to: string): () => void {
  const { accounts, positions, orders, conditional } = standIn.accounts
  for (const row of [...accounts, ...positions, ...orders, ...conditional] as Owned[])
    if (row.accountNo === from) row.accountNo = to
  return () => renumber(standIn, to, from)
}

/** The list of accounts does not name the account. What is returned undoes it. */
function leaveOut(standIn: Service, accountNo: string): () => void {
  const { accounts } = standIn.accounts
  const at = accounts.findIndex((account) => account.accountNo === accountNo)
  const removed = accounts.splice(at, 1)
  return () => accounts.splice(at, 0, ...removed)
}

/** Rows of these two accounts, on whatever day. Of the third one, nothing may differ. */
const ofBoth: Touch = ({ relation, row }) =>
  (relation.startsWith('account.') && row.account_no !== LISTED) ||
  (relation === 'ops.coverage' && row.dataset === 'snapshot' && row.key !== LISTED)

const reasonSince = (night: number): string =>
  `the list of accounts no longer names it; its latest snapshot is of ${sessionOf(night)}`

async function expectReplayRestores(cwd: string): Promise<void> {
  const before = await restorableHashes(cwd)
  expectCode(await cli(['replay'], { cwd }), 0)
  expectCode(await cli(['publish'], { cwd }), 0)
  expect(await restorableHashes(cwd)).toEqual(before)
}

/** The run, its conclusion and the gaps name these accounts, with the reason. */
async function expectNamed(
  ran: Ran,
  cwd: string,
  night: number,
  accounts: readonly string[],
  reason: string,
): Promise<void> {
  expectCode(ran, 4)
  const { datasets, conclusion } = ran.json<{
    datasets: { dataset: string; missing: string[] }[]
    conclusion: { reasons: { kind: string; text: string }[] }
  }>()
  const lines = datasets.flatMap(({ missing }) => missing)
  expect(lines).toEqual(accounts.map((account) => `${account}: ${reason}`))
  const reasons = conclusion.reasons.filter(({ kind }) => kind === 'accounts_partial')
  expect(reasons.map(({ text }) => text)).toEqual([expect.stringContaining(reason)])
  for (const account of accounts) expect(reasons[0]?.text).toContain(account)
  const gaps = await ask(
    join(cwd, 'data'),
    `SELECT key, state, reason FROM ops.coverage
     WHERE dataset = 'snapshot' AND window_from = '${sessionOf(night)}' AND state <> 'complete' ORDER BY 1`,
  )
  expect(gaps).toEqual(accounts.map((key) => ({ key, state: 'incomplete', reason })))
}

// In short: the case an-account-that-the-list-no-longer-names-is-partial of test/cases/account.
test.runIf(LONG)(
  'an account that the list leaves out, and one with another number, are named on two nights, then believed closed; the account that returns is complete; a replay gives the same rows',
  async () => {
    const cwd = await homeAfter(1)
    const standIn = await service(2)
    const reason = reasonSince(1)
    const statesOn = async (night: number) =>
      await ask(
        join(cwd, 'data'),
        `SELECT account_no, state, missing FROM account.snapshot WHERE as_of = '${sessionOf(night)}' ORDER BY 1`,
      )
    const listed = [
      { account_no: LISTED, state: 'complete', missing: null },
      { account_no: NEW_NUMBER, state: 'complete', missing: null },
    ]
    /** The first evening is a whole night; accounts alone tell of the others. */
    const run = async (night: number): Promise<Ran> => {
      standIn.turn(night)
      if (night === 2) return await runNight(standIn, cwd, night)
      const day = sessionOf(night)
      const env = towards(standIn, { BROKER_OTP: otpOf(night) })
      return await cli(['snapshot', '--date', day, '--json'], { cwd, env, effects: eveningClock(day) })
    }

    const restore = leaveOut(standIn, LEFT_OUT)
    const undo = renumber(standIn, RENUMBERED, NEW_NUMBER)
    for (const night of [2, 3]) {
      await expectNamed(await run(night), cwd, night, [RENUMBERED, LEFT_OUT], reason)
      const lost = { state: 'partial', missing: reason }
      expect(await statesOn(night)).toEqual([
        { account_no: RENUMBERED, ...lost },
        { account_no: LEFT_OUT, ...lost },
        ...listed,
      ])
      if (night === 2) expect(await undueDifferences(cwd, night, ofBoth)).toEqual([])
    }

    const believed = await run(4)
    expectCode(believed, 0)
    expect(saidBy(believed)).not.toMatch(/no longer names it/)
    expect(await statesOn(4)).toEqual(listed)
    const status = await cli(['status', '--json'], { cwd, effects: eveningClock(sessionOf(4)) })
    expect(status.json()).toMatchObject({ gapCount: 0 })

    restore()
    const returned = await run(5)
    undo()
    expectCode(returned, 0)
    expect(saidBy(returned)).not.toMatch(/no longer names it/)
    expect(await statesOn(5)).toEqual([{ account_no: LEFT_OUT, state: 'complete', missing: null }, ...listed])
    expect(
      await ask(
        join(cwd, 'data'),
        `SELECT symbol FROM mart.account_position
       WHERE account_no = '${LEFT_OUT}' AND trading_date = '${sessionOf(5)}'`,
      ),
    ).toEqual([{ symbol: 'FPT' }])

    await expectReplayRestores(cwd)
  },
)

test('accounts whose list fails all evening are read and complete; what is missing is the list, and a later answer has it', async () => {
  const cwd = await homeAfter(1)
  const standIn = await service(2)
  const snapshot = async (otp: string): Promise<Ran> => {
    standIn.setOptions({ otp })
    const env = towards(standIn, { BROKER_OTP: otp })
    const effects = eveningClock(sessionOf(2))
    return await cli(['snapshot', '--date', sessionOf(2), '--json'], { cwd, env, effects })
  }
  const states = async () =>
    await ask(
      join(cwd, 'data'),
      `SELECT account_no, state FROM account.snapshot WHERE as_of = '${sessionOf(2)}' ORDER BY 1`,
    )
  const complete = ACCOUNTS.map((account_no) => ({ account_no, state: 'complete' }))

  standIn.setOptions({
    faults: [{ kind: 'status', status: 500, match: { path: '/account/info' }, times: 100 }],
  })
  const failed = await snapshot('first')
  expectCode(failed, 4)
  expect(await states()).toEqual(complete)
  const { conclusion } = failed.json<{ conclusion: { headline: string; reasons: { text: string }[] } }>()
  expect(conclusion.headline).toContain('the list of accounts was not read')
  expect(conclusion.reasons.map(({ text }) => text).join()).toContain('HTTP 500')

  // All attempts of the first question, and none of the one after the accounts.
  standIn.setOptions({
    faults: [{ kind: 'status', status: 500, match: { path: '/account/info' }, times: 9 }],
  })
  const late = await snapshot('second')
  expectCode(late, 0)
  expect(late.json()).toMatchObject({ conclusion: { reasons: [] } })
  expect(await states()).toEqual(complete)
  await expectReplayRestores(cwd)
})

const KEYS = ['first', 'second'] as const

/** Accounts of two keys; `snapshot` reads them on an evening. */
async function twoKeys() {
  const cwd = temporaryFolder()
  writeFileSync(
    join(cwd, 'candlehouse.toml'),
    KEYS.map(
      (name) => `[[accounts]]
name = "${name}"
api_key_env = "${name.toUpperCase()}_KEY"
api_secret_env = "${name.toUpperCase()}_SECRET"
otp_env = "${name.toUpperCase()}_OTP"
`,
    ).join('\n'),
  )
  const standIn = await service(1)
  const snapshot = async (
    night: number,
    accounts: Record<(typeof KEYS)[number], readonly string[]>,
  ): Promise<Ran> => {
    standIn.turn(night)
    const otp = (name: string): string => `${name}-otp-${night}`
    standIn.setOptions({
      apiKey: 'first-key',
      apiSecret: 'first-secret',
      otp: otp('first'),
      ownAccounts: accounts.first,
      keys: [
        {
          apiKey: 'second-key',
          apiSecret: 'second-secret',
          otp: otp('second'),
          accounts: accounts.second,
        },
      ],
    })
    const env = {
      BROKER_BASE_URL: standIn.url,
      BROKER_MAX_RPS: '1000',
      FIRST_KEY: 'first-key',
      FIRST_SECRET: 'first-secret',
      FIRST_OTP: otp('first'),
      SECOND_KEY: 'second-key',
      SECOND_SECRET: 'second-secret',
      SECOND_OTP: otp('second'),
    }
    const day = sessionOf(night)
    return await cli(['snapshot', '--date', day], { cwd, env, effects: eveningClock(day) })
  }
  const statesOn = async (night: number) =>
    await ask(
      join(cwd, 'data'),
      `SELECT account_no, key_name, state FROM account.snapshot WHERE as_of = '${sessionOf(night)}' ORDER BY ALL`,
    )
  return { cwd, snapshot, statesOn }
}

test.runIf(LONG)(
  'an account that moves from a key to a later one has one row of that evening, complete, and is not missing from then on',
  async () => {
    const { cwd, snapshot, statesOn } = await twoKeys()
    expectCode(await snapshot(1, { first: [RENUMBERED, LEFT_OUT], second: [LISTED] }), 0)
    const moved = await snapshot(2, { first: [RENUMBERED], second: [LEFT_OUT, LISTED] })
    expectCode(moved, 4)
    expect(moved.stdout).toContain(`key first: ${LEFT_OUT}: ${reasonSince(1)}`)
    const rows = [
      { account_no: RENUMBERED, key_name: 'first', state: 'complete' },
      { account_no: LEFT_OUT, key_name: 'second', state: 'complete' },
      { account_no: LISTED, key_name: 'second', state: 'complete' },
    ]
    expect(await statesOn(2)).toEqual(rows)
    expect(
      await ask(
        join(cwd, 'data'),
        "SELECT key FROM ops.coverage WHERE dataset = 'snapshot' AND state <> 'complete'",
      ),
    ).toEqual([])
    expectCode(await snapshot(3, { first: [RENUMBERED], second: [LEFT_OUT, LISTED] }), 0)
    expect(await statesOn(3)).toEqual(rows)
    await expectReplayRestores(cwd)
  },
)
