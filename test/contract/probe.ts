import { createHash } from 'node:crypto'
import { readSignatureForm, SPEC_FORM } from '../../packages/client/src/signing/form.js'
import { createSigner, type Signer } from '../../packages/client/src/signing/signer.js'
import { NotEvaluable } from './check.js'
import type { EffectName } from './effects.js'
import type { Difference, Section } from './known.js'
import { OpenOrders } from './open-orders.js'
import type { Outside } from './outside.js'
import { type Answer, type Manners, Sender } from './sender.js'
import { type Credentials, Session, type SignIn } from './session.js'
import { Stopped, TryAgain } from './stopped.js'

export type { Answer } from './sender.js'

export interface Target extends Credentials {
  readonly url: string
  readonly signIn: SignIn
  /** Text of the RSA key that signs writes; a service that only looks takes any signature. */
  readonly signingKey?: string | undefined
  /** As `BROKER_SIGNATURE_FORM` (docs/market-facts.md#signatures); the specification's by default. */
  readonly signatureForm?: string | undefined
  readonly manners?: Partial<Manners>
  /** Called after a wait for the service's own work. */
  onPass?(ms: number): Promise<void>
}

export type Query = Readonly<Record<string, string | number | boolean>>
export type Method = 'POST' | 'PUT' | 'DELETE'
export type Headers = Readonly<Record<string, string>>

const MANNERS: Manners = { pauseMs: 0, timeoutMs: 60_000, patienceMs: 15 * 60_000 }
const JSON_TYPE = { 'content-type': 'application/json' }
/** Milliseconds between a refresh by another program and its session file. */
const HANDOVER_MS = 2_000
const HANDOVERS = 5
const CANCEL_ATTEMPTS = 4
const CANCEL_PAUSE_MS = 1_000

/** What checks ask the service with. */
export class Probe {
  readonly sender: Sender
  readonly session: Session
  readonly openOrders = new OpenOrders()
  /** Known live differences that the check that runs has met. */
  differences: Difference[] = []
  private readonly stored = new Map<string, Promise<unknown>>()
  private readonly sign: Signer

  constructor(
    readonly target: Target,
    readonly allowed: ReadonlySet<EffectName>,
    private readonly outside: Outside,
  ) {
    const base = target.url.replace(/\/$/, '')
    this.sender = new Sender(base, { ...MANNERS, ...target.manners }, outside)
    const { apiKey, apiSecret, signIn } = target
    this.session = new Session(signIn, { apiKey, apiSecret }, this.sender)
    this.sign = signerOf(target)
  }

  /** A live difference that is known: the check goes on. */
  knows(section: Section, what: string): void {
    if (!this.differences.some((known) => known.section === section && known.what === what))
      this.differences.push({ section, what })
  }

  /** With the token of the run. */
  get(path: string, query: Query = {}, headers: Headers = {}): Promise<Answer> {
    return this.withToken((token) => {
      const all = { ...JSON_TYPE, authorization: `Bearer ${token}`, ...headers }
      return this.sender.send('read', 'GET', withQuery(path, query), { headers: all })
    })
  }

  /** @throws NotEvaluable where the service took the password and gave a token for market data all the same */
  async requireVerified(): Promise<void> {
    const { status } = await this.once('verified', () => this.get('/api/v3/account/info'))
    if (status === 403) throw new NotEvaluable('the token may not read accounts: HTTP 403 for account/info')
  }

  /** A read whose Authorization is the check's own: a 401 is what it waits for. `undefined` sends none. */
  getAs(authorization: string | undefined, path: string): Promise<Answer> {
    const headers = { ...JSON_TYPE, ...(authorization === undefined ? {} : { authorization }) }
    return this.sender.send('read', 'GET', path, { headers })
  }

  /** A login, a refresh or a request for a password that the service has to refuse. */
  post(path: string, body: unknown): Promise<Answer> {
    return this.session.post(path, body)
  }

  async write(method: Method, path: string, body: unknown, headers: Headers = {}): Promise<Answer> {
    const text = JSON.stringify(body)
    const answer = await this.withToken(async (token) => {
      const signature = this.sign(Buffer.from(text))
      const all = { ...JSON_TYPE, authorization: `Bearer ${token}`, 'x-signature': signature, ...headers }
      try {
        return await this.sender.send('write', method, path, { headers: all, body: text })
      } catch (error) {
        if (method === 'POST' && error instanceof Stopped) this.openOrders.lose(path, body)
        throw error
      }
    })
    this.openOrders.see(method, path, body, answer)
    return answer
  }

  /** Cancels what checks placed and did not cancel. */
  async cancelOpenOrders(): Promise<void> {
    for (let attempt = 0; attempt < CANCEL_ATTEMPTS && this.openOrders.cancels().length > 0; attempt++) {
      // An order that is on its way, or being changed, can be cancelled a moment later.
      if (attempt > 0) await this.pass(CANCEL_PAUSE_MS)
      // What is still open when the run ends is reported.
      for (const { path, body } of this.openOrders.cancels()) if (!(await this.cancel(path, body))) return
    }
  }

  /** @returns whether the service still answers */
  private async cancel(path: string, body: unknown): Promise<boolean> {
    try {
      await this.write('DELETE', path, body)
    } catch (error) {
      if (error instanceof Stopped || error instanceof NotEvaluable) return false
      if (!(error instanceof TryAgain)) throw error
    }
    return true
  }

  /** The same value for every check of a run, found out once; a failure is not kept. */
  once<T>(name: string, find: () => Promise<T>): Promise<T> {
    const known = this.stored.get(name)
    if (known) return known as Promise<T>
    const value = find()
    this.stored.set(name, value)
    value.catch(() => this.stored.delete(name))
    return value
  }

  /** Gives the service time before it is asked again; a sandbox whose clock stands is moved on. */
  async pass(ms: number): Promise<void> {
    await this.outside.sleep(ms)
    await this.target.onPass?.(ms)
  }

  /**
   * Sends with the token of the run. A 401 is either the answer to this request or the end of the session; one more request
   * decides.
   */
  private async withToken(send: (token: string) => Promise<Answer>): Promise<Answer> {
    const { session } = this
    const token = await session.token()
    if (!token) throw new NotEvaluable('the login gave no access token')
    const answer = await send(token)
    if (answer.status !== 401) return answer
    for (let handover = 0; session.signIn.by === 'file' && handover < HANDOVERS; handover++) {
      const next = await session.token()
      if (next !== token) {
        // The other program refreshed: a request that was refused for its token had no effect.
        const again = await send(next)
        if (again.status !== 401) return again
      } else if (await session.isAlive()) return answer
      await this.outside.sleep(HANDOVER_MS)
    }
    if (await session.isAlive()) return answer
    throw new Stopped(
      'the session is lost: another login or refresh with this key ended it (docs/market-facts.md#one-session-per-key)',
      'session',
    )
  }
}

function withQuery(path: string, query: Query): string {
  const entries = Object.entries(query).map(([name, value]) => [name, String(value)])
  const text = new URLSearchParams(Object.fromEntries(entries)).toString()
  return text ? `${path}?${text}` : path
}

/** The signature of a body, in the form that the owner chose; without a key something that looks like one. */
function signerOf({ signingKey, signatureForm = SPEC_FORM, apiSecret }: Target): Signer {
  if (signingKey) return createSigner({ privateKey: signingKey, form: signatureForm, secret: apiSecret })
  const { withSecret, encoding, prefix } = readSignatureForm(signatureForm)
  return (body) => {
    const hash = createHash('sha256').update(withSecret ? apiSecret : '')
    return prefix + hash.update(body).digest(encoding)
  }
}
