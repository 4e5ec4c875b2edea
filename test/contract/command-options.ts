import { type ParseArgsConfig, parseArgs } from 'node:util'
import { readSignatureForm, SPEC_FORM } from '../../packages/client/src/signing/form.js'
import { isLoopback } from '../../src/settings/address.js'
import { EFFECT_NAMES, type EffectName } from './effects.js'
import type { Session } from './session.js'

export const USAGE = `npm run conformance -- URL [options]
API key and secret: BROKER_API_KEY and BROKER_API_SECRET.

Session, one of:
  (none)              one login without a one-time password: market data only
  --otp CODE          one login with this one-time password (or BROKER_OTP)
  --send-otp          ask the service to send a password, then ask you for it
  --smart-otp         wait for your approval in the mobile app
  --session FILE      use the session.json of a home whose nightly goes on: no login, no refresh

  --yes               start without asking
  --allow NAME,NAME   ${EFFECT_NAMES.join(', ')}
  --choices           also compare what the specification leaves open with the sandbox
  --signing-key FILE  PEM of the key that signs orders
  --signature-form F  what is signed and how it is written, such as 'body hex' (or BROKER_SIGNATURE_FORM;
                      default: '${SPEC_FORM}')
  --signs WHAT        short for the form with sha256= and hex: body or secret+body
  --plain-http        allow http:// to another machine: key, secret, password and tokens travel unencrypted
  --rps N             requests per second (default: 3, with --session 1; on this machine no limit)
  --timeout SECONDS   until a request is given up (default: 60)
  --patience SECONDS  that one request is waited for in all, such as after 429 (default: 900)
  --out DIR           write conformance.txt, .json and .html, after every check
  --resume            go on with the run in --out DIR
  --json              print the report as JSON`

const OPTIONS = {
  otp: { type: 'string' },
  'send-otp': { type: 'boolean', default: false },
  'smart-otp': { type: 'boolean', default: false },
  session: { type: 'string' },
  yes: { type: 'boolean', default: false },
  allow: { type: 'string', multiple: true, default: [] as string[] },
  choices: { type: 'boolean', default: false },
  'signing-key': { type: 'string' },
  'signature-form': { type: 'string' },
  signs: { type: 'string' },
  'plain-http': { type: 'boolean', default: false },
  rps: { type: 'string' },
  timeout: { type: 'string', default: '60' },
  patience: { type: 'string', default: '900' },
  out: { type: 'string' },
  resume: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} satisfies ParseArgsConfig['options']

/** What the command was asked for. */
export interface Asked {
  readonly url: string
  readonly apiKey: string
  readonly apiSecret: string
  readonly signIn: Session['signIn']['by']
  readonly otp: string | undefined
  readonly sessionFile: string | undefined
  readonly isAgreed: boolean
  readonly allowed: ReadonlySet<EffectName>
  readonly choices: boolean
  readonly signingKeyFile: string | undefined
  readonly isInClear: boolean
  /** As `BROKER_SIGNATURE_FORM`. */
  readonly signatureForm: string
  readonly requestsPerSecond: number
  readonly timeoutMs: number
  readonly patienceMs: number
  readonly out: string | undefined
  readonly resume: boolean
  readonly json: boolean
}

/** @throws Error that says what is wrong with the arguments */
export function readArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Asked {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS })
  const [url] = positionals
  const { BROKER_API_KEY: apiKey, BROKER_API_SECRET: apiSecret, BROKER_OTP } = environment
  const { session, out } = values
  if (!url || !URL.canParse(url)) throw new Error('the first argument is the base address of the service')
  const { protocol, hostname, host } = new URL(url)
  const isHere = isLoopback(hostname)
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new Error(`${url} is not an address of https or http`)
  const isInClear = protocol === 'http:' && !isHere
  if (isInClear && !values['plain-http'])
    throw new Error(
      `${host} is another machine, and http is not encrypted: key, secret, password and tokens could be read on the way. Use https, or add --plain-http where that does not matter`,
    )
  const signIn = signInOf(values, BROKER_OTP)
  if (signIn !== 'file' && (!apiKey || !apiSecret))
    throw new Error('BROKER_API_KEY and BROKER_API_SECRET are not set')
  if (values.resume && out === undefined) throw new Error('--resume needs --out DIR')
  const usual = signIn === 'file' ? 1 : isHere ? Number.POSITIVE_INFINITY : 3
  return {
    url,
    apiKey: apiKey ?? '',
    apiSecret: apiSecret ?? '',
    signIn,
    otp: values.otp ?? BROKER_OTP,
    sessionFile: session,
    isAgreed: values.yes,
    allowed: effectsOf(values.allow),
    choices: values.choices,
    signingKeyFile: values['signing-key'],
    isInClear,
    signatureForm: signatureFormOf(values, environment.BROKER_SIGNATURE_FORM),
    requestsPerSecond: values.rps === undefined ? usual : positive(values.rps, '--rps'),
    timeoutMs: positive(values.timeout, '--timeout') * 1000,
    patienceMs: positive(values.patience, '--patience') * 1000,
    out,
    resume: values.resume,
    json: values.json,
  }
}

/** @throws Error when it is not a form of signatures */
function signatureFormOf(
  { signs, 'signature-form': form }: { signs?: string | undefined; 'signature-form'?: string | undefined },
  formOfEnvironment: string | undefined,
): string {
  if (signs !== undefined && form !== undefined)
    throw new Error('--signs and --signature-form exclude each other')
  if (signs !== undefined && signs !== 'body' && signs !== 'secret+body')
    throw new Error('--signs is body or secret+body')
  const chosen = form ?? (signs && `${signs} hex sha256=`) ?? (formOfEnvironment || SPEC_FORM)
  readSignatureForm(chosen)
  return chosen
}

interface SignInFlags {
  readonly otp?: string | undefined
  readonly 'send-otp': boolean
  readonly 'smart-otp': boolean
  readonly session?: string | undefined
}

function signInOf(flags: SignInFlags, otpOfEnvironment: string | undefined): Asked['signIn'] {
  const ways: Asked['signIn'][] = [
    ...(flags.otp === undefined ? [] : ['otp' as const]),
    ...(flags['send-otp'] ? ['sent-otp' as const] : []),
    ...(flags['smart-otp'] ? ['smart-otp' as const] : []),
    ...(flags.session === undefined ? [] : ['file' as const]),
  ]
  if (ways.length > 1) throw new Error('--otp, --send-otp, --smart-otp and --session exclude each other')
  return ways[0] ?? (otpOfEnvironment ? 'otp' : 'key')
}

function effectsOf(texts: readonly string[]): Set<EffectName> {
  const names = texts.flatMap((text) => text.split(',')).filter(Boolean)
  for (const name of names)
    if (!EFFECT_NAMES.includes(name as EffectName))
      throw new Error(`--allow ${name}: expected ${EFFECT_NAMES.join(', ')}`)
  return new Set(names as EffectName[])
}

function positive(text: string, flag: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new Error(`${flag} is a number above 0`)
  return value
}
