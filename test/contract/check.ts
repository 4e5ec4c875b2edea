import type { Probe } from './probe.js'

/** One sentence of the specification, and how it is seen whether a service keeps it. */
export interface Check {
  readonly id: string
  /** The specification's words, or close to them. */
  readonly says: string
  /** `market`: any token; `trading`: one verified with an OTP; `writes`: places and cancels orders. */
  readonly needs: 'market' | 'trading' | 'writes'
  /** The specification leaves it open: this is what the sandbox does. */
  readonly isChoice?: true
  run(probe: Probe): Promise<void>
}

/** What a check throws when a service does not keep a sentence. */
export class Broken extends Error {}

export function expectThat(holds: boolean, otherwise: string): void {
  if (!holds) throw new Broken(otherwise)
}

export function expectEqual(is: unknown, should: unknown, what: string): void {
  const [a, b] = [JSON.stringify(is), JSON.stringify(should)]
  if (a !== b) throw new Broken(`${what} is ${cut(a)}, not ${cut(b)}`)
}

function cut(text: string | undefined): string {
  return text === undefined ? 'absent' : text.length > 160 ? `${text.slice(0, 160)}…` : text
}

export type Row = Readonly<Record<string, unknown>>

export function rowsOf(value: unknown, what: string): readonly Row[] {
  expectThat(Array.isArray(value), `${what} is no array`)
  return value as Row[]
}

export function objectOf(value: unknown, what: string): Row {
  expectThat(typeof value === 'object' && value !== null && !Array.isArray(value), `${what} is no object`)
  return value as Row
}

/** Every field is there, and its values are strings. */
export function expectStrings(row: Row, fields: readonly string[], what: string): void {
  for (const field of fields) {
    expectThat(field in row, `${what}.${field} is missing`)
    const value = row[field]
    expectThat(typeof value === 'string', `${what}.${field} is ${JSON.stringify(value)}, not a string`)
  }
}

export function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

/** `{code, msg}` with HTTP and code 400 as text, `Invalid request` (docs/brokerage-api.md#errors). */
export function expectInvalid(told: { status: number; body: unknown }, what: string): void {
  expectEqual(told.status, 400, `HTTP status of ${what}`)
  const { code, msg } = objectOf(told.body, `the error of ${what}`)
  expectEqual(code, '400', `code of ${what}`)
  expectEqual(msg, 'Invalid request', `msg of ${what}`)
}

/** Refused with `{code, msg}`, whatever the words. */
export function expectRefused(told: { status: number; body: unknown }, what: string): void {
  expectThat(told.status >= 400 && told.status < 500, `${what} is answered with ${told.status}`)
  const { code, msg } = objectOf(told.body, `the error of ${what}`)
  expectEqual([typeof code, typeof msg], ['string', 'string'], `types of code and msg of ${what}`)
}
