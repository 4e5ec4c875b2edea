import { UsageError } from 'candlehouse-foundation/errors'
import { sha256 } from '../home/sha256.js'
import type { AssistantLimits } from './assistant-limits.js'

/** A call of a tool with its arguments, as it can be made again. */
export type Call =
  | { readonly tool: 'query'; readonly sql: string; readonly limit: number }
  | { readonly tool: 'describe'; readonly relation: string }
  | { readonly tool: 'find'; readonly text: string }
  | { readonly tool: 'trace'; readonly relation: string; readonly key: Readonly<Record<string, string>> }
  | { readonly tool: 'status' }
  | { readonly tool: 'report' }

/** Calls that are remembered. */
const MOST = 1_000

/** 64 bits: enough to tell the calls of one server apart, short enough to be quoted. */
const DIGITS = 16

/** The latest calls by their hash. */
export class Calls {
  private readonly known = new Map<string, Call>()

  add(hash: string, call: Call): void {
    this.known.delete(hash)
    this.known.set(hash, call)
    const [oldest] = this.known.keys()
    if (this.known.size > MOST && oldest !== undefined) this.known.delete(oldest)
  }

  /** @throws UsageError for a hash that this server has not given */
  get(hash: string): Call {
    const call = this.known.get(hash)
    if (call) return call
    throw new UsageError(`no answer of this session has the hash ${hash.slice(0, 64)}`, {
      hint: 'give the statement itself',
    })
  }
}

/** The call that gives the rows behind an aggregate. */
export function callBehind(sql: string, { usualRows }: Pick<AssistantLimits, 'usualRows'>): Call {
  return { tool: 'query', sql, limit: usualRows }
}

/** The same call has the same hash on every machine. */
export function callHash(call: Call): string {
  return sha256(JSON.stringify(Object.entries(call).sort())).slice(0, DIGITS)
}
