import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { SettingsError } from 'candlehouse-foundation/errors'

/**
 * Whether a write is signed: RSA PKCS#1 v1.5 with SHA-256 over the exact body bytes
 * (docs/market-facts.md#signatures), or over the secret and then the body (docs/brokerage-api.md#signatures);
 * hex or base64, with `sha256=` before it or not.
 */
export type SignatureCheck = (header: string | undefined, body: Uint8Array) => 'signed' | 'missing' | 'wrong'

const PREFIX = 'sha256='

/**
 * Without a public key a signature can only be looked at: it has to be there and to be hex or base64.
 *
 * @throws SettingsError when the text is not a public key
 */
export function createSignatureCheck(publicKey: string | undefined, secret: string): SignatureCheck {
  const key = publicKey === undefined ? undefined : readPublicKey(publicKey)
  return (header, body) => {
    if (!header) return 'missing'
    const written = header.startsWith(PREFIX) ? header.slice(PREFIX.length) : header
    const signature = bytesOf(written)
    if (!signature) return 'wrong'
    if (!key) return 'signed'
    const signed = [Buffer.from(body), Buffer.concat([Buffer.from(secret, 'utf8'), Buffer.from(body)])]
    return signed.some((data) => verify('sha256', data, key, signature)) ? 'signed' : 'wrong'
  }
}

function bytesOf(text: string): Buffer | undefined {
  if (/^([0-9a-f]{2})+$/i.test(text)) return Buffer.from(text, 'hex')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined
}

/** PEM (SPKI or PKCS#1) or .NET XML, plain or as base64 of the whole text. */
export function readPublicKey(text: string): KeyObject {
  const decoded = /-----BEGIN|<RSAKeyValue>/.test(text) ? text : Buffer.from(text, 'base64').toString('utf8')
  try {
    if (!decoded.includes('<RSAKeyValue>')) return createPublicKey(decoded)
    const part = (name: string): string =>
      Buffer.from(new RegExp(`<${name}>([^<]+)</${name}>`).exec(decoded)?.[1] ?? '', 'base64').toString(
        'base64url',
      )
    return createPublicKey({ key: { kty: 'RSA', n: part('Modulus'), e: part('Exponent') }, format: 'jwk' })
  } catch (cause) {
    throw new SettingsError('the public key cannot be read: neither PEM nor .NET XML', {
      hint: 'make one with: openssl rsa -in private.pem -pubout',
      cause,
    })
  }
}
