import { createPrivateKey, type KeyObject } from 'node:crypto'
import { keyProblem } from './problem.js'

/** Elements of a .NET `RSAKeyValue` and the members of a JSON Web Key they stand for. */
const PARTS = {
  n: 'Modulus',
  e: 'Exponent',
  d: 'D',
  p: 'P',
  q: 'Q',
  dp: 'DP',
  dq: 'DQ',
  qi: 'InverseQ',
} as const

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Reads the output of `RSA.ToXmlString(true)`. @throws SettingsError naming the element that is missing or unreadable */
export function readDotnetKey(xml: string): KeyObject {
  const parts = Object.entries(PARTS).map(([member, element]) => [member, partOf(xml, element)] as const)
  try {
    return createPrivateKey({ key: { kty: 'RSA', ...Object.fromEntries(parts) }, format: 'jwk' })
  } catch {
    // Node's own message repeats parts of the key.
    throw keyProblem('is .NET XML whose numbers are not an RSA key')
  }
}

function partOf(xml: string, element: string): string {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1]?.replace(/\s/g, '')
  if (text === undefined)
    throw keyProblem(
      element === PARTS.n || element === PARTS.e
        ? `is .NET XML without <${element}>`
        : `is .NET XML without <${element}>: a public key, or a private one cut short`,
    )
  if (!BASE64.test(text)) throw keyProblem(`is .NET XML whose <${element}> is not base64`)
  return Buffer.from(text, 'base64').toString('base64url')
}
