import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { BucketError } from 'candlehouse-foundation/errors'
import { type BucketAddress, bucketAddress } from './bucket-address.js'

/** What the standard variables of AWS say; an empty one counts as unset. */
export interface AwsSettings {
  readonly accessKeyId: string | undefined
  readonly secretAccessKey: string | undefined
  readonly sessionToken: string | undefined
  readonly region: string | undefined
  readonly profile: string | undefined
  /** AWS_ENDPOINT_URL_S3, or else AWS_ENDPOINT_URL. */
  readonly endpoint: string | undefined
  /** Why nothing may be sent to the endpoint. */
  readonly redirection?: string | undefined
}

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
}

export interface BucketAccess {
  readonly address: BucketAddress
  readonly credentials: Credentials
  readonly region: string
  /** Undefined: AWS itself. */
  readonly endpoint: string | undefined
}

const REGION = 'us-east-1'

/**
 * Access to a bucket: keys from the variables, or else the keys of the profile in `~/.aws`.
 *
 * @param folder of the files `credentials` and `config`
 * @throws BucketError if the address is none, or if there are no keys
 */
export function bucketAccess(url: string, aws: AwsSettings, folder = join(homedir(), '.aws')): BucketAccess {
  const address = bucketAddress(url)
  if (!address)
    throw new BucketError(`${url} is not the address of a bucket`, {
      hint: 'write it as s3://bucket/prefix, with letters, digits and . _ = - in the prefix',
    })
  if (aws.redirection !== undefined)
    throw new BucketError(aws.redirection, {
      hint: 'set AWS_ENDPOINT_URL_S3 in the environment; or keep endpoint and key together in .env',
    })
  const profile = profileOf(aws.profile ?? 'default', folder)
  const { accessKeyId = profile.aws_access_key_id, secretAccessKey = profile.aws_secret_access_key } = aws
  // A token belongs to its own key: that of a profile must not go with keys of the environment.
  const isOfProfile = aws.accessKeyId === undefined
  const sessionToken = isOfProfile ? profile.aws_session_token : aws.sessionToken
  if (!accessKeyId || !secretAccessKey)
    throw new BucketError(`no credentials for ${url}: ${missingKeys(aws.profile)}`, {
      hint: 'set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE',
    })
  return {
    address,
    credentials: { accessKeyId, secretAccessKey, sessionToken },
    region: aws.region ?? profile.region ?? REGION,
    endpoint: aws.endpoint ?? profile.endpoint_url,
  }
}

function missingKeys(profile: string | undefined): string {
  return profile === undefined
    ? 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set'
    : `profile ${profile} in ~/.aws has no aws_access_key_id and aws_secret_access_key`
}

/** The values of a profile, from both files of AWS's own tools; `credentials` is the stronger one. */
function profileOf(name: string, folder: string): Readonly<Record<string, string | undefined>> {
  return {
    ...sectionOf(join(folder, 'config'), name === 'default' ? 'default' : `profile ${name}`),
    ...sectionOf(join(folder, 'credentials'), name),
  }
}

function sectionOf(file: string, section: string): Record<string, string> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return {}
  }
  const values: Record<string, string> = {}
  let current = ''
  for (const line of text.split(/\r?\n/)) {
    const [, heading] = /^\[\s*(.*?)\s*\]/.exec(line) ?? []
    current = heading ?? current
    // An indented line belongs to a nested setting.
    const [, key, value] = /^(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (current === section && key && value) values[key] = value
  }
  return values
}
