import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { SettingsError } from 'candlehouse-foundation/errors'
import { type AccountKey, credentialsOf, problemOfKey, readAccounts } from './account-keys.js'
import { bucketRedirectionOf, lakeRedirectionOf, redirectionOf } from './address.js'
import { DEFAULT_KEY_NAME } from './key-name.js'
import { maskedPassword, maskedWhole } from './mask.js'
import { mistypedVariables } from './mistyped.js'
import { type Origin, readSources, refuseReadable, type Source } from './setting-sources.js'
import { type SettingName, type SettingSpec, specs } from './spec.js'

/** Credentials and manners towards a real service. Complete: nothing here is optional any more. */
export interface BrokerSettings {
  apiKey: string
  apiSecret: string
  otp: string | undefined
  /** What messages call key and secret: the variables or files that hold them. */
  credentialNames: { apiKey: string; apiSecret: string }
  maxRps: number
  language: string
  brokerSuffix: string
  depositorySuffix: string
}

/** A bucket to which the lake is also published, and the standard variables of AWS. */
export interface BucketSettings {
  /** `s3://bucket/prefix`; undefined: the lake is on this machine alone. */
  readonly url: string | undefined
  readonly accessKeyId: string | undefined
  readonly secretAccessKey: string | undefined
  readonly sessionToken: string | undefined
  readonly region: string | undefined
  readonly profile: string | undefined
  readonly endpoint: string | undefined
  /** Why nothing may be sent to the endpoint; undefined where it may. */
  readonly redirection: string | undefined
  /** Why the lake may not be sent to `url`; undefined where it may. */
  readonly urlRedirection: string | undefined
}

type Values = { [Name in SettingName]: (typeof specs)[Name]['fallback'] }

/** Settings that need nothing but their own value. An address of the service that is undefined: the embedded sandbox. */
const PLAIN = [
  'baseUrl',
  'retainDays',
  'lakeMarts',
  'maxHours',
  'clockHours',
  'readers',
  'palette',
  'notifyCommand',
  'notifyUrl',
] as const

type Plain = Pick<Values, (typeof PLAIN)[number]>

/** All known: nothing is optional after this. */
export interface Settings extends Plain {
  /** Absolute. */
  home: string
  /** Why the credentials may not be sent to the address; undefined where they may (`requireOwnAddress`). */
  redirection?: string | undefined
  /** Name of the API key in `broker`. */
  keyName: string
  broker: BrokerSettings
  /**
   * The keys of `[[accounts]]`, in their order; empty where the home has the one key in `broker`, only that one in the settings
   * of a key. See `keysOf`.
   */
  accounts: readonly AccountKey[]
  /** How a bucket is reached; its address is undefined where the lake is published on this machine alone. */
  bucket: BucketSettings
}

/** One line of `config show`. */
export interface ShownSetting {
  variable: string
  value: string
  origin: Origin | 'elsewhere'
  meaning: string
}

export interface ResolvedSettings {
  settings: Settings
  shown: ShownSetting[]
  /** Secret values in use, for scrubbing. */
  secrets: string[]
  /** A file of settings that this user may not read: a verb that writes or logs in must not go on without it. */
  unread: SettingsError | undefined
  /** Variables that are spelled almost like a setting, in words. */
  mistyped: readonly string[]
}

export interface SettingsInput {
  /** By variable name; flags of the command line. */
  flags: Readonly<Record<string, string | undefined>>
  environment: Readonly<Record<string, string | undefined>>
  /** Folder of `.env` and `candlehouse.toml`. */
  folder: string
}

/**
 * Flag > environment > .env > candlehouse.toml > default; an empty variable counts as unset.
 *
 * @throws SettingsError naming the variable, where it came from and what it should be
 */
export function resolveSettings({ flags, environment, folder }: SettingsInput): ResolvedSettings {
  const sources = readSources(flags, environment, folder)
  const read = Object.entries(specs).map(
    ([name, spec]) => [name, readSetting(spec as SettingSpec, sources)] as const,
  )
  const values = Object.fromEntries(read.map(([name, { value }]) => [name, value])) as Values
  const shown = read.map(([, setting]) => setting.shown)
  const keys = readAccounts(sources, folder)
  const credentials = keys.flatMap(credentialsOf)
  const signingKey = values.signingKeyFile && resolve(folder, values.signingKeyFile)
  if (signingKey && existsSync(signingKey)) refuseReadable(signingKey, 'it holds a private key')
  return {
    settings: settingsOf(values, folder, {
      accounts: keys,
      redirection: redirectionOf(
        shown,
        credentials.map(({ from, origin }) => ({ variable: from, origin })),
      ),
      bucket: { redirection: bucketRedirectionOf(shown), urlRedirection: lakeRedirectionOf(shown) },
    }),
    shown: [...shown, ...keys.flatMap(shownAccount)],
    secrets: [
      ...read.flatMap(([, { secrets }]) => secrets),
      ...credentials.flatMap(({ value }) => value ?? []),
    ],
    unread: sources.find(({ unread }) => unread)?.unread,
    mistyped: mistypedVariables(sources, new Set(credentials.map(({ from }) => from))),
  }
}

/** The value of a setting from the strongest source that has it, its line, and the secrets in it. */
function readSetting<Value>(
  { variable, fallback, fallbackText, meaning, mask, secret, schema }: SettingSpec<Value>,
  sources: readonly Source[],
): { value: Value; shown: ShownSetting; secrets: readonly string[] } {
  const source = sources.find(({ values }) => values[variable])
  const raw = source?.values[variable]
  if (!source || raw === undefined)
    return {
      value: fallback,
      shown: { variable, value: fallbackText, origin: 'default', meaning },
      secrets: [],
    }
  const masked = (mask ?? (secret ? maskedWhole : maskedPassword))(raw)
  const parsed = schema.safeParse(raw)
  if (!parsed.success)
    throw new SettingsError(
      `${variable} (${source.origin}) ${parsed.error.issues[0]?.message ?? 'is wrong'}`,
      { hint: 'candlehouse config show' },
    )
  return {
    value: parsed.data,
    shown: { variable, value: masked.shown, origin: source.origin, meaning },
    secrets: masked.secrets,
  }
}

/** @param resolved what more than one setting decides */
function settingsOf(
  values: Values,
  folder: string,
  resolved: Pick<Settings, 'accounts' | 'redirection'> & {
    readonly bucket: Pick<BucketSettings, 'redirection' | 'urlRedirection'>
  },
): Settings {
  return {
    ...(Object.fromEntries(PLAIN.map((name) => [name, values[name]])) as Plain),
    ...resolved,
    home: resolve(folder, values.home),
    keyName: DEFAULT_KEY_NAME,
    broker: {
      apiKey: values.apiKey ?? '',
      apiSecret: values.apiSecret ?? '',
      otp: values.otp,
      credentialNames: { apiKey: 'BROKER_API_KEY', apiSecret: 'BROKER_API_SECRET' },
      maxRps: values.maxRps,
      language: values.language,
      brokerSuffix: values.brokerSuffix,
      depositorySuffix: values.depositorySuffix,
    },
    bucket: {
      ...resolved.bucket,
      url: values.lakeUrl,
      accessKeyId: values.awsAccessKeyId,
      secretAccessKey: values.awsSecretAccessKey,
      sessionToken: values.awsSessionToken,
      region: values.awsRegion,
      profile: values.awsProfile,
      endpoint: values.awsEndpointS3 ?? values.awsEndpoint,
    },
  }
}

/** What the deployment writes where the specification writes `Broker` and `Depository`. */
export function suffixesOf({ broker }: Settings): { broker: string; depository: string } {
  return { broker: broker.brokerSuffix, depository: broker.depositorySuffix }
}

/**
 * The settings of each API key of the home, in the order in which runs use them: those of `[[accounts]]`, or else the one
 * that `settings` has.
 */
export function keysOf(settings: Settings): Settings[] {
  if (settings.accounts.length === 0) return [settings]
  return settings.accounts.map((account) => {
    const { name, apiKey, apiSecret, otp } = account
    return {
      ...settings,
      keyName: name,
      accounts: [account],
      broker: {
        ...settings.broker,
        apiKey: apiKey.value ?? '',
        apiSecret: apiSecret.value ?? '',
        otp: otp.value,
        credentialNames: { apiKey: apiKey.from ?? '', apiSecret: apiSecret.from ?? '' },
      },
    }
  })
}

/** Whether messages have to say which key they are about. */
export function namesKeys({ accounts }: Pick<Settings, 'accounts'>): boolean {
  return accounts.length > 0
}

/** What a login with one key needs. @throws SettingsError naming the variables that are missing */
export function requireCredentials(settings: Settings): void {
  const account = settings.accounts.find(({ name }) => name === settings.keyName)
  if (account) {
    requireAccount(settings, account)
    return
  }
  if (settings.baseUrl === undefined) return
  const missing = [
    ...(settings.broker.apiKey ? [] : ['BROKER_API_KEY']),
    ...(settings.broker.apiSecret ? [] : ['BROKER_API_SECRET']),
  ]
  if (missing.length === 0) return
  throw new SettingsError(
    `BROKER_BASE_URL is set, but ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not`,
    { hint: `put ${missing.join(' and ')} into the environment or into .env (chmod 600 .env)` },
  )
}

function requireAccount({ baseUrl }: Settings, account: AccountKey): void {
  if (baseUrl === undefined)
    throw new SettingsError('candlehouse.toml has [[accounts]], but BROKER_BASE_URL is not set', {
      hint: 'set BROKER_BASE_URL; the embedded sandbox needs no keys: remove [[accounts]] to use it',
    })
  const problem = problemOfKey(account)
  if (problem === undefined) return
  throw new SettingsError(`key ${account.name}: ${problem}`, {
    hint: 'put what is missing into the environment, into .env (chmod 600 .env) or into the file',
  })
}

/** The lines of `config show` about a key of `[[accounts]]`: what holds its secrets, never the secrets. */
function shownAccount(account: AccountKey): ShownSetting[] {
  return credentialsOf(account).map(({ secret, from, value, origin, problem }) => ({
    variable: `accounts.${account.name}.${secret}`,
    value: problem ?? `${value === undefined ? 'not set' : maskedWhole(value).shown} (${from})`,
    origin,
    meaning: MEANINGS[secret],
  }))
}

const MEANINGS = {
  api_key: 'API key of this account key',
  api_secret: 'API secret of this account key',
  otp: 'a one-time password for one login with this key',
} as const
