import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readDotnetKey } from './dotnet-key.js'
import { keyProblem } from './problem.js'

const MARK = /-----BEGIN |<RSAKeyValue>/

/** PEM contents that cannot sign here, by label. */
const OTHER_LABELS: Readonly<Record<string, readonly [what: string, hint?: string]>> = {
  'ENCRYPTED PRIVATE KEY': [
    'is protected with a passphrase',
    'write it without: openssl pkey -in key.pem -out plain.pem',
  ],
  'PUBLIC KEY': ['is a public key'],
  'RSA PUBLIC KEY': ['is a public key'],
  CERTIFICATE: ['is a certificate'],
  'OPENSSH PRIVATE KEY': [
    'is an OpenSSH key',
    'write a copy of it as PEM: ssh-keygen -p -N "" -m PKCS8 -f copy-of-the-key',
  ],
}

/**
 * Reads an RSA private key: PEM (PKCS#8 or PKCS#1) or .NET XML (`RSAKeyValue`), each as it is or as base64 of the
 * whole file.
 *
 * @throws SettingsError that names the kind of the text and never repeats any of it
 */
export function readPrivateKey(text: string): KeyObject {
  const decoded = unwrapped(text)
  const key = decoded.includes('<RSAKeyValue>') ? readDotnetKey(decoded) : readPem(decoded)
  if (key.asymmetricKeyType !== 'rsa')
    throw keyProblem(`is a key for ${key.asymmetricKeyType ?? 'something else'}, not for RSA`)
  return key
}

function unwrapped(text: string): string {
  // Of a program without types: no option, or a file that was read as bytes.
  if (typeof text !== 'string')
    throw keyProblem(
      text === undefined ? 'is not given' : 'is not a text',
      "signingKey: readFileSync(file, 'utf8')",
    )
  if (text.trim() === '') throw keyProblem('is empty')
  if (MARK.test(text)) return text
  const decoded = Buffer.from(text.replace(/\s/g, ''), 'base64').toString('utf8')
  if (MARK.test(decoded)) return decoded
  throw keyProblem('is neither PEM nor .NET XML, nor base64 of one')
}

function readPem(pem: string): KeyObject {
  const label = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(pem)?.[1] ?? ''
  const otherLabel = OTHER_LABELS[/^Proc-Type:.*ENCRYPTED/m.test(pem) ? 'ENCRYPTED PRIVATE KEY' : label]
  if (otherLabel) throw keyProblem(...otherLabel)
  try {
    return createPrivateKey(pem)
  } catch {
    throw keyProblem(`is PEM (${label || 'without a label'}) that cannot be read: damaged or cut short`)
  }
}
