import type { Effects } from 'candlehouse-foundation/effects'
import { ServiceError } from 'candlehouse-foundation/errors'
import { type Secrets, scrub } from 'candlehouse-foundation/secrets'
import { Fault } from '../fault.js'
import { statusOfCode } from '../page/error-body.js'
import type { Sender } from '../sender.js'
import type { SessionToken, SharedSession } from '../session/session-view.js'
import type { Signer } from '../signing/signer.js'
import type { Accepted, Refused, Unknown } from './outcome.js'
import { readWrite, type WriteReading } from './read-write-answer.js'

export interface SignedWrite<Result> {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** UTF-8 JSON: signed and sent byte for byte. */
  readonly body: Uint8Array
  /** OTP or PIN in the body, which no message may repeat. */
  readonly code: string | null | undefined
  /** See `readWrite`. */
  readResult(value: unknown): Result | undefined
}

/**
 * Sends one write once (docs/market-facts.md#rate-limit: the operator's own client never replays one).
 *
 * @throws before anything was sent: the signal's reason, SettingsError or ServiceError of the session,
 * ServiceError when no connection could be made
 */
export type Write = <Result>(
  write: SignedWrite<Result>,
  signal: AbortSignal | undefined,
) => Promise<Accepted<Result> | Refused | Unknown>

export interface WriterParts {
  readonly sender: Sender
  readonly session: SharedSession
  readonly secrets: Secrets
  readonly signer: Signer
  /** Any read: it renews a session that the service no longer accepts. */
  prove(signal: AbortSignal | undefined): Promise<unknown>
}

export function createWriter(parts: WriterParts, effects: Effects): Write {
  const { sender, session, secrets, signer, prove } = parts
  // A 401 to a write may mean the token or the signature. Only a read shows which, so the next write waits for a read.
  let doubtful = false

  return async <Result>(write: SignedWrite<Result>, signal: AbortSignal | undefined) => {
    const { method, path, body } = write
    signal?.throwIfAborted()
    if (doubtful) {
      await prove(signal)
      doubtful = false
    }
    const sentAt = effects.now()
    const signature = signer(body)
    const clean = (text: string): string =>
      secrets.scrub(scrub(withoutPieces(text, signature), [write.code ?? '']))
    const unknown = (why: string): Unknown => ({
      kind: 'unknown',
      message: clean(`${method} ${path}: ${why}; it may have been executed`),
      sentAt,
    })

    let token: SessionToken | undefined
    let handedOver = false
    let reading: WriteReading<Result>
    try {
      const response = await sender.sendOnce(async () => {
        // A token that expires within a minute is renewed first: a write cannot be repeated with a newer token.
        token = await session.bearer(signal)
        signal?.throwIfAborted()
        handedOver = true
        return { method, path, query: {}, bearer: token.tokens.accessToken, body, signature }
      }, signal)
      reading = readWrite(response, write.readResult)
      doubtful ||=
        reading.kind === 'refused' && (response.status === 401 || statusOfCode(reading.error.code) === 401)
    } catch (error) {
      if (!handedOver) throw error
      const isUnsent = error instanceof Fault && error.unsent
      if (isUnsent && signal?.aborted) throw signal.reason
      if (isUnsent)
        throw new ServiceError(clean(`${method} ${path}: ${error.message}; nothing was sent`), {
          hint: 'check BROKER_BASE_URL and the network, then send it again',
        })
      if (error instanceof Fault) return unknown(error.message)
      if (signal?.aborted) return unknown('given up by the caller before an answer')
      throw error
    }
    if (reading.kind === 'unknown') return unknown(reading.message)
    if (reading.kind === 'refused') {
      const { code, message } = reading.error
      return { ...reading, error: { code: clean(code), message: clean(message) } }
    }
    if (token) token.proved = true
    return reading
  }
}

/** Messages are cut to 200 characters and signatures are longer: a remaining part of a signature is removed too. */
function withoutPieces(text: string, signature: string): string {
  return text.replace(/[A-Za-z0-9+/]{16,}/g, (run) => (signature.includes(run) ? '[secret]' : run))
}
