import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { plainHttpWarning, requireOwnAddress, resolveSettings } from '../../src/settings/index.js'
import { buildMarket, type StandIn, startStandIn } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { cli } from '../support/program.js'

const URL = 'BROKER_BASE_URL=https://elsewhere.example\n'
const KEYS = 'BROKER_API_KEY=k\nBROKER_API_SECRET=s\n'
const TOML = 'broker_base_url = "https://elsewhere.example"\n'
const key = { BROKER_API_KEY: 'k', BROKER_API_SECRET: 's' }
const url = { BROKER_BASE_URL: 'https://broker.example' }

interface Places {
  flags?: Record<string, string>
  environment?: Record<string, string>
  env?: string
  toml?: string
}

function settingsOf({ flags = {}, environment = {}, env, toml }: Places) {
  const folder = temporaryFolder()
  if (env !== undefined) writeFileSync(join(folder, '.env'), env, { mode: 0o600 })
  if (toml !== undefined) writeFileSync(join(folder, 'candlehouse.toml'), toml, { mode: 0o600 })
  return resolveSettings({ flags, environment, folder }).settings
}

describe('a file of the working folder cannot redirect a key', () => {
  test.each<[string, Places, string]>([
    ['.env, a key of the environment', { env: URL, environment: key }, '.env'],
    ['candlehouse.toml, a key of the environment', { toml: TOML, environment: key }, 'candlehouse.toml'],
    [
      '.env, a secret of the environment',
      { env: `${URL}${KEYS}`, environment: { BROKER_API_SECRET: 's' } },
      '.env',
    ],
    [
      '.env, a one-time password of the environment',
      { env: `${URL}${KEYS}`, environment: { BROKER_OTP: '1' } },
      '.env',
    ],
  ])('address of %s: refused', (_, places, origin) => {
    const refuse = () => requireOwnAddress(settingsOf(places))
    expect(refuse).toThrow(`BROKER_BASE_URL comes from ${origin} of the working folder`)
    expect(refuse).toThrow(
      expect.objectContaining({ exitCode: 3, hint: expect.stringContaining('--base-url') }),
    )
  })

  test.each<[string, Places]>([
    ['address and key of .env', { env: URL + KEYS }],
    ['address of candlehouse.toml, key of .env: one folder', { toml: TOML, env: KEYS }],
    ['address and key of the environment', { environment: { ...url, ...key } }],
    ['address of the environment, key of .env', { environment: url, env: KEYS }],
    [
      'address of the environment wins over that of the folder',
      { environment: { ...url, ...key }, env: URL },
    ],
    ['--base-url of the person at the terminal', { flags: url, environment: key, env: URL, toml: TOML }],
    ['an address without any key', { env: URL }],
    ['a key without any address: the embedded sandbox', { environment: key }],
  ])('%s: accepted', (_, places) => {
    expect(() => requireOwnAddress(settingsOf(places))).not.toThrow()
  })
})

describe('a file of the working folder cannot send the lake to a bucket', () => {
  const LAKE = 'CANDLEHOUSE_LAKE_URL=s3://elsewhere/lake\n'
  const AWS = 'AWS_ACCESS_KEY_ID=a\nAWS_SECRET_ACCESS_KEY=b\n'
  const aws = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
  const lake = { CANDLEHOUSE_LAKE_URL: 's3://own/lake' }

  test.each<[string, Places, string | undefined]>([
    ['keys of the environment', { env: LAKE, environment: aws }, 'the key of the bucket does not'],
    [
      'keys of a profile',
      { toml: 'candlehouse_lake_url = "s3://elsewhere/lake"\n' },
      'the key of the bucket',
    ],
    [
      'a home of the environment',
      { env: LAKE + AWS, environment: { CANDLEHOUSE_HOME: '/srv/home' } },
      'HOME does',
    ],
    ['a broker key of the environment', { env: LAKE + AWS, environment: key }, 'BROKER_API_SECRET do not'],
    ['all of the folder', { env: LAKE + AWS }, undefined],
    ['an address of the environment', { environment: { ...lake, ...aws }, env: LAKE + AWS }, undefined],
    ['no address', { environment: aws }, undefined],
  ])('%s', (_, places, why) => {
    const { urlRedirection } = settingsOf(places).bucket
    if (why === undefined) expect(urlRedirection).toBeUndefined()
    else expect(urlRedirection).toContain(why)
  })
})

test.each([
  ['http://broker.example', true],
  ['http://10.0.0.7:8080', true],
  ['http://127.evil.example', true],
  ['https://broker.example', false],
  ['http://127.0.0.1:9', false],
  ['http://127.8.8.8', false],
  ['http://localhost:9', false],
  ['http://[::1]:9', false],
])('%s with a key: warned %s', (address, isWarned) => {
  const settings = settingsOf({ environment: { BROKER_BASE_URL: address, ...key } })
  expect(plainHttpWarning(settings) !== undefined).toBe(isWarned)
  const withoutKey = settingsOf({ environment: { BROKER_BASE_URL: address } })
  expect(plainHttpWarning(withoutKey)).toBeUndefined()
})

describe('a run', () => {
  let standIn: StandIn
  beforeAll(async () => {
    standIn = await startStandIn({ market: buildMarket({ sessions: ['2025-03-14'] }) })
  })
  afterAll(async () => await standIn.close())

  const night = ['nightly', '--date', '2025-03-14', '--sessions', '1']

  test('stops with 3 before any request, also with a stored session; reading goes on', async () => {
    const cwd = temporaryFolder()
    const env = { BROKER_API_KEY: standIn.apiKey, BROKER_API_SECRET: standIn.apiSecret }
    writeFileSync(join(cwd, 'candlehouse.toml'), `broker_base_url = "${standIn.url}"\n`)
    const session = { baseUrl: standIn.url, key: null, accessToken: 'a', obtainedAt: 1 }
    mkdirSync(join(cwd, 'data'))
    writeFileSync(join(cwd, 'data/session.json'), JSON.stringify(session), { mode: 0o600 })
    const before = standIn.requests.length
    for (const args of [night, ['login', '--otp', '123456'], ['schedule', 'run']]) {
      const ran = await cli(args, { cwd, env })
      expect([ran.code, ran.stderr]).toEqual([
        3,
        expect.stringContaining('candlehouse.toml of the working folder'),
      ])
      expect(ran.stderr).not.toContain(standIn.apiKey)
    }
    expect(standIn.requests.length).toBe(before)
    for (const args of [['status'], ['plan']]) expect((await cli(args, { cwd, env })).code).toBe(0)
    expect((await cli(['logout'], { cwd, env })).code).toBe(0)
    const terminal = ['--base-url', standIn.url]
    expect((await cli(['login', '--otp', standIn.otp, ...terminal], { cwd, env })).code).toBe(0)
    // A night asks for data. One in full, with an address at the terminal: test/e2e/program.test.ts.
    const stop = new AbortController()
    standIn.onRequest = (_, { path }) => {
      if (path.includes('/data/')) stop.abort()
    }
    await cli([...night, ...terminal], { cwd, env, signal: stop.signal })
    expect(stop.signal.aborted).toBe(true)
  })

  test('warns of plain http before its first request', async () => {
    // A name that no machine has: the warning does not wait for an answer.
    const env = { BROKER_BASE_URL: 'http://broker.invalid', ...key }
    const stop = new AbortController()
    stop.abort()
    const ran = await cli(night, { cwd: temporaryFolder(), env, signal: stop.signal })
    expect(ran.stderr).toContain('warning: BROKER_BASE_URL is plain http')
  })
})
