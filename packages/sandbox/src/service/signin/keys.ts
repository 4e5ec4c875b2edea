import { CLIENT_ID } from '../../broker/ledger/opening-balances.js'
import { DEMO_API_KEY, DEMO_API_SECRET, type SandboxKey } from '../../options.js'

/** An API key of the sandbox, and the client whose accounts it reads. */
export interface ClientKey extends SandboxKey {
  /** Six digits between the prefix and the suffix of each account number. */
  readonly clientId: string
}

/** The demo client, and the clients that trade with it on a scripted day. */
const CLIENTS = [CLIENT_ID, '234567', '345678']

/** The keys of a sandbox: documented demo values. All of them have the same one-time password. */
export function keysOf({ keys = 1 }: { keys?: number }): ClientKey[] {
  return CLIENTS.slice(0, keys).map((clientId, index) => ({
    clientId,
    apiKey: index === 0 ? DEMO_API_KEY : `${DEMO_API_KEY}-${index + 1}`,
    apiSecret: index === 0 ? DEMO_API_SECRET : `${DEMO_API_SECRET}-${index + 1}`,
  }))
}
