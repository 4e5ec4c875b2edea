import type { Answer, Sender } from './sender.js'
import { Stopped } from './stopped.js'

/** How the run gets its token. It logs in once, and never where another program has the session. */
export type SignIn =
  /** Market data only. */
  | { readonly by: 'key' }
  /** A password that works once. */
  | { readonly by: 'otp'; readonly otp: string }
  /** Asks the service to send a password, and a person for it. */
  | { readonly by: 'sent-otp'; ask(): Promise<string> }
  /** Waits for the approval in the mobile app (docs/market-facts.md#smart-otp). */
  | { readonly by: 'smart-otp'; sleep(ms: number): Promise<void> }
  /** The session file of a program that goes on: its tokens are read again when they were replaced. */
  | { readonly by: 'file'; read(): string }

export interface Credentials {
  readonly apiKey: string
  readonly apiSecret: string
}

const TOKEN = '/api/v3/auth/token'
const REQUEST_OTP = '/api/v3/auth/requestOtp'
const REFRESH = '/api/v3/auth/refresh'
/** Code of an approval that is waited for. */
const PENDING = '401114'
const POLL_MS = 2_000
const POLLS = 30
const JSON_TYPE = { 'content-type': 'application/json' }

/** The one session of a run. */
export class Session {
  /** The answer to the login, for the checks of it. */
  login: Answer | undefined
  /** The answer to the request for a one-time password, where this run needed one. */
  otpRequest: Answer | undefined
  private accessToken = ''
  private refreshToken = ''
  private opened = false
  private readonly former = new Set<string>()

  constructor(
    readonly signIn: SignIn,
    readonly credentials: Credentials,
    private readonly sender: Sender,
  ) {}

  /** Whether its token reads accounts. */
  get isVerified(): boolean {
    return this.signIn.by !== 'key'
  }

  /** Every token and password that it had: none of them is printed. */
  get secrets(): string[] {
    const { apiKey, apiSecret } = this.credentials
    const otp = this.signIn.by === 'otp' ? [this.signIn.otp] : []
    return [...this.former, this.accessToken, this.refreshToken, apiKey, apiSecret, ...otp].filter(Boolean)
  }

  /** @throws Stopped when the login is refused */
  async token(): Promise<string> {
    if (this.signIn.by === 'file') this.keep(this.signIn.read(), '')
    else if (!this.opened) await this.open()
    return this.accessToken
  }

  /** Whether the service accepts the token in use; another request than the one that was refused decides. */
  async isAlive(): Promise<boolean> {
    const authorization = `Bearer ${await this.token()}`
    const { status } = await this.sender.send('read', 'GET', '/api/v3/data/indexList', {
      headers: { ...JSON_TYPE, authorization },
    })
    return status !== 401
  }

  /** Logs in without a one-time password, before the login of the run: see the effect `second-login`. */
  async loginForMarket(): Promise<string> {
    if (this.opened) throw new Error('the login with the one-time password would be lost')
    const answer = await this.post(TOKEN, this.credentials)
    const token = textIn(answer, 'accessToken')
    this.former.add(token)
    return token
  }

  /** Whether the login of this run is still to come. */
  get isClosed(): boolean {
    return !this.opened
  }

  /** Exchanges its refresh token, and uses the new tokens from now on. */
  async refresh(): Promise<Answer> {
    await this.token()
    const answer = await this.post(REFRESH, { refreshToken: this.refreshToken })
    const token = textIn(answer, 'accessToken')
    if (token) this.keep(token, textIn(answer, 'refreshToken') || this.refreshToken)
    return answer
  }

  async post(path: string, body: unknown): Promise<Answer> {
    return await this.sender.send('login', 'POST', path, { headers: JSON_TYPE, body: JSON.stringify(body) })
  }

  private async open(): Promise<void> {
    this.opened = true
    this.login = await this.logIn()
    if (this.login.status >= 400)
      throw new Stopped(
        `the login was refused with HTTP ${this.login.status}; it is not tried again`,
        'credentials',
      )
    this.keep(textIn(this.login, 'accessToken'), textIn(this.login, 'refreshToken'))
  }

  private async logIn(): Promise<Answer> {
    const { signIn, credentials } = this
    if (signIn.by === 'otp') return await this.post(TOKEN, { ...credentials, otp: signIn.otp })
    if (signIn.by === 'sent-otp') {
      await this.requestOtp()
      const otp = await signIn.ask()
      this.former.add(otp)
      return await this.post(TOKEN, { ...credentials, otp })
    }
    if (signIn.by === 'smart-otp') return await this.pollApproval(signIn.sleep)
    return await this.post(TOKEN, credentials)
  }

  private async pollApproval(sleep: (ms: number) => Promise<void>): Promise<Answer> {
    const transactionId = textIn(await this.requestOtp(), 'transactionId')
    for (let poll = 0; poll < POLLS; poll++) {
      const answer = await this.post(TOKEN, { ...this.credentials, transactionId })
      const isPending = answer.status === 202 || textIn(answer, 'code') === PENDING
      if (!isPending) return answer
      await sleep(POLL_MS)
    }
    throw new Stopped('nobody approved the login in the mobile app', 'credentials')
  }

  private async requestOtp(): Promise<Answer> {
    this.otpRequest = await this.post(REQUEST_OTP, this.credentials)
    if (this.otpRequest.status >= 400)
      throw new Stopped(
        `the request for a one-time password was refused with HTTP ${this.otpRequest.status}`,
        'credentials',
      )
    return this.otpRequest
  }

  private keep(accessToken: string, refreshToken: string): void {
    for (const former of [this.accessToken, this.refreshToken]) if (former) this.former.add(former)
    this.accessToken = accessToken
    this.refreshToken = refreshToken
  }
}

function textIn({ body }: Answer, name: string): string {
  const value = (body as Record<string, unknown> | null | undefined)?.[name]
  return value === undefined || value === null ? '' : String(value)
}
