import type { StandInKey } from '../standin/index.js'

/** Names of the two keys of a home with accounts; the first one also reads the market. */
export const KEY_NAMES = ['main', 'desk'] as const
export type KeyName = (typeof KEY_NAMES)[number]

interface KeyOfWorld {
  readonly apiKey: string
  readonly apiSecret: string
  /** What each of its one-time passwords begins with. */
  readonly otp: string
  readonly accounts: readonly string[]
}

export const KEYS: Readonly<Record<KeyName, KeyOfWorld>> = {
  main: {
    apiKey: 'main-key-0001',
    apiSecret: 'main-secret-9d1c',
    otp: '7351',
    accounts: ['0691234561', '0691234566'],
  },
  desk: {
    apiKey: 'desk-key-0002',
    apiSecret: 'desk-secret-b27e',
    otp: '8462',
    accounts: ['0691234568'],
  },
}

/** What `candlehouse.toml` says of the keys. */
export const KEYS_TOML = KEY_NAMES.map((name) => {
  const variable = name.toUpperCase()
  return [
    '[[accounts]]',
    `name = "${name}"`,
    `api_key_env = "${variable}_KEY"`,
    `api_secret_env = "${variable}_SECRET"`,
    `otp_env = "${variable}_OTP"`,
    '',
  ].join('\n')
}).join('\n')

/** The variables of both keys, but for the passwords. */
export const KEYS_ENVIRONMENT: Readonly<Record<string, string>> = Object.fromEntries(
  KEY_NAMES.flatMap((name) => [
    [`${name.toUpperCase()}_KEY`, KEYS[name].apiKey],
    [`${name.toUpperCase()}_SECRET`, KEYS[name].apiSecret],
  ]),
)

/** One-time passwords of the nth login. */
export const passwordsOf = (nth: number): Readonly<Record<KeyName, string>> => ({
  main: `${KEYS.main.otp}${nth}00`,
  desk: `${KEYS.desk.otp}${nth}00`,
})

/** How the service knows the keys. @param refused a key whose secret it does not know */
export function asServed(
  passwords: Readonly<Record<KeyName, string>>,
  refused: KeyName | undefined,
): { apiKey: string; apiSecret: string; otp: string; ownAccounts: string[]; keys: StandInKey[] } {
  const of = (name: KeyName): StandInKey & { accounts: string[] } => ({
    apiKey: KEYS[name].apiKey,
    apiSecret: name === refused ? 'another-secret' : KEYS[name].apiSecret,
    otp: passwords[name],
    accounts: [...KEYS[name].accounts],
  })
  const { accounts, ...main } = of('main')
  return { ...main, ownAccounts: accounts, keys: [of('desk')] }
}
