import { z } from 'zod'
import { defaultMarts, martNames, namedMarts } from './lake-marts.js'
import { type Masked, maskedAddress, maskedCommand } from './mask.js'
import { type PaletteName, palettes } from './palette.js'
import { READERS, type Readers } from './readers.js'

/** One setting: its variable, its key in candlehouse.toml, how it is read, what it means. */
export interface SettingSpec<Value = unknown> {
  readonly variable: string
  readonly key: string
  readonly secret: boolean
  /** Whether it is a command: a file that others can write must not have it. */
  readonly command: boolean
  /** What of a value may be shown, and what of it is secret. @default all of a secret setting, nothing of others */
  readonly mask?: ((value: string) => Masked) | undefined
  readonly schema: z.ZodType<Value>
  readonly fallback: Value
  /** Shown where nothing is set. */
  readonly fallbackText: string
  readonly meaning: string
}

type Given<Value> = Pick<SettingSpec<Value>, 'variable' | 'meaning'> & Partial<SettingSpec<Value>>

function setting<Value>(
  spec: Given<Value> & Pick<SettingSpec<Value>, 'schema' | 'fallback'>,
): SettingSpec<Value> {
  const { variable, fallback } = spec
  const key = variable.toLowerCase()
  return { secret: false, command: false, fallbackText: String(fallback), ...spec, key }
}

/** A setting, any text by default, without a value where nothing is set. */
function optional(spec: Given<string | undefined>): SettingSpec<string | undefined> {
  return setting({ schema: text, fallbackText: 'none', ...spec, fallback: undefined })
}

const text = z.string()
const address = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })

/** Every setting of the program; `config show` prints them with their meaning. */
export const specs = {
  baseUrl: optional({
    variable: 'BROKER_BASE_URL',
    schema: address,
    fallbackText: 'the embedded sandbox',
    meaning: 'base address of the service',
  }),
  apiKey: optional({
    variable: 'BROKER_API_KEY',
    secret: true,
    fallbackText: "the sandbox's own, when embedded",
    meaning: 'API key',
  }),
  apiSecret: optional({
    variable: 'BROKER_API_SECRET',
    secret: true,
    fallbackText: "the sandbox's own, when embedded",
    meaning: 'API secret',
  }),
  otp: optional({
    variable: 'BROKER_OTP',
    secret: true,
    schema: text.transform((value) => value.trim() || undefined),
    meaning: 'a one-time password for this one login',
  }),
  signingKeyFile: optional({
    variable: 'BROKER_SIGNING_KEY_FILE',
    meaning: 'RSA private key for X-Signature; only writes need it',
  }),
  brokerSuffix: setting<string>({
    variable: 'BROKER_FIELD_SUFFIX',
    schema: z.string().regex(/^[A-Za-z0-9_]+$/, 'must be letters, digits or _'),
    fallback: 'Broker',
    meaning: "what the deployment writes for the specification's Broker in field names",
  }),
  depositorySuffix: setting<string>({
    variable: 'DEPOSITORY_FIELD_SUFFIX',
    schema: z.string().regex(/^[A-Za-z0-9_]+$/, 'must be letters, digits or _'),
    fallback: 'Depository',
    meaning: "what the deployment writes for the specification's Depository in field names",
  }),
  maxRps: setting<number>({
    variable: 'BROKER_MAX_RPS',
    schema: z.coerce
      .number({ error: 'must be a number' })
      .positive('must be more than 0')
      .max(1000, 'must be at most 1000'),
    fallback: 10,
    meaning: 'upper bound on requests a second, whatever the headers allow; none for the embedded sandbox',
  }),
  language: setting<string>({
    variable: 'BROKER_LANGUAGE',
    schema: z.string().regex(/^[A-Za-z0-9,;=.*\- ]+$/, 'must be a language such as en or vi'),
    fallback: 'en',
    meaning: 'sent as Accept-Language',
  }),
  signatureForm: setting<string>({
    variable: 'BROKER_SIGNATURE_FORM',
    schema: z
      .string()
      .regex(
        /^(secret\+)?body( (hex|base64))?( sha256=)?$/,
        "must be like 'secret+body hex sha256=' or 'body base64'",
      ),
    fallback: 'secret+body hex sha256=',
    meaning: 'what X-Signature signs and how it is written',
  }),
  home: setting<string>({
    variable: 'CANDLEHOUSE_HOME',
    schema: text,
    fallback: 'data',
    meaning: 'folder of the warehouse, the catalog, the lake and the raw pages',
  }),
  retainDays: setting<number>({
    variable: 'CANDLEHOUSE_RETAIN_DAYS',
    schema: z.coerce
      .number({ error: 'must be a number of days' })
      .int('must be whole days')
      .min(0, 'must be at least 0')
      .max(36_500, 'must be at most 36500'),
    fallback: 7,
    meaning: 'days that replaced files of the lake stay, for time travel and for readers of an older catalog',
  }),
  lakeMarts: setting<readonly string[]>({
    variable: 'CANDLEHOUSE_LAKE_MARTS',
    schema: z.string().transform((value, context): readonly string[] => {
      const { names, unknown } = namedMarts(value)
      if (unknown.length === 0) return names
      const message = `has no mart ${unknown.join(', ')}: all, none, or some of ${martNames().join(', ')}`
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }),
    fallback: defaultMarts(),
    meaning:
      'views of schema mart that are tables of the lake too, for other engines: all, none, or their names',
  }),
  lakeUrl: optional({
    variable: 'CANDLEHOUSE_LAKE_URL',
    schema: z
      .string()
      .regex(
        /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[A-Za-z0-9._=-]+)*\/?$/,
        'must be the address of a bucket: s3://bucket/prefix',
      ),
    fallbackText: 'none: local only',
    meaning: 'bucket to which the lake is also published',
  }),
  awsAccessKeyId: optional({
    variable: 'AWS_ACCESS_KEY_ID',
    secret: true,
    fallbackText: 'that of the profile',
    meaning: 'key for the bucket',
  }),
  awsSecretAccessKey: optional({
    variable: 'AWS_SECRET_ACCESS_KEY',
    secret: true,
    fallbackText: 'that of the profile',
    meaning: 'secret of that key',
  }),
  awsSessionToken: optional({
    variable: 'AWS_SESSION_TOKEN',
    secret: true,
    meaning: 'token of a temporary key',
  }),
  awsRegion: optional({
    variable: 'AWS_REGION',
    schema: z.string().regex(/^[a-z0-9-]+$/, 'must be a region such as ap-southeast-1'),
    fallbackText: 'that of the profile, or us-east-1',
    meaning: 'region of the bucket',
  }),
  awsProfile: optional({
    variable: 'AWS_PROFILE',
    fallbackText: 'default',
    meaning: 'profile in ~/.aws whose keys are used where AWS_ACCESS_KEY_ID is not set',
  }),
  awsEndpointS3: optional({
    variable: 'AWS_ENDPOINT_URL_S3',
    schema: address,
    fallbackText: 'AWS_ENDPOINT_URL',
    meaning: 'address of an S3 service other than AWS',
  }),
  awsEndpoint: optional({
    variable: 'AWS_ENDPOINT_URL',
    schema: address,
    fallbackText: 'AWS',
    meaning: 'address of a service other than AWS',
  }),
  maxHours: setting<number | undefined>({
    variable: 'CANDLEHOUSE_MAX_HOURS',
    schema: z.coerce
      .number({ error: 'must be a number of hours' })
      .positive('must be more than 0')
      .max(8760, 'must be at most 8760'),
    fallback: undefined,
    fallbackText: '8; none for backfill',
    meaning:
      'hours that a run may fetch, waits included; it then checks and publishes what it has and ends with 4',
  }),
  clockHours: setting<number>({
    variable: 'CANDLEHOUSE_CLOCK_HOURS',
    schema: z.coerce
      .number({ error: 'must be a number of hours' })
      .min(0, 'must be at least 0')
      .max(8760, 'must be at most 8760'),
    fallback: 12,
    meaning: "hours by which this machine's clock may differ from the service's; 0: they are not compared",
  }),
  readers: setting<Readers>({
    variable: 'CANDLEHOUSE_READERS',
    schema: z.enum(Object.keys(READERS) as [Readers, ...Readers[]], {
      error: `must be one of ${Object.keys(READERS).join(', ')}`,
    }),
    fallback: 'group',
    meaning:
      'who on this machine may read the lake, the catalog and the reports: owner, group (that of the files) or everyone',
  }),
  palette: setting<PaletteName>({
    variable: 'CANDLEHOUSE_PALETTE',
    schema: z.enum(Object.keys(palettes) as [PaletteName, ...PaletteName[]], {
      error: `must be one of ${Object.keys(palettes).join(', ')}`,
    }),
    fallback: 'vietnam',
    meaning:
      'colours of prices: vietnam (green up, red down), china (red up, green down), colourblind (blue up, orange down)',
  }),
  notifyCommand: optional({
    variable: 'CANDLEHOUSE_NOTIFY_COMMAND',
    command: true,
    mask: maskedCommand,
    meaning: 'command for the shell that every run starts at its end; it reads the result of the run as JSON',
  }),
  notifyUrl: optional({
    variable: 'CANDLEHOUSE_NOTIFY_URL',
    secret: true,
    mask: maskedAddress,
    schema: address,
    meaning: 'address that receives the result of every run as JSON, by POST',
  }),
} as const

export type SettingName = keyof typeof specs

/** What the manual shows of each setting. */
export const everySetting: readonly Pick<SettingSpec, 'variable' | 'meaning' | 'fallbackText'>[] =
  Object.values(specs)

/** Variables of candlehouse's own settings whose values hold no secret: what a program that it starts may see. */
export const openVariables: readonly string[] = Object.values(specs as Record<string, SettingSpec>)
  .filter(({ variable, secret, mask }) => variable.startsWith('CANDLEHOUSE_') && !secret && !mask)
  .map(({ variable }) => variable)
