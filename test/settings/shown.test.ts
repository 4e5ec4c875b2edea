import { describe, expect, test } from 'vitest'
import { line, resolve, SECRET } from './support/places.js'

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
      'CANDLEHOUSE_CLOCK_HOURS',
      'CANDLEHOUSE_HOME',
      'CANDLEHOUSE_LAKE_MARTS',
      'CANDLEHOUSE_LAKE_URL',
      'CANDLEHOUSE_MAX_HOURS',
      'CANDLEHOUSE_NOTIFY_COMMAND',
      'CANDLEHOUSE_NOTIFY_URL',
      'CANDLEHOUSE_PALETTE',
      'CANDLEHOUSE_READERS',
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

  test.each([
    ['wget -nv https://hooks.example/services/T0KEN-0123456789', ['T0KEN-0123456789']],
    ["curl 'https://candlehouse:pa55word@x/?key=0123456789ab&a=1' https://[", ['0123456789ab', 'pa55word']],
    ['curl https://t0ken@x/ https://t0ken-012345:x@x/', ['t0ken', 't0ken-012345', 'x']],
    ['curl -H "Authorization: Bearer gho_a1b2c3d4e5f6g7h8i9j0" https://x/y', ['gho_a1b2c3d4e5f6g7h8i9j0']],
    ['TOKEN=a1b2c3d4e5f6g7h8i9j0 notify', ['a1b2c3d4e5f6g7h8i9j0']],
    ['/srv/candlehouse-2025-production/notify.sh --log=~/candlehouse-notify-2025/log', []],
    ['sh ./notify-2025-of-the-desk/run.sh 2>$HOME/candlehouse-notify-2025/log', []],
    ['mail -s "$CANDLEHOUSE_RUN_OUTCOME of 2026-11-20" desk2@example.com > /tmp/notify-2026.log', []],
  ])('what may be a token in the command is listed for scrubbing: %s', (command, tokens) => {
    const { secrets } = resolve({ environment: { CANDLEHOUSE_NOTIFY_COMMAND: command } })
    expect([...secrets].sort()).toEqual(tokens)
  })

  test('nothing is masked where nothing is set', () => {
    expect(line({}, 'BROKER_OTP')).toEqual({ value: 'none', origin: 'default' })
  })
})
