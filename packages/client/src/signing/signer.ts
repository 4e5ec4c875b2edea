import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { SettingsError } from 'candlehouse-foundation/errors'
import { readSignatureForm, SPEC_FORM } from './form.js'
import { readPrivateKey } from './private-key.js'
import { keyProblem } from './problem.js'

export interface SignerOptions {
  /** RSA private key, the text of the file: PEM (PKCS#8, PKCS#1) or .NET XML, or base64 of one. */
  readonly privateKey: string
  /** `BROKER_SIGNATURE_FORM`. @default `secret+body hex sha256=`, what the specification shows */
  readonly form?: string | undefined
  /** `BROKER_API_SECRET`: signed before the body where the form says so. */
  readonly secret?: string | undefined
}

/** The value of `X-Signature` for a body of exactly these bytes. */
export type Signer = (body: Uint8Array) => string

/**
 * RSA PKCS#1 v1.5 with SHA-256 (docs/market-facts.md#signatures; the specification names RSA and SHA256 only).
 *
 * @throws SettingsError when key, form or secret are wrong; the message repeats none of them
 */
export function createSigner({ privateKey, form = SPEC_FORM, secret }: SignerOptions): Signer {
  const { withSecret, encoding, prefix } = readSignatureForm(form)
  if (withSecret && !secret)
    throw new SettingsError('this form also signs the API secret, which is not set', {
      hint: 'set BROKER_API_SECRET',
    })
  const key = readPrivateKey(privateKey)
  prove(key)
  const before = withSecret && secret ? Buffer.from(secret, 'utf8') : Buffer.alloc(0)
  return (body) => prefix + sign('sha256', Buffer.concat([before, body]), key).toString(encoding)
}

/** Numbers that do not form a key (.NET XML is not checked when it is read) sign without an error, but wrongly. */
function prove(key: KeyObject): void {
  const probe = Buffer.from('candlehouse')
  let proved = false
  try {
    proved = verify('sha256', probe, createPublicKey(key), sign('sha256', probe, key))
  } catch {
    // Too short for a SHA-256 signature, or with values that are not numbers.
  }
  if (!proved) throw keyProblem('does not sign: its parts do not belong together, or it is too short')
}
