// Planned misbehaviour: which request it hits, how often, and what it does.

import { matches, type RequestLog } from './log.js'
import type { Row } from './rows.js'

export type FaultMatch =
  | ((request: RequestLog, nth: number) => boolean)
  | { path: string; where?: Record<string, string>; nth?: number }

export type FaultKind =
  | {
      kind: 'reset' | 'truncate' | 'html502' | 'html200' | 'hang' | 'null' | 'bom' | 'emptyBody' | 'samePage'
    }
  /** 'truncated' (default): half of the gzip stream; 'crc': all of it with a wrong check sum. */
  | { kind: 'badGzip'; how?: 'truncated' | 'crc' }
  | { kind: 'status'; status: number; body?: string; headers?: Record<string, string> }
  | { kind: '429'; retryAfter?: string | number; headers?: Record<string, string> }
  /** Repeats the last row of the page before; `edit` makes it conflict, `shift` drops this page's last row. */
  | { kind: 'dup'; edit?: (row: Row) => Row; shift?: boolean }
  /** Leaves out the last `rows` (1) rows of the page, the counts unchanged. */
  | { kind: 'short'; rows?: number }
  | { kind: 'body'; transform: (text: string) => string | Buffer }
  /** The true answer as the beginning of a body that never ends. */
  | { kind: 'endless' }
  /** The true answer, followed by so many blanks. */
  | { kind: 'oversized'; blanks: number }

/**
 * Fires once unless `times` says otherwise. `nth` counts from 1, per fault and from the first request after the
 * fault was set: requests that fit `path` and `where`, or for a function all requests of the same path.
 */
export type Fault = FaultKind & { match: FaultMatch; times?: number }

interface FaultState {
  seen: Map<string, number>
  fired: number
}

export const faultPicker = (): ((faults: Fault[], request: RequestLog) => Fault | undefined) => {
  const states = new WeakMap<Fault, FaultState>()
  return (faults, request) => {
    let chosen: Fault | undefined
    for (const fault of faults) {
      const state = states.get(fault) ?? { seen: new Map<string, number>(), fired: 0 }
      states.set(fault, state)
      const { match } = fault
      const plain = typeof match !== 'function'
      if (plain && !matches(request, match.path, match.where)) continue
      const key = plain ? '' : request.path
      const nth = (state.seen.get(key) ?? 0) + 1
      state.seen.set(key, nth)
      const due = plain ? match.nth === undefined || nth >= match.nth : match(request, nth)
      if (chosen || !due || state.fired >= (fault.times ?? 1)) continue
      state.fired += 1
      chosen = fault
    }
    return chosen
  }
}
