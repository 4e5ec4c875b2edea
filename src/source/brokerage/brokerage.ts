import {
  type Answer,
  type Client,
  createClient,
  createThrottle,
  loginBySmartOtp,
  type MarketEndpoint,
  type Query,
  queries,
  startWalk,
  type Throttle,
} from 'candlehouse-client/reading'
import { ServiceError } from 'candlehouse-foundation/errors'
import type { Effects } from '../../effects.js'
import type { PartRequest } from '../../plan/account-parts.js'
import type { FetchedName, Window } from '../../plan/datasets.js'
import {
  type Pace,
  SessionLostError,
  type Source,
  type SourceKind,
  type SourceOptions,
  type SourceSession,
  type SourceWalk,
} from '../source.js'
import { ADVICE } from './client-advice.js'
import { ACCOUNT, MARKET, partQuery, windowQuery } from './queries.js'
import { sourceWalk } from './walk.js'

/** How long each that waits waits. */
const WAITING = {
  run: { patienceMs: 300_000, firstContactMs: 30_000 },
  person: { attempts: 2, deadlineMs: 10_000 },
} as const

/** Attempts of a probe: a single fault must not look like an outage. */
const PROBE_ATTEMPTS = 3

/** Cheap requests that show whether the service answers at all. */
const PROBES: readonly (readonly [MarketEndpoint, Query])[] = [
  ['indexList', {}],
  ['securitiesByBoard', { board: 'HOSE' }],
  ['masterdata', { pageIndex: '1', pageSize: '10' }],
]

/** The brokerage of docs/brokerage-api.md, through its client. */
export const brokerage: SourceKind = {
  datasets: Object.keys(MARKET) as FetchedName[],
  open: (options, effects) => new Brokerage(clientOf(options, effects), effects),
  pace: (requestsPerSecond, effects) =>
    new SharedThrottle(requestsPerSecond, createThrottle({ maxRps: requestsPerSecond }, effects)),
}

/** Milliseconds between two questions whether a login was approved. */
const POLL_MS = 2_000

class SharedThrottle implements Pace {
  constructor(
    readonly requestsPerSecond: number,
    readonly throttle: Throttle,
  ) {}
}

function clientOf({ waiting, pace, ...options }: SourceOptions, effects: Effects): Client {
  const { credentialNames, language, tokens, onTokens, pageSizes, onServiceTime } = options
  const { baseUrl, apiKey, apiSecret, otp } = options
  return createClient(
    {
      baseUrl,
      apiKey,
      apiSecret,
      otp,
      tokens,
      onServiceTime,
      ...(credentialNames && { credentialNames }),
      ...(language !== undefined && { language }),
      ...(onTokens && { onTokens }),
      ...(pageSizes && { pageSizes }),
      ...(pace instanceof SharedThrottle && { throttle: pace.throttle }),
      ...(waiting && WAITING[waiting]),
      advice: ADVICE,
    },
    effects,
  )
}

class Brokerage implements Source {
  readonly session: SourceSession

  constructor(
    private readonly client: Client,
    effects: Effects,
  ) {
    this.session = sessionOf(client, effects)
  }

  windowWalk(window: Window<FetchedName>, ceiling: number): SourceWalk {
    const { market } = this.client
    const endpoint = MARKET[window.dataset]
    const pageSize = this.client.pageSizeFor(endpoint)
    return sourceWalk(startWalk(endpoint, windowQuery(window), pageSize, ceiling), (query, signal, limits) =>
      market.get(endpoint, query, signal, limits),
    )
  }

  partWalk(request: PartRequest, ceiling: number, pageSize?: number): SourceWalk {
    const { accounts } = this.client
    const endpoint = ACCOUNT[request.part]
    const size = pageSize ?? this.client.pageSizeFor(endpoint)
    return sourceWalk(startWalk(endpoint, partQuery(request), size, ceiling), async (query, signal, limits) =>
      this.unlessLost(await accounts.get(endpoint, query, signal, limits)),
    )
  }

  /** A refusal to a session for market data says nothing of the part. @throws SessionLostError */
  private unlessLost(answer: Answer): Answer {
    if (answer.outcome === 'refused' && this.session.isDowngraded)
      throw new SessionLostError('the verified session was lost')
    return answer
  }

  async isAnswering(failing: ReadonlySet<string>, signal: AbortSignal): Promise<boolean> {
    for (const [endpoint, query] of PROBES) {
      if (failing.has(endpoint)) continue
      try {
        await this.client.market.get(endpoint, query, signal, { attempts: PROBE_ATTEMPTS })
        return true
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
      }
    }
    return false
  }

  close(): Promise<void> {
    return this.client.close()
  }
}

function sessionOf({ session, accounts }: Client, effects: Effects): SourceSession {
  return {
    ensure: (signal) => session.ensure(signal),
    get readsAccounts() {
      return session.grade === 'trading'
    },
    get isDowngraded() {
      return session.isDowngraded
    },
    get otpProblem() {
      return session.otpProblem
    },
    keepAlive: (signal) => session.keepAlive(signal),
    async logIn(proof, signal) {
      if (proof && 'isApprovedInApp' in proof)
        return await loginBySmartOtp(session, effects, signal, POLL_MS, ADVICE)
      return await session.login(proof, signal)
    },
    async requestOtp(signal) {
      const { message } = await session.requestOtp(signal)
      return message
    },
    async refusalOfAccounts(signal) {
      const { outcome, error } = await accounts.get('accountInfo', queries.accountInfo(), signal)
      return outcome === 'refused' ? `${error?.code ?? ''} ${error?.message ?? ''}`.trim() : undefined
    },
  }
}
