import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { keysOf, requireCredentials, type Settings } from '../../src/settings/index.js'
import { temporaryFolder } from '../support/folder.js'
import { refusal, resolve, SECRET } from './support/places.js'

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
