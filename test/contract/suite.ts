import { Broken, type Check } from './check.js'
import { accountReads } from './checks/accounts.js'
import { auth } from './checks/auth.js'
import { choices } from './checks/choices.js'
import { marketData } from './checks/market.js'
import { orderWrites } from './checks/writes.js'
import { createProbe, type Target } from './probe.js'

export const CHECKS: readonly Check[] = [...auth, ...marketData, ...accountReads, ...orderWrites, ...choices]

export interface Outcome {
  readonly id: string
  readonly says: string
  readonly result: 'ok' | 'broken' | 'skipped'
  /** Why it is broken or was skipped; empty when ok. */
  readonly why: string
}

export interface RunOptions {
  readonly writes: boolean
  /** Also what the specification leaves open, as the sandbox does it. */
  readonly choices?: boolean
  /** Only these; all when undefined. */
  readonly only?: readonly string[] | undefined
  onOutcome?(outcome: Outcome): void
}

/** Runs the suite against a service. @throws Unreachable when it cannot be reached */
export async function runSuite(
  target: Target,
  options: RunOptions,
  fetcher?: typeof fetch,
): Promise<Outcome[]> {
  const probe = createProbe(target, fetcher)
  const outcomes: Outcome[] = []
  for (const { id, says, needs, isChoice, run } of CHECKS) {
    if (options.only && !options.only.includes(id)) continue
    const skipped =
      isChoice && !options.choices
        ? 'needs --choices'
        : needs === 'writes' && !options.writes
          ? 'needs --writes'
          : needs !== 'market' && target.otp === undefined
            ? 'needs --otp'
            : undefined
    const outcome = skipped
      ? ({ id, says, result: 'skipped', why: skipped } as const)
      : await run(probe).then(
          () => ({ id, says, result: 'ok', why: '' }) as const,
          (error: unknown) => {
            // A shape so odd that the check stumbles over it is broken too.
            if (
              !(error instanceof Broken) &&
              !(error instanceof TypeError) &&
              !(error instanceof SyntaxError)
            )
              throw error
            return { id, says, result: 'broken', why: error.message } as const
          },
        )
    outcomes.push(outcome)
    options.onOutcome?.(outcome)
  }
  return outcomes
}
