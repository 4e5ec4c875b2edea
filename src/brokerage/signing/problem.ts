import { SettingsError } from '../../errors.js'

/** What is wrong with the signing key, without a byte of it: no cause either, causes repeat what they were given. */
export function keyProblem(what: string, hint?: string): SettingsError {
  return new SettingsError(`the signing key ${what}`, {
    hint:
      hint ??
      'BROKER_SIGNING_KEY_FILE names an RSA private key: PEM or .NET XML as the brokerage issued it, or base64 of that file',
  })
}
