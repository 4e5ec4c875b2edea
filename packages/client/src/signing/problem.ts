import { SettingsError } from 'candlehouse-foundation/errors'

/** An error about the signing key. It contains no byte of the key, and no cause, because causes repeat their input. */
export function keyProblem(what: string, hint?: string): SettingsError {
  return new SettingsError(`the signing key ${what}`, {
    hint:
      hint ??
      'BROKER_SIGNING_KEY_FILE names an RSA private key: PEM or .NET XML as the brokerage issued it, or base64 of that file',
  })
}
