import { createPrivateKey, createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { inspect } from 'node:util'
import { SettingsError } from 'candlehouse-foundation/errors'
import { describe, expect, it } from 'vitest'
import { createSigner } from '../src/signing/signer.js'
import * as fixture from './support/signing-key.js'

const { PKCS1, PKCS8, OTHER_PKCS8, DOTNET_XML, BODY, BODY_SECRET, SIGNED_BODY, SIGNED_SECRET_AND_BODY } =
  fixture
const body = Buffer.from(BODY, 'utf8')
const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')
const wrapped = (text: string): string => base64(text).replace(/.{64}/g, '$&\r\n')

describe('a signature', () => {
  it.each([
    ['PKCS#1 PEM', PKCS1],
    ['PKCS#8 PEM', PKCS8],
    ['PKCS#8 PEM with Windows line ends', PKCS8.replaceAll('\n', '\r\n')],
    ['.NET XML', DOTNET_XML],
    ['.NET XML, indented, after an XML declaration', spread(DOTNET_XML)],
    ['base64 of PKCS#1 PEM', base64(PKCS1)],
    ['base64 of PKCS#8 PEM in lines', wrapped(PKCS8)],
    ['base64 of .NET XML', base64(DOTNET_XML)],
  ])('with a key as %s equals the signature of openssl', (_, privateKey) => {
    expect(createSigner({ privateKey, form: 'body hex' })(body)).toBe(SIGNED_BODY)
  })

  it.each([
    ['body', SIGNED_BODY],
    ['body hex', SIGNED_BODY],
    ['body hex sha256=', `sha256=${SIGNED_BODY}`],
    ['body sha256=', `sha256=${SIGNED_BODY}`],
    ['body base64', Buffer.from(SIGNED_BODY, 'hex').toString('base64')],
    ['body base64 sha256=', `sha256=${Buffer.from(SIGNED_BODY, 'hex').toString('base64')}`],
    ['secret+body', SIGNED_SECRET_AND_BODY],
    ['secret+body hex sha256=', `sha256=${SIGNED_SECRET_AND_BODY}`],
    ['secret+body base64', Buffer.from(SIGNED_SECRET_AND_BODY, 'hex').toString('base64')],
    [undefined, `sha256=${SIGNED_SECRET_AND_BODY}`],
  ])('has the form of BROKER_SIGNATURE_FORM: %s', (form, expected) => {
    expect(createSigner({ privateKey: PKCS8, form, secret: BODY_SECRET })(body)).toBe(expected)
  })

  it('verifies with the public key over the exact UTF-8 bytes, and over nothing else', () => {
    const publicKey = createPublicKey(OTHER_PKCS8)
    const signature = Buffer.from(createSigner({ privateKey: OTHER_PKCS8, form: 'body hex' })(body), 'hex')
    expect(verify('sha256', body, publicKey, signature)).toBe(true)
    expect(verify('sha256', Buffer.from(`${BODY} `), publicKey, signature)).toBe(false)
    expect(verify('sha256', Buffer.from(BODY, 'latin1'), publicKey, signature)).toBe(false)
    expect(verify('sha256', body, createPublicKey(fixture.PUBLIC_KEY), signature)).toBe(false)
  })
})

describe('a key that cannot sign', () => {
  const ec = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const locked = createPrivateKey(PKCS8).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'test',
  })
  const other = createPrivateKey(OTHER_PKCS8).export({ format: 'jwk' })
  const foreign = Buffer.from(other.d ?? '', 'base64url').toString('base64')

  const cases: readonly (readonly [what: string, key: string, says: RegExp])[] = [
    ['nothing', ' \n', /is empty/],
    ['a word', 'not a key at all', /neither PEM nor \.NET XML, nor base64/],
    ['a public key', fixture.PUBLIC_KEY, /is a public key/],
    ['a key with a passphrase', locked.toString(), /protected with a passphrase/],
    [
      'an old PEM with a passphrase',
      PKCS1.replace('KEY-----\n', 'KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n'),
      /protected with a passphrase/,
    ],
    ['an OpenSSH key', PKCS8.replaceAll('PRIVATE KEY', 'OPENSSH PRIVATE KEY'), /is an OpenSSH key/],
    ['a certificate', PKCS8.replaceAll('PRIVATE KEY', 'CERTIFICATE'), /is a certificate/],
    ['a key for another algorithm', ec.privateKey, /is a key for ec, not for RSA/],
    ['PEM cut short', PKCS8.slice(0, 900), /PEM \(PRIVATE KEY\) that cannot be read: damaged or cut short/],
    ['base64 of PEM cut short', base64(PKCS1).slice(0, 1200), /PEM \(RSA PRIVATE KEY\) that cannot be read/],
    [
      '.NET XML of a public key',
      DOTNET_XML.replace(/<P>.*<\/D>/, ''),
      /\.NET XML without <D>: a public key, or a private one cut short/,
    ],
    ['.NET XML without a modulus', DOTNET_XML.replace(/<Modulus>.*<\/Modulus>/, ''), /without <Modulus>$/],
    ['.NET XML with a damaged part', DOTNET_XML.replace('<DQ>', '<DQ>!'), /whose <DQ> is not base64/],
    [
      '.NET XML of two keys',
      DOTNET_XML.replace(/<(D|P|Q|DP|DQ|InverseQ)>[^<]*/g, (_, name) => `<${name}>${foreign}`),
      /numbers are not an RSA key|do not belong together/,
    ],
  ]

  it.each(cases)('%s is named, and no byte of the key is repeated', (_, privateKey, says) => {
    const error = thrown(() => createSigner({ privateKey, form: 'body hex' }))
    expect(error).toBeInstanceOf(SettingsError)
    expect(error).toMatchObject({ exitCode: 3, message: expect.stringMatching(says) })
    const shown = `${inspect(error, { depth: 9 })} ${(error as SettingsError).hint}`
    for (const piece of privateKey.match(/[A-Za-z0-9+/]{16,}/g) ?? []) expect(shown).not.toContain(piece)
  })

  it('a key that is not given, or was read as bytes, is named too', () => {
    const signing = (privateKey: unknown) => () =>
      createSigner({ privateKey: privateKey as string, form: 'body hex' })
    expect(signing(undefined)).toThrow('the signing key is not given')
    expect(signing(Buffer.from(PKCS8))).toThrow('the signing key is not a text')
  })

  it('the form that signs the secret needs a secret', () => {
    expect(() => createSigner({ privateKey: PKCS8 })).toThrow(/also signs the API secret, which is not set/)
  })

  it.each(['', 'body hex md5=', 'secret', 'body  hex', 'BODY hex'])('an invalid form: %j', (form) => {
    expect(() => createSigner({ privateKey: PKCS8, form, secret: BODY_SECRET })).toThrow(
      /BROKER_SIGNATURE_FORM is not a signature form/,
    )
  })
})

function spread(xml: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n${xml.replace(/></g, '>\n  <').replace(/.{76}/g, '$&\n')}`
}

function thrown(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  return undefined
}
