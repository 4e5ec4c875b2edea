import { SettingsError } from 'candlehouse-foundation/errors'

/** Bytes that are signed, and the form of `X-Signature`. */
export interface SignatureForm {
  /** The API secret is signed together with the body, before it. The secret is never sent. */
  readonly withSecret: boolean
  readonly encoding: 'hex' | 'base64'
  /** `sha256=`, or nothing. */
  readonly prefix: string
}

/**
 * "RSA + SHA256 over the secret key plus the JSON body", and the example's `sha256=`
 * (docs/brokerage-api.md#signatures).
 */
export const SPEC_FORM = 'secret+body hex sha256='

const FORM = /^(secret\+)?body(?: (hex|base64))?( sha256=)?$/

/**
 * Reads `BROKER_SIGNATURE_FORM`: `body` or `secret+body`, then `hex` (also when absent) or `base64`, then `sha256=`
 * or nothing. Live deployments were seen with `body hex` (docs/market-facts.md#signatures).
 *
 * @throws SettingsError for any other text
 */
export function readSignatureForm(text: string): SignatureForm {
  const parts = FORM.exec(text)
  if (!parts)
    throw new SettingsError('BROKER_SIGNATURE_FORM is not a signature form', {
      hint: `set it to something like '${SPEC_FORM}' or 'body hex'`,
    })
  return {
    withSecret: parts[1] !== undefined,
    encoding: parts[2] === 'base64' ? 'base64' : 'hex',
    prefix: parts[3]?.trim() ?? '',
  }
}
