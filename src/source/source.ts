import { ServiceError, SettingsError } from 'candlehouse-foundation/errors'
import type { Effects } from '../effects.js'
import type { WalkPage } from '../land/walk.js'
import type { PartRequest } from '../plan/account-parts.js'
import type { FetchedName, Window } from '../plan/datasets.js'

/**
 * What the pipeline needs of a brokerage. `brokerage/` is the one that candlehouse has, and the only module that knows its
 * client; a toy in test/source is another one, so that this interface is one.
 */
export interface Source {
  /** The page walk over a window of market data. */
  windowWalk(window: Window<FetchedName>, ceiling: number): SourceWalk
  /**
   * The page walk over a part of an account snapshot.
   *
   * @param pageSize rows per page @default what the source is known to serve
   */
  partWalk(request: PartRequest, ceiling: number, pageSize?: number): SourceWalk
  /** Whether it answers cheap requests to endpoints other than these. */
  isAnswering(failing: ReadonlySet<string>, signal: AbortSignal): Promise<boolean>
  readonly session: SourceSession
  close(): Promise<void>
}

/** One page walk that has not begun. */
export interface SourceWalk {
  /** Name in the journal. Windows of one endpoint fail together. */
  readonly endpoint: string
  /** Query of the first page. */
  readonly query: WalkPage['query']
  /** Rows per page, at first; undefined where there are no pages. */
  readonly pageSize: number | undefined
  /**
   * Requests one page after the other, each after the consumer took the page before. The last one has the walk's end.
   *
   * @throws NoAnswerError for a page · SessionLostError · SettingsError where the source refuses the key
   */
  pages(limits: WalkLimits, signal: AbortSignal): AsyncIterable<SourcePage>
}

export interface SourcePage extends WalkPage {
  /** The walk ended because its pages shifted between requests: another one may be whole. */
  readonly hasShifted?: boolean
}

/** How often the pages of one walk are requested again. */
export interface WalkLimits {
  /** Attempts of one page, asked after each of them: what other windows show meanwhile counts. Undefined: those of the source. */
  attempts(): number | undefined
  /** Retries of all its pages together. */
  readonly retries: number
}

/** The last response to a request that got no usable answer. */
export interface LastResponse {
  /** What is wrong, without any of the body: for reports and the ledger. */
  readonly problem: string
  /** HTTP status; undefined if no response arrived. */
  readonly status: number | undefined
  /** The body, if it was read as a page; else empty. */
  readonly body: Uint8Array
  /** Requests that were sent. */
  readonly attempts: number
  /** Epoch milliseconds. */
  readonly receivedAt: number
}

/** What is known of a page that got no usable answer. */
export interface NoAnswer {
  readonly query: WalkPage['query']
  /** Number of the page in its walk, from 1. */
  readonly page: number
  /** Whether no request to the source would be answered. */
  readonly isOutage: boolean
  readonly isTimeout: boolean
  readonly last: LastResponse
}

/** A page got no usable answer, however often it was requested. */
export class NoAnswerError extends ServiceError {
  constructor(
    message: string,
    readonly about: NoAnswer,
    options: { hint: string | undefined; cause: unknown },
  ) {
    super(message, options)
  }
}

/** The session that could read accounts ended, and the one after it reads market data only: no part will be answered. */
export class SessionLostError extends SettingsError {}

/** Tokens of a session as they are stored between runs. Instants are epoch milliseconds of this machine's clock. */
export interface SessionTokens {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  /** Undefined where the source named none. */
  readonly expiresAt: number | undefined
  readonly refreshExpiresAt: number | undefined
  /** `trading`: it reads accounts too. */
  readonly grade: 'market' | 'trading'
  readonly obtainedAt: number
}

/** What proves a login beside key and secret: a one-time password, or an approval in the app of the brokerage. */
export type LoginProof = { readonly otp: string } | { readonly isApprovedInApp: true }

/** The login that all requests of a source share. */
export interface SourceSession {
  /** Logs in unless there is a usable session. @throws SettingsError, ServiceError */
  ensure(signal: AbortSignal): Promise<unknown>
  /** Whether it reads accounts, not market data alone. */
  readonly readsAccounts: boolean
  /** Whether one that read accounts ended: this one does not. */
  readonly isDowngraded: boolean
  /** Why the given one-time password was not accepted. */
  readonly otpProblem: string | undefined
  /** Extends a stored session although it is still valid. @returns its tokens; undefined where the source refused */
  keepAlive(signal: AbortSignal): Promise<SessionTokens | undefined>
  /** A new login. @param proof absent: for market data */
  logIn(proof: LoginProof | undefined, signal: AbortSignal): Promise<SessionTokens>
  /** Has a one-time password sent. @returns its message to the person */
  requestOtp(signal: AbortSignal): Promise<string>
  /** Why it may not list the accounts; undefined where it may. @throws as requests */
  refusalOfAccounts(signal: AbortSignal): Promise<string | undefined>
}

/** What all sources of a run share, so that together they are as fast as one. */
export interface Pace {
  readonly requestsPerSecond: number
}

export interface SourceOptions {
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly apiSecret: string | undefined
  /** What messages call key and secret. */
  readonly credentialNames?: { readonly apiKey: string; readonly apiSecret: string } | undefined
  readonly language?: string | undefined
  readonly otp: string | undefined
  /** A session of an earlier run. */
  readonly tokens?: SessionTokens | undefined
  /** Stores tokens; awaited before their first use. */
  readonly onTokens?: ((tokens: SessionTokens) => Promise<void>) | undefined
  readonly pace?: Pace | undefined
  /** Rows per page that its endpoints served in earlier runs. */
  readonly pageSizes?: Readonly<Record<string, number>> | undefined
  /** Called with the clocks of the source and of this machine, epoch milliseconds; what it throws ends the request. */
  readonly onServiceTime?: ((serviceTime: number, ownTime: number) => void) | undefined
  /**
   * Who waits for the answers. `run`: nobody; a restart of the service, a router or a name server takes seconds to minutes, and a
   * wrong address is more likely before the first answer. `person`: two attempts of ten seconds. @default in between
   */
  readonly waiting?: 'run' | 'person' | undefined
}

export interface SourceKind {
  /** Datasets that it has: others are never requested, and nothing is said to lack them. */
  readonly datasets: readonly FetchedName[]
  open(options: SourceOptions, effects: Effects): Source
  pace(requestsPerSecond: number, effects: Effects): Pace
}
