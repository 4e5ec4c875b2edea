import { type Effects, systemEffects } from 'candlehouse-foundation/effects'
import { readingClient } from '../client.js'
import { type ClientOptions, connect } from '../connection.js'
import type { Client } from '../facets.js'
import { createSigner } from '../signing/signer.js'
import { createClientIds } from './client-ids.js'
import { createTrading, type Trading } from './trading.js'
import { createWriter } from './writer.js'

export interface TradingClientOptions extends ClientOptions {
  /** RSA private key, the text of the file: PEM (PKCS#8, PKCS#1) or .NET XML, or base64 of one. */
  readonly signingKey: string
  /** `BROKER_SIGNATURE_FORM`. @default `secret+body hex sha256=`, what the specification shows; live: `body hex` */
  readonly signatureForm?: string
}

/** A client that trades. Nothing of candlehouse's own jobs may import it (.dependency-cruiser.cjs). */
export interface TradingClient extends Client {
  readonly trading: Trading
}

/**
 * All three facets over one session, one throttle. Trading needs a token verified with an OTP: give `otp`, or
 * `tokens` of such a session.
 *
 * @throws SettingsError when key, form or base address are wrong; the message repeats nothing of the key
 */
export function createTradingClient(
  options: TradingClientOptions,
  effects: Effects = systemEffects,
): TradingClient {
  const signer = createSigner({
    privateKey: options.signingKey,
    form: options.signatureForm,
    secret: options.apiSecret,
  })
  const connection = connect(options, effects)
  const client = readingClient(connection, options)
  const write = createWriter(
    { ...connection, signer, prove: (signal) => client.market.indexList({}, signal) },
    effects,
  )
  return { ...client, trading: createTrading(write, createClientIds(effects)) }
}
