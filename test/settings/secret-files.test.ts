import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { refusal, resolve, SECRET, words } from './support/places.js'

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
