import { isIPv4 } from 'node:net'
import { SettingsError } from 'candlehouse-foundation/errors'
import type { Origin } from './setting-sources.js'

/** Settings that are sent to the service and prove who asks. */
const CREDENTIALS: readonly string[] = ['BROKER_API_KEY', 'BROKER_API_SECRET', 'BROKER_OTP']

const FILES: ReadonlySet<Origin> = new Set(['.env', 'candlehouse.toml'])

/** A value and where it came from. `elsewhere`: a file outside the working folder. */
interface Placed {
  readonly variable: string
  readonly origin: Origin | 'elsewhere'
}

/**
 * Why the credentials may not be sent to the address: a file of the working folder names the address, and a credential
 * comes from outside the folder. A folder that somebody else wrote would receive the key
 * (docs/decisions/0036-a-folder-cannot-redirect-a-key.md). Undefined where they may be sent.
 *
 * @param accounts credentials of `[[accounts]]`: where there are any, no others are sent
 */
export function redirectionOf(
  shown: readonly Placed[],
  accounts: readonly Placed[] = [],
): string | undefined {
  const address = shown.find(({ variable }) => variable === 'BROKER_BASE_URL')
  if (!address || !isOfFolder(address)) return undefined
  const sent = accounts.length > 0 ? accounts : shown.filter(({ variable }) => CREDENTIALS.includes(variable))
  const foreign = sent.filter((credential) => credential.origin !== 'default' && !isOfFolder(credential))
  const [first] = foreign
  if (!first) return undefined
  const names = [...new Set(foreign.map(({ variable }) => variable))].join(' and ')
  const place = first.origin === 'elsewhere' ? 'outside it' : `the ${first.origin}`
  return `BROKER_BASE_URL comes from ${address.origin} of the working folder, but ${names} from ${place}: the folder could send them to any address`
}

function isOfFolder({ origin }: Placed): boolean {
  return origin !== 'elsewhere' && FILES.has(origin)
}

const ENDPOINTS: readonly string[] = ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL']

/**
 * As `redirectionOf`, for the bucket: a file of the working folder names the S3 service, and the key comes from elsewhere. The
 * key's token and the accounts' data would go to it.
 */
export function bucketRedirectionOf(shown: readonly Placed[]): string | undefined {
  const endpoint = shown.find((setting) => ENDPOINTS.includes(setting.variable) && isOfFolder(setting))
  const key = shown.find(({ variable }) => variable === 'AWS_SECRET_ACCESS_KEY')
  if (!endpoint || (key && isOfFolder(key))) return undefined
  return `${endpoint.variable} comes from ${endpoint.origin} of the working folder, but the key does not: the folder could send the lake to any address`
}

/** What decides whose data a run has: its home, and the key with which it fetches. */
const OWNED: readonly string[] = ['CANDLEHOUSE_HOME', ...CREDENTIALS]

/**
 * As `redirectionOf`, for the address of the bucket itself: a file of the working folder names it, and the data or the key are
 * not the folder's own. The lake, with the relations of the accounts, would go to a bucket that its owner has not chosen.
 */
export function lakeRedirectionOf(shown: readonly Placed[]): string | undefined {
  const url = shown.find(({ variable }) => variable === 'CANDLEHOUSE_LAKE_URL')
  if (!url || !isOfFolder(url)) return undefined
  const foreign = shown
    .filter(({ variable }) => OWNED.includes(variable))
    .filter((setting) => setting.origin !== 'default' && !isOfFolder(setting))
    .map(({ variable }) => variable)
  const key = shown.find(({ variable }) => variable === 'AWS_SECRET_ACCESS_KEY')
  if (!key || !isOfFolder(key)) foreign.push('the key of the bucket')
  if (foreign.length === 0) return undefined
  const verb = foreign.length > 1 ? 'do' : 'does'
  return `CANDLEHOUSE_LAKE_URL comes from ${url.origin} of the working folder, but ${foreign.join(' and ')} ${verb} not: the folder could send the lake to any bucket`
}

/** What a job that sends credentials needs. @throws SettingsError when a file of the working folder redirects them */
export function requireOwnAddress({ redirection }: { redirection?: string | undefined }): void {
  if (redirection === undefined) return
  throw new SettingsError(redirection, {
    hint: 'set BROKER_BASE_URL in the environment too, or add --base-url ADDRESS; or keep address and key together in .env',
  })
}

/** The address, and whether anything secret is sent there. */
interface Destination {
  readonly baseUrl: string | undefined
  readonly broker: { readonly apiKey: string; readonly apiSecret: string }
}

/** A warning when the credentials would travel unencrypted to another machine; else undefined. */
export function plainHttpWarning({ baseUrl, broker }: Destination): string | undefined {
  if (baseUrl === undefined || (!broker.apiKey && !broker.apiSecret)) return undefined
  const { protocol, hostname, host } = new URL(baseUrl)
  if (protocol !== 'http:' || isLoopback(hostname)) return undefined
  return `BROKER_BASE_URL is plain http: the API key and secret travel unencrypted to ${host}; use https`
}

/** Whether a host is this machine. */
export function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]') return true
  return isIPv4(hostname) && hostname.startsWith('127.')
}
