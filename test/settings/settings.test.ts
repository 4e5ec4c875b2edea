import { chmodSync, chownSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SettingsError } from '../../src/errors.js'
import { keysOf, requireCredentials, resolveSettings, type Settings } from '../../src/settings/index.js'
import { temporaryFolder } from '../support/folder.js'

interface Places {
  flags?: Record<string, string | undefined>
  environment?: Record<string, string | undefined>
  env?: string
  toml?: string
  /** Mode of both files. @default 0o600 */
  mode?: number
  folder?: string
}

const SECRET = 'hunter2-0123456789'

function resolve({ flags = {}, environment = {}, env, toml, mode = 0o600, folder }: Places) {
  const home = folder ?? temporaryFolder()
  const write = (name: string, text: string | undefined) => {
    if (text === undefined) return
    writeFileSync(join(home, name), text)
    chmodSync(join(home, name), mode)
  }
  write('.env', env)
  write('candlehouse.toml', toml)
  return resolveSettings({ flags, environment, folder: home })
}

function refusal(places: Places): SettingsError {
  try {
    resolve(places)
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError)
    return error as SettingsError
  }
  throw new Error('was accepted')
}

/** All a user sees of an error. */
function words(error: SettingsError): string {
  return `${error.message}\n${error.hint}`
}

function line(places: Places, variable: string) {
  const found = resolve(places).shown.find((each) => each.variable === variable)
  return { value: found?.value, origin: found?.origin }
}

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

describe('what is shown', () => {
  test('every setting, once', () => {
    expect(
      resolve({})
        .shown.map((each) => each.variable)
        .sort(),
    ).toEqual([
      'AWS_ACCESS_KEY_ID',
      'AWS_ENDPOINT_URL',
      'AWS_ENDPOINT_URL_S3',
      'AWS_PROFILE',
      'AWS_REGION',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_SESSION_TOKEN',
      'BROKER_API_KEY',
      'BROKER_API_SECRET',
      'BROKER_BASE_URL',
      'BROKER_FIELD_SUFFIX',
      'BROKER_LANGUAGE',
      'BROKER_MAX_RPS',
      'BROKER_OTP',
      'BROKER_SIGNATURE_FORM',
      'BROKER_SIGNING_KEY_FILE',
      'CANDLEHOUSE_HOME',
      'CANDLEHOUSE_LAKE_MARTS',
      'CANDLEHOUSE_LAKE_URL',
      'CANDLEHOUSE_MAX_HOURS',
      'CANDLEHOUSE_NOTIFY_COMMAND',
      'CANDLEHOUSE_NOTIFY_URL',
      'CANDLEHOUSE_PALETTE',
      'CANDLEHOUSE_RETAIN_DAYS',
      'DEPOSITORY_FIELD_SUFFIX',
    ])
  })

  test('secrets are masked wherever they come from, and listed for scrubbing', () => {
    const { shown, secrets } = resolve({
      flags: { BROKER_OTP: '483920' },
      environment: { BROKER_API_KEY: 'the-key-itself' },
      env: `BROKER_API_SECRET=${SECRET}\n`,
    })
    expect(JSON.stringify(shown)).not.toMatch(new RegExp(`483920|the-key-itself|${SECRET}`))
    expect(
      shown.filter((each) => each.origin !== 'default').map(({ variable, value }) => [variable, value]),
    ).toEqual([
      ['BROKER_API_KEY', '********'],
      ['BROKER_API_SECRET', '********'],
      ['BROKER_OTP', '********'],
    ])
    expect([...secrets].sort()).toEqual(['483920', SECRET, 'the-key-itself'])
  })

  test('a mask is as long for a short secret as for a long one', () => {
    const mask = (value: string) => line({ environment: { BROKER_API_KEY: value } }, 'BROKER_API_KEY').value
    expect(mask('x')).toBe(mask('x'.repeat(100)))
  })

  test('a password in the address is masked and scrubbed, the address is not', () => {
    const places = { environment: { BROKER_BASE_URL: `https://desk:${SECRET}@broker.example/api` } }
    expect(line(places, 'BROKER_BASE_URL').value).toBe('https://********@broker.example/api')
    expect(resolve(places).secrets).toEqual([SECRET])
  })

  test('of a webhook only the host is shown; what may be its token is scrubbed', () => {
    const shown = (url: string) =>
      line({ environment: { CANDLEHOUSE_NOTIFY_URL: url } }, 'CANDLEHOUSE_NOTIFY_URL').value
    const scrubbed = (url: string) => resolve({ environment: { CANDLEHOUSE_NOTIFY_URL: url } }).secrets
    expect(shown('https://hooks.example/services/T0/canary-canary')).toBe('https://hooks.example/********')
    expect(scrubbed('https://hooks.example/services/T0/canary-canary')).toEqual([
      '/services/T0/canary-canary',
      'canary-canary',
    ])
    expect(scrubbed(`https://me:${SECRET}@hooks.example/?token=canary-canary`)).toEqual([
      '/?token=canary-canary',
      'canary-canary',
      'me',
      SECRET,
    ])
    expect(shown('http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080')
    expect(scrubbed('http://127.0.0.1:8080')).toEqual([])
  })

  test.each([
    ['/usr/local/bin/notify', '/usr/local/bin/notify'],
    ['curl -H "Authorization: canary" https://x', 'curl ********'],
    ['TOKEN=canary notify', '********'],
  ])('of the command only the program is shown: %s', (command, value) => {
    const places = { environment: { CANDLEHOUSE_NOTIFY_COMMAND: command } }
    expect(line(places, 'CANDLEHOUSE_NOTIFY_COMMAND').value).toBe(value)
    expect(resolve(places).settings.notifyCommand).toBe(command)
  })

  test('nothing is masked where nothing is set', () => {
    expect(line({}, 'BROKER_OTP')).toEqual({ value: 'none', origin: 'default' })
  })
})

describe('files with secrets', () => {
  test.each([0o640, 0o604, 0o660, 0o644])('.env is refused with a secret and mode %o', (mode) => {
    const folder = temporaryFolder()
    const error = refusal({ folder, env: `BROKER_API_SECRET=${SECRET}\n`, mode })
    expect(error.exitCode).toBe(3)
    expect(error.message).toContain(join(folder, '.env'))
    expect(error.message).toContain('BROKER_API_SECRET')
    expect(error.hint).toBe(`chmod 600 ${join(folder, '.env')}`)
    expect(words(error)).not.toContain(SECRET)
  })

  test('candlehouse.toml is refused too', () => {
    const folder = temporaryFolder()
    const error = refusal({ folder, toml: `broker_api_key = "${SECRET}"\n`, mode: 0o640 })
    expect(error.hint).toBe(`chmod 600 ${join(folder, 'candlehouse.toml')}`)
    expect(words(error)).not.toContain(SECRET)
  })

  test.each([
    ['.env', { env: 'CANDLEHOUSE_NOTIFY_COMMAND=notify\n' }],
    ['candlehouse.toml', { toml: 'candlehouse_notify_command = "notify"\n' }],
  ])('a command in %s counts only where nobody else can write the file', (name, places) => {
    const folder = temporaryFolder()
    for (const mode of [0o620, 0o602, 0o666]) {
      const error = refusal({ folder, mode, ...places })
      expect([error.exitCode, error.hint]).toEqual([3, `chmod go-w ${join(folder, name)}`])
    }
    expect(resolve({ folder, mode: 0o644, ...places }).settings.notifyCommand).toBe('notify')
  })

  // Only root can give a file away.
  test.skipIf(process.getuid?.() !== 0)('a command in a file of another user is refused', () => {
    const folder = temporaryFolder()
    const toml = 'candlehouse_notify_command = "notify"\n'
    expect(resolve({ folder, toml, mode: 0o644 }).settings.notifyCommand).toBe('notify')
    chownSync(join(folder, 'candlehouse.toml'), 12_345, 12_345)
    const error = refusal({ folder })
    expect(error.message).toContain('belongs to another user')
    expect(error.hint).toContain('set CANDLEHOUSE_NOTIFY_COMMAND in the environment')
  })

  test('.env without a secret may be read by others', () => {
    const env = 'BROKER_LANGUAGE=vi\nBROKER_API_SECRET=\n'
    expect(resolve({ env, mode: 0o644 }).settings.broker.language).toBe('vi')
  })

  test('a secret that only its owner reads is taken', () => {
    expect(resolve({ env: `BROKER_API_SECRET=${SECRET}\n`, mode: 0o400 }).settings.broker.apiSecret).toBe(
      SECRET,
    )
  })

  test('an empty secret is no secret, in candlehouse.toml as in .env', () => {
    expect(resolve({ toml: 'broker_api_key = ""\n', mode: 0o644 }).settings.broker.apiKey).toBe('')
  })

  test('a relative signing key is below the working folder', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'key.pem'), 'a key')
    chmodSync(join(folder, 'key.pem'), 0o644)
    expect(words(refusal({ folder, environment: { BROKER_SIGNING_KEY_FILE: 'key.pem' } }))).toContain(
      `chmod 600 ${join(folder, 'key.pem')}`,
    )
  })

  test('a signing key that others can read is refused', () => {
    const key = join(temporaryFolder(), 'key.pem')
    writeFileSync(key, SECRET)
    chmodSync(key, 0o640)
    const error = refusal({ environment: { BROKER_SIGNING_KEY_FILE: key } })
    expect(error.hint).toBe(`chmod 600 ${key}`)
    chmodSync(key, 0o600)
    expect(() => resolve({ environment: { BROKER_SIGNING_KEY_FILE: key } })).not.toThrow()
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

describe('candlehouse.toml', () => {
  test('an unknown setting is named, with those that are known', () => {
    const error = refusal({ toml: 'broker_max_rsp = 5\n' })
    expect(error.message).toBe("candlehouse.toml: unknown setting 'broker_max_rsp'")
    expect(error.hint).toContain('broker_max_rps')
    expect(error.hint).toContain('candlehouse_home')
  })

  test.each(['broker_max_rps = true', 'broker_max_rps = [1]', 'candlehouse_home = { a = 1 }'])(
    'a value that is neither text nor number is refused: %s',
    (toml) => {
      expect(refusal({ toml }).message).toMatch(/^candlehouse.toml: \w+ must be text or a number$/)
    },
  )

  test('a file that is not TOML is refused without its text', () => {
    const error = refusal({ toml: `broker_api_secret = ${SECRET} oops\n` })
    expect(error.message).toMatch(/^candlehouse.toml cannot be read: /)
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

describe('[[accounts]]', () => {
  const toml = (entries: string): string => `broker_base_url = "https://api.example.test"\n${entries}`
  const entry = (name: string, more = ''): string =>
    `[[accounts]]\nname = "${name}"\napi_key_env = "${name.toUpperCase()}_KEY"\napi_secret_file = "${name}.secret"\n${more}`
  const both = toml(entry('one') + entry('two', 'otp_env = "TWO_OTP"\n'))

  test('names keys whose secrets come from the environment, from .env and from files; config show has none of them', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'one.secret'), `${SECRET}\n`, { mode: 0o600 })
    const { settings, shown, secrets } = resolve({
      folder,
      environment: { ONE_KEY: 'key-of-one', TWO_OTP: '', BROKER_API_KEY: 'of-nobody' },
      env: 'TWO_KEY=key-of-two\nONE_KEY=weaker\n',
      toml: both,
    })
    const [one, two] = keysOf(settings)
    expect([one?.keyName, one?.broker.apiKey, one?.broker.apiSecret]).toEqual(['one', 'key-of-one', SECRET])
    expect([two?.keyName, two?.broker.apiKey, two?.broker.apiSecret]).toEqual(['two', 'key-of-two', ''])
    expect(two?.broker.otp).toBeUndefined()
    expect(secrets).toEqual(expect.arrayContaining(['key-of-one', SECRET, 'key-of-two']))
    const text = JSON.stringify(shown)
    for (const secret of ['key-of-one', SECRET, 'key-of-two']) expect(text).not.toContain(secret)
    expect(shown.find(({ variable }) => variable === 'accounts.one.api_key')).toMatchObject({
      value: '******** (ONE_KEY)',
      origin: 'environment',
    })
    // One key that is not set is no reason to stop: only that key cannot log in.
    expect(() => requireCredentials(one as Settings)).not.toThrow()
    expect(() => requireCredentials(two as Settings)).toThrow(
      `key two: ${join(folder, 'two.secret')} does not exist`,
    )
  })

  test.each<[string, string, string]>([
    [
      'a secret in the file',
      '[[accounts]]\nname = "a"\napi_key = "x"\n',
      'api_key must not stand in the file',
    ],
    [
      'no reference',
      '[[accounts]]\nname = "a"\napi_key_env = "A"\n',
      'needs api_secret_env or api_secret_file',
    ],
    ['two references', entry('a', 'api_key_file = "x"\n'), 'has both api_key_env and api_key_file'],
    ['no name', '[[accounts]]\napi_key_env = "A"\n', 'name is missing'],
    ['a name that is no file name', entry('a').replace('"a"', '"../a"'), 'small letters, digits'],
    ['two keys of one name', entry('a') + entry('a'), "two keys named 'a'"],
    ['an unknown field', entry('a', 'session = "x"\n'), 'session'],
    ['no tables', 'accounts = "a"\n', 'must be tables'],
  ])('%s is refused', (_, entries, message) => {
    expect(refusal({ toml: entries }).message).toContain(message)
  })

  test('one key under two names is refused: each login would end the other session', () => {
    const environment = { ONE_KEY: 'same', TWO_KEY: 'same' }
    expect(refusal({ environment, toml: both }).message).toContain('one and two are the same API key')
  })

  test('a file of the folder cannot redirect a secret from outside it', () => {
    const outside = join(temporaryFolder(), 'secret')
    writeFileSync(outside, SECRET, { mode: 0o600 })
    const far = both.replaceAll('"one.secret"', JSON.stringify(outside))
    expect(resolve({ toml: both, environment: { ONE_KEY: 'k' } }).settings.redirection).toContain(
      'ONE_KEY from the environment',
    )
    expect(resolve({ toml: far }).settings.redirection).toContain(`${outside} from outside it`)
    const here = temporaryFolder()
    writeFileSync(join(here, 'one.secret'), SECRET, { mode: 0o600 })
    expect(resolve({ folder: here, toml: both, env: 'ONE_KEY=k\n' }).settings.redirection).toBeUndefined()
    symlinkSync(outside, join(here, 'two.secret'))
    expect(resolve({ folder: here, toml: both }).settings.redirection).toContain('from outside it')
    const given = { BROKER_BASE_URL: 'https://api.example.test', ONE_KEY: 'k' }
    expect(resolve({ toml: far, environment: given }).settings.redirection).toBeUndefined()
  })

  test('a secret that others can read is a problem of its key', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'one.secret'), SECRET)
    chmodSync(join(folder, 'one.secret'), 0o644)
    const { settings } = resolve({ folder, toml: both, env: 'ONE_KEY=k\n' })
    expect(() => requireCredentials(keysOf(settings)[0] as Settings)).toThrow('can be read by others')
  })
})
