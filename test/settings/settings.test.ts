import { join } from 'node:path'
import { SettingsError } from 'candlehouse-foundation/errors'
import { describe, expect, test } from 'vitest'
import { requireCredentials } from '../../src/settings/index.js'
import { temporaryFolder } from '../support/folder.js'
import { line, refusal, resolve, SECRET, words } from './support/places.js'

const DEFAULT_MARTS = [
  'adjustment_factor',
  'daily_adjusted',
  'daily_factor',
  'instrument',
  'listed_share',
  'universe',
]

describe('where a setting comes from', () => {
  const everywhere = {
    flags: { BROKER_LANGUAGE: 'fl' },
    environment: { BROKER_LANGUAGE: 'en-GB' },
    env: 'BROKER_LANGUAGE=do\n',
    toml: 'broker_language = "to"\n',
  }

  test.each([
    ['a flag beats everything', everywhere, 'fl', 'flag'],
    ['the environment beats the files', { ...everywhere, flags: {} }, 'en-GB', 'environment'],
    ['.env beats candlehouse.toml', { env: everywhere.env, toml: everywhere.toml }, 'do', '.env'],
    ['candlehouse.toml beats the default', { toml: everywhere.toml }, 'to', 'candlehouse.toml'],
    ['the default is what is left', {}, 'en', 'default'],
  ])('%s', (_, places, value, origin) => {
    expect(resolve(places).settings.broker.language).toBe(value)
    expect(line(places, 'BROKER_LANGUAGE')).toEqual({ value, origin })
  })

  test.each([
    ['flag', { ...everywhere, flags: { BROKER_LANGUAGE: '' } }, 'en-GB'],
    ['environment', { ...everywhere, flags: {}, environment: { BROKER_LANGUAGE: '' } }, 'do'],
    ['.env', { env: 'BROKER_LANGUAGE=\n', toml: everywhere.toml }, 'to'],
    ['candlehouse.toml', { toml: 'broker_language = ""' }, 'en'],
  ])('an empty %s counts as unset', (_, places, value) => {
    expect(resolve(places).settings.broker.language).toBe(value)
  })

  test('each setting is looked up on its own', () => {
    const { settings } = resolve({
      flags: { CANDLEHOUSE_HOME: '/srv/candles' },
      environment: { BROKER_API_KEY: 'key' },
      env: `BROKER_API_SECRET=${SECRET}\n`,
      toml: 'broker_base_url = "https://api.example.test"\nbroker_max_rps = 2.5\n',
    })
    expect(settings).toEqual({
      home: '/srv/candles',
      retainDays: 7,
      clockHours: 12,
      readers: 'group',
      lakeMarts: DEFAULT_MARTS,
      palette: 'vietnam',
      bucket: {},
      keyName: 'default',
      accounts: [],
      baseUrl: 'https://api.example.test',
      redirection: expect.stringContaining('BROKER_API_KEY from the environment'),
      broker: {
        apiKey: 'key',
        apiSecret: SECRET,
        otp: undefined,
        credentialNames: { apiKey: 'BROKER_API_KEY', apiSecret: 'BROKER_API_SECRET' },
        maxRps: 2.5,
        language: 'en',
        brokerSuffix: 'Broker',
        depositorySuffix: 'Depository',
      },
    })
  })

  test('the defaults are the embedded sandbox, ten requests per second, and data in the working folder', () => {
    const folder = temporaryFolder()
    expect(resolve({ folder }).settings).toEqual({
      home: join(folder, 'data'),
      retainDays: 7,
      clockHours: 12,
      readers: 'group',
      lakeMarts: DEFAULT_MARTS,
      palette: 'vietnam',
      bucket: {},
      keyName: 'default',
      accounts: [],
      baseUrl: undefined,
      broker: {
        apiKey: '',
        apiSecret: '',
        otp: undefined,
        credentialNames: { apiKey: 'BROKER_API_KEY', apiSecret: 'BROKER_API_SECRET' },
        maxRps: 10,
        language: 'en',
        brokerSuffix: 'Broker',
        depositorySuffix: 'Depository',
      },
    })
  })

  test('a folder that names the S3 service gets no key of the environment or of a profile', () => {
    const env = 'AWS_ENDPOINT_URL=https://elsewhere.test\n'
    const redirection = (input: Parameters<typeof resolve>[0]) => resolve(input).settings.bucket.redirection
    expect(redirection({ env })).toMatch(/^AWS_ENDPOINT_URL comes from \.env of the working folder/)
    expect(redirection({ env, environment: { AWS_SECRET_ACCESS_KEY: 'x' } })).toBeDefined()
    expect(redirection({ env: `${env}AWS_SECRET_ACCESS_KEY=${SECRET}\n` })).toBeUndefined()
    expect(redirection({ environment: { AWS_ENDPOINT_URL: 'https://s3.test' } })).toBeUndefined()
  })

  test('the marts of the lake are all, none, or names; those that are always there may be named too', () => {
    const marts = (value: string) =>
      resolve({ environment: { CANDLEHOUSE_LAKE_MARTS: value } }).settings.lakeMarts
    expect(marts('none')).toEqual([])
    expect(marts('all')).toEqual([...DEFAULT_MARTS, 'daily'].sort())
    expect(marts('mart.universe, instrument,adjustment_event')).toEqual(['instrument', 'universe'])
    expect(words(refusal({ env: 'CANDLEHOUSE_LAKE_MARTS=universe,breadth\n' }))).toMatch(
      /^CANDLEHOUSE_LAKE_MARTS \(\.env\) has no mart breadth: all, none, or some of adjustment_factor, daily,/,
    )
  })

  test('a relative home is below the working folder, whichever place names it', () => {
    const folder = temporaryFolder()
    expect(resolve({ folder, environment: { CANDLEHOUSE_HOME: 'x/y' } }).settings.home).toBe(
      join(folder, 'x', 'y'),
    )
  })

  test('other variables of the environment and of .env are ignored', () => {
    expect(() =>
      resolve({ environment: { PATH: '/bin', BROKER_UNKNOWN: 'x' }, env: 'OTHER=1\n' }),
    ).not.toThrow()
  })
})

describe('a wrong setting', () => {
  test.each([
    ['BROKER_BASE_URL', 'api.example.test', 'must be an http or https address'],
    ['BROKER_BASE_URL', 'ftp://api.example.test', 'must be an http or https address'],
    ['BROKER_BASE_URL', 'file:///etc/passwd', 'must be an http or https address'],
    ['BROKER_MAX_RPS', 'fast', 'must be a number'],
    ['BROKER_MAX_RPS', '0', 'must be more than 0'],
    ['BROKER_MAX_RPS', '-1', 'must be more than 0'],
    ['BROKER_MAX_RPS', '1001', 'must be at most 1000'],
    ['CANDLEHOUSE_RETAIN_DAYS', '1.5', 'must be whole days'],
    ['CANDLEHOUSE_RETAIN_DAYS', '-1', 'must be at least 0'],
    ['CANDLEHOUSE_PALETTE', 'rainbow', 'must be one of vietnam, china, colourblind'],
    ['CANDLEHOUSE_CLOCK_HOURS', '-1', 'must be at least 0'],
    ['CANDLEHOUSE_MAX_HOURS', 'long', 'must be a number of hours'],
    ['CANDLEHOUSE_MAX_HOURS', '0', 'must be more than 0'],
    ['CANDLEHOUSE_MAX_HOURS', '8761', 'must be at most 8760'],
    ['BROKER_FIELD_SUFFIX', 'a b', 'must be letters, digits or _'],
    ['DEPOSITORY_FIELD_SUFFIX', 'x-y', 'must be letters, digits or _'],
    ['BROKER_LANGUAGE', 'en\r\nX-Evil: 1', 'must be a language such as en or vi'],
    ['BROKER_SIGNATURE_FORM', 'md5', "must be like 'secret+body hex sha256=' or 'body base64'"],
  ])('%s=%j is named with its place and what it must be', (variable, value, must) => {
    const error = refusal({ environment: { [variable]: value } })
    expect(error.exitCode).toBe(3)
    expect(error.message).toBe(`${variable} (environment) ${must}`)
  })

  test.each([
    ['flag', { flags: { BROKER_MAX_RPS: 'x' } }],
    ['environment', { environment: { BROKER_MAX_RPS: 'x' } }],
    ['.env', { env: 'BROKER_MAX_RPS=x\n' }],
    ['candlehouse.toml', { toml: 'broker_max_rps = "x"' }],
  ])('in %s is named with it', (origin, places) => {
    expect(refusal(places).message).toBe(`BROKER_MAX_RPS (${origin}) must be a number`)
  })

  test('is ignored where a stronger place has a right one', () => {
    const places = { flags: { BROKER_MAX_RPS: '5' }, environment: { BROKER_MAX_RPS: 'x' } }
    expect(resolve(places).settings.broker.maxRps).toBe(5)
  })

  test.each([
    ['the bounds', '1000', 1000],
    ['less than one a second', '0.2', 0.2],
  ])('is not one that is within bounds: %s', (_, text, value) => {
    expect(resolve({ environment: { BROKER_MAX_RPS: text } }).settings.broker.maxRps).toBe(value)
  })
})

describe('a variable that is spelled almost like a setting', () => {
  const mistyped = (more: Partial<Parameters<typeof resolve>[0]>) => resolve({ ...more }).mistyped

  test('is named with its place and the setting, where a run would go on without it', () => {
    const environment = { BROKER_BASE_UR: 'https://api.example.test', CANDELHOUSE_HOME: 'data' }
    expect(mistyped({ environment, env: `BROKER_API_SECERT=${SECRET}\n` })).toEqual([
      'BROKER_BASE_UR (environment) is not a setting: did you mean BROKER_BASE_URL?',
      'CANDELHOUSE_HOME (environment) is not a setting: did you mean CANDLEHOUSE_HOME?',
      'BROKER_API_SECERT (.env) is not a setting: did you mean BROKER_API_SECRET?',
    ])
  })

  test('is not one of another program, a longer one, one that is empty, or one that a key names', () => {
    const environment = {
      AWS_ENDPOINT_URL_STS: 'x',
      BROKER_API_KEY_2: 'x',
      BROKER_BASE_UR: '',
      BROKER_APIKEY: 'x',
      HOME: '/root',
    }
    const toml =
      'broker_base_url = "https://api.example.test"\n[[accounts]]\nname = "a"\napi_key_env = "BROKER_APIKEY"\napi_secret_env = "S"\n'
    expect(mistyped({ environment, toml })).toEqual([])
  })
})

describe('candlehouse.toml', () => {
  test.each([
    ['broker_max_rsp', /^did you mean broker_max_rps\?$/],
    ['BROKER_MAX_RPS', /^did you mean broker_max_rps\?$/],
    ['home', /^known are .*broker_max_rps.*candlehouse_home/],
  ])('an unknown setting is named, with the nearest one or all that are known: %s', (name, hint) => {
    const error = refusal({ toml: `${name} = 5\n` })
    expect([error.message, error.hint]).toEqual([
      `candlehouse.toml: unknown setting '${name}'`,
      expect.stringMatching(hint),
    ])
  })

  test.each(['broker_max_rps = true', 'broker_max_rps = [1]', 'candlehouse_home = { a = 1 }'])(
    'a value that is neither text nor number is refused: %s',
    (toml) => {
      const error = refusal({ toml })
      expect(error.message).toMatch(/^candlehouse.toml: \w+ must be text or a number$/)
      expect(error.hint).toMatch(/^write it in quotes: \w+ = "\.\.\."$/)
    },
  )

  test('a file that is not TOML is refused without its text', () => {
    const error = refusal({ toml: `broker_api_secret = ${SECRET} oops\n` })
    expect(error.message).toMatch(/^candlehouse.toml:1:21: invalid value$/)
    expect(error.hint).toContain('texts in quotes')
    expect(words(error)).not.toContain(SECRET)
  })

  test('a secret that is not text is refused without its value', () => {
    const error = refusal({ toml: `broker_api_secret = ["${SECRET}"]\n` })
    expect(words(error)).not.toContain(SECRET)
  })
})

describe('credentials', () => {
  const url = { BROKER_BASE_URL: 'https://api.example.test' }
  const need = (environment: Record<string, string>) => requireCredentials(resolve({ environment }).settings)

  test('none are needed for the embedded sandbox', () => {
    expect(() => need({})).not.toThrow()
  })

  test('with both, a real service can be asked', () => {
    expect(() => need({ ...url, BROKER_API_KEY: 'key', BROKER_API_SECRET: SECRET })).not.toThrow()
  })

  test.each([
    [{}, 'BROKER_BASE_URL is set, but BROKER_API_KEY and BROKER_API_SECRET are not'],
    [{ BROKER_API_KEY: 'key' }, 'BROKER_BASE_URL is set, but BROKER_API_SECRET is not'],
    [{ BROKER_API_SECRET: SECRET }, 'BROKER_BASE_URL is set, but BROKER_API_KEY is not'],
    [{ BROKER_API_KEY: '', BROKER_API_SECRET: SECRET }, 'BROKER_BASE_URL is set, but BROKER_API_KEY is not'],
  ])('what is missing is named: %j', (given, message) => {
    const error = (() => {
      try {
        need({ ...url, ...given })
        return undefined
      } catch (caught) {
        return caught
      }
    })()
    expect(error).toBeInstanceOf(SettingsError)
    expect(error).toMatchObject({ message, exitCode: 3 })
    expect((error as SettingsError).hint).toContain('.env')
    expect(words(error as SettingsError)).not.toContain(SECRET)
  })
})
