import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Diagnosis } from '../../src/doctor/index.js'
import type { StandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { startScript } from '../support/process.js'
import { cli, type Environment, type Ran } from '../support/program.js'
import { towards } from './support/cli.js'
import { expectCode, service } from './support/nights.js'

const of = (ran: Ran, check: string): Diagnosis | undefined =>
  ran.json<{ diagnoses: Diagnosis[] }>().diagnoses.find((each) => each.check === check)

/** What a doctor says of the login, and what it has asked the service, besides for its clock. */
async function examine(standIn: StandIn, cwd: string, env: Environment = {}) {
  const before = standIn.requests.length
  const ran = await cli(['doctor', '--json'], { cwd, env: towards(standIn, env) })
  const asked = standIn.requests
    .slice(before)
    .flatMap(({ method, path }) => (method === 'HEAD' ? [] : [`${method} ${path}`]))
  return { ran, login: of(ran, 'login'), asked }
}

const hold = new URL('../support/hold.ts', import.meta.url)

const LOGIN = 'POST /api/v3/auth/token'
const READ = 'GET /api/v3/account/info'

async function loggedIn(standIn: StandIn): Promise<string> {
  const cwd = temporaryFolder()
  expectCode(await cli(['login', '--otp', standIn.otp], { cwd, env: towards(standIn) }), 0)
  return cwd
}

test('without a session key and secret are tried by one login, which spends no one-time password', async () => {
  const standIn = await service()
  const cwd = temporaryFolder()
  const { ran, login, asked } = await examine(standIn, cwd, { BROKER_OTP: standIn.otp })
  expectCode(ran, 0)
  expect(login).toMatchObject({ state: 'ok', finding: expect.stringContaining('key and secret') })
  expect(asked).toEqual([LOGIN])
  expect(of(await cli(['doctor', '--json'], { cwd, env: towards(standIn) }), 'session')?.finding).toBe(
    'none is stored',
  )
})

test('a wrong key or secret: the variables are named, exit 3, after one request', async () => {
  const standIn = await service()
  const { ran, login, asked } = await examine(standIn, temporaryFolder(), { BROKER_API_SECRET: 'wrong' })
  expectCode(ran, 3)
  expect(login).toMatchObject({
    state: 'fail',
    exitCode: 3,
    finding: expect.stringContaining('refused BROKER_API_KEY and BROKER_API_SECRET: 401'),
  })
  expect(asked).toEqual([LOGIN])
})

test('a stored session is tried by one read, and is still there', async () => {
  const standIn = await service()
  const cwd = await loggedIn(standIn)
  // A login with these would be refused: none is made.
  const { ran, login, asked } = await examine(standIn, cwd, { BROKER_API_SECRET: 'wrong' })
  expectCode(ran, 0)
  expect(login).toMatchObject({ state: 'ok', finding: 'the service accepts the stored session' })
  expect(asked).toEqual([READ])
  expect((await examine(standIn, cwd)).asked).toEqual([READ])
})

test('a session that another login has ended is said, and no login replaces it', async () => {
  const standIn = await service()
  const cwd = await loggedIn(standIn)
  await loggedIn(standIn)
  const { ran, login, asked } = await examine(standIn, cwd)
  expectCode(ran, 3)
  expect(login).toMatchObject({
    state: 'fail',
    finding: 'the service no longer accepts the stored session',
    next: 'candlehouse login',
  })
  expect(asked).not.toContain(LOGIN)
})

test('while a run has the lock nothing is tried', async () => {
  const standIn = await service()
  const cwd = await loggedIn(standIn)
  const { child } = await startScript(hold, [join(cwd, 'data', 'warehouse.duckdb')])
  const { ran, login, asked } = await examine(standIn, cwd)
  expectCode(ran, 0)
  expect(login).toMatchObject({ state: 'note', finding: expect.stringContaining(`pid ${child.pid}`) })
  expect(asked).toEqual([])
})
