import type { EffectName } from './effects.js'
import type { Answer, Probe } from './probe.js'
import { shown } from './shown.js'

/** One sentence of the specification, and how it is seen whether a service keeps it. */
export interface Check {
  readonly id: string
  /** The specification's words, or close to them. */
  readonly says: string
  /** `market`: any token; `trading`: one verified with an OTP. */
  readonly needs: 'market' | 'trading'
  /** What it does besides reading: it runs only where the owner allowed this by name. */
  readonly effect?: EffectName
  /** Whether the effect is allowed already by how the owner signs in: its answer is there, and nothing more is sent. */
  isPaid?(probe: Probe): boolean
  /** The specification leaves it open: this is what the sandbox does. */
  readonly isChoice?: true
  run(probe: Probe): Promise<void>
}

/** What a check throws when a service does not keep a sentence. */
export class Broken extends Error {}

/** What a check throws when there is nothing to look at, or when values move while they are compared. */
export class NotEvaluable extends Error {}

export function expectThat(holds: boolean, otherwise: string): void {
  if (!holds) throw new Broken(otherwise)
}

export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  // A status is no figure of an account: a report shows it as it is.
  if (what.startsWith('HTTP status') && actual !== expected)
    throw new Broken(`${what} is ${String(actual)}, not ${String(expected)}`)
  const difference = firstDifference(actual, expected, what)
  if (difference) throw new Broken(difference)
}

/** @returns undefined where both have the same JSON */
function firstDifference(actual: unknown, expected: unknown, path: string): string | undefined {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return undefined
  if (Array.isArray(actual) && Array.isArray(expected)) {
    if (actual.length !== expected.length)
      return `${path} has ${actual.length} entries, not ${expected.length}`
    const at = actual.findIndex((value, index) => JSON.stringify(value) !== JSON.stringify(expected[index]))
    return firstDifference(actual[at], expected[at], `${path}[${at}]`)
  }
  if (isRow(actual) && isRow(expected)) {
    const names = new Set([...Object.keys(actual), ...Object.keys(expected)])
    for (const name of names) {
      const difference = firstDifference(actual[name], expected[name], `${path}.${name}`)
      if (difference) return difference
    }
    // The same members in another order are the same object.
    return undefined
  }
  return `${path} is ${shown(actual)}, not ${shown(expected)}`
}

/**
 * Two requests that have the same answer. Where the market moves between them the first is asked again: an answer that
 * changes by itself proves nothing.
 *
 * @throws NotEvaluable where it moves each time
 */
export async function expectSame(
  ask: () => Promise<unknown>,
  askOtherwise: () => Promise<unknown>,
  what: string,
): Promise<void> {
  let before = await ask()
  for (let attempt = 0; attempt < 3; attempt++) {
    const other = await askOtherwise()
    if (firstDifference(other, before, what) === undefined) return
    const after = await ask()
    if (firstDifference(other, after, what) === undefined) return
    if (firstDifference(after, before, what) === undefined) {
      expectEqual(other, before, what)
      return
    }
    before = after
  }
  throw new NotEvaluable(`${what}: the values move while they are compared; run it after the close`)
}

export type Row = Readonly<Record<string, unknown>>

export function rowsOf(value: unknown, what: string): readonly Row[] {
  expectThat(Array.isArray(value), `${what} is not an array`)
  return value as Row[]
}

export function objectOf(value: unknown, what: string): Row {
  expectThat(isRow(value), `${what} is not an object`)
  return value as Row
}

/** The rows of an answer; `{"code":204}` is none, as live deployments write it. */
export function listOf(probe: Probe, body: unknown, what: string): readonly Row[] {
  return isEmpty(probe, body, what) ? [] : rowsOf(body, what)
}

/** Whether an answer is `{"code":204}`: nothing to return (docs/market-facts.md#empty-results). */
export function isEmpty(probe: Probe, body: unknown, what: string): boolean {
  if (!isRow(body) || Number(body.code) !== 204) return false
  probe.knows('empty-results', `${what} without rows is {"code":204}`)
  return true
}

/** What an answer has in `data`; live deployments may have it at the top (docs/market-facts.md#answers-without-data). */
export function dataOf(probe: Probe, answer: Row, member: string, what: string): Row {
  if ('data' in answer || !(member in answer)) return objectOf(answer.data, `${what}.data`)
  probe.knows('answers-without-data', `${what} has ${member} without data`)
  return answer
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

/** `{code, msg}` with HTTP and code 400 as text, `Invalid request` (docs/brokerage-api.md#errors). */
export function expectInvalid({ status, body }: Answer, what: string): void {
  expectEqual(status, 400, `HTTP status of ${what}`)
  const { code, msg } = objectOf(body, `the error of ${what}`)
  expectEqual(code, '400', `code of ${what}`)
  expectEqual(msg, 'Invalid request', `msg of ${what}`)
}

/** Refused with `{code, msg}`, whatever the words. */
export function expectRefused({ status, body }: Answer, what: string): void {
  expectThat(status >= 400 && status < 500, `${what} is answered with ${status}`)
  const { code, msg } = objectOf(body, `the error of ${what}`)
  expectEqual([typeof code, typeof msg], ['string', 'string'], `types of code and msg of ${what}`)
}
