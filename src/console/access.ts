import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Who may ask: the holder of the token, from an address of loopback. */
export class Access {
  /** 192 random bits: other users of the machine reach loopback too. */
  readonly token = randomBytes(24).toString('base64url')
  /** Known once the server listens. */
  port = 0

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Cookies do not belong to a port: two consoles must not take each other's. */
  private get cookie(): string {
    return `candlehouse-${this.port}`
  }

  /** Whether the request names this server, and comes from its own pages or from no page. A name that resolves to loopback is foreign. */
  isLocal({ headers }: IncomingMessage): boolean {
    const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${this.port}`)
    const { host, origin } = headers
    if (host === undefined || !hosts.includes(host.toLowerCase())) return false
    return origin === undefined || hosts.some((name) => origin.toLowerCase() === `http://${name}`)
  }

  /** Whether the request carries the token: as a header, or as the cookie that the address sets. */
  isAllowed({ headers }: IncomingMessage): boolean {
    const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
    return this.isToken(bearer) || this.isToken(this.cookieOf(headers.cookie))
  }

  /** Compares in constant time. */
  isToken(text: string | null | undefined): boolean {
    return typeof text === 'string' && timingSafeEqual(digest(text), digest(this.token))
  }

  /** Scripts cannot read it, and no other site can make the browser send it. */
  get setCookie(): string {
    return `${this.cookie}=${this.token}; HttpOnly; SameSite=Strict; Path=/`
  }

  private cookieOf(header = ''): string | undefined {
    return header
      .split(';')
      .map((pair) => pair.trim().split('='))
      .find(([name]) => name === this.cookie)?.[1]
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
