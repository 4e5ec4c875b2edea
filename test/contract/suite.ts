import { Broken, type Check, NotEvaluable } from './check.js'
import { accountReads } from './checks/accounts.js'
import { auth, lastAuth } from './checks/auth.js'
import { choices } from './checks/choices.js'
import { marketData } from './checks/market.js'
import { orderWrites } from './checks/writes.js'
import type { EffectName } from './effects.js'
import { type Difference, placeOf } from './known.js'
import type { OpenOrder } from './open-orders.js'
import { type Outside, realOutside } from './outside.js'
import { Probe, type Target } from './probe.js'
import { createRedaction } from './redaction.js'
import type { Sent } from './sender.js'
import { Stopped, TryAgain } from './stopped.js'

/** In the order of a run: what may end the session comes last. */
export const CHECKS: readonly Check[] = [
  ...auth,
  ...marketData,
  ...accountReads,
  ...orderWrites,
  ...choices,
  ...lastAuth,
]

/** `kept`: as specified · `known`: otherwise, as live deployments are known to be or where it is left open · `broken` · `skipped`: not looked at */
export type Result = 'kept' | 'known' | 'broken' | 'skipped'

export interface Outcome {
  readonly id: string
  readonly says: string
  readonly result: Result
  /** Why it is not kept; empty when it is. Without secrets, account numbers and figures of accounts. */
  readonly why: string
  /** Where a known live difference is described. */
  readonly sections: readonly string[]
}

export interface RunOptions {
  /** Effects that the owner allowed by name. */
  readonly allowed?: ReadonlySet<EffectName>
  /** Also what the specification leaves open, as the sandbox does it. */
  readonly choices?: boolean
  /** Only these; all when undefined. */
  readonly only?: readonly string[] | undefined
  /** Outcomes of an earlier run that was stopped: these checks do not run again. */
  readonly earlier?: readonly Outcome[]
  /** Orders that an earlier run left open: they are cancelled first. */
  readonly leftOpen?: readonly OpenOrder[]
  onOutcome?(outcome: Outcome): void
  onOpenOrders?(orders: readonly OpenOrder[]): void
}

export interface Run {
  readonly outcomes: readonly Outcome[]
  /** Why the run ended before its last check. */
  readonly stopped: { readonly kind: Stopped['kind']; readonly why: string } | undefined
  /** Orders that may be open, in words. */
  readonly openOrders: readonly string[]
  readonly sent: Sent
}

/** Differences of one check that a report names. */
const SHOWN = 6
/** What the sandbox does where the specification says nothing. */
const CHOICES_PLACE = 'docs/decisions/0058-what-the-specification-leaves-open.md'
/** Times that a check begins again since the service was busy. */
const ATTEMPTS = 3

/** Runs the suite against a service. */
export async function runSuite(
  target: Target,
  options: RunOptions,
  outside: Outside = realOutside,
): Promise<Run> {
  const allowed = options.allowed ?? new Set<EffectName>()
  const probe = new Probe(target, allowed, outside)
  const redact = createRedaction(probe)
  const outcomes: Outcome[] = []
  const done = new Map((options.earlier ?? []).map((outcome) => [outcome.id, outcome]))
  probe.openOrders.restore(options.leftOpen ?? [])
  probe.openOrders.onChange = () => options.onOpenOrders?.(probe.openOrders.cancels())
  let stopped: Run['stopped']
  const note = (check: Check, result: Result, why = '', sections: readonly string[] = []): void => {
    const { id, says } = check
    const outcome = { id, says, result, why: redact(check, why), sections }
    outcomes.push(outcome)
    options.onOutcome?.(outcome)
  }
  const before = done.get(FAMILIAR)
  if (before) stopped = await differsFrom(before, probe)
  if (options.leftOpen?.length && !stopped) await probe.cancelOpenOrders().catch(() => undefined)
  for (const check of CHECKS) {
    if (options.only && !options.only.includes(check.id)) continue
    const earlier = done.get(check.id)
    const unasked = earlier ? undefined : whyNot(check, probe, options)
    if (earlier) outcomes.push(earlier)
    else if (unasked) note(check, 'skipped', unasked)
    else if (stopped) note(check, 'skipped', 'the run stopped before')
    else stopped = await runCheck(check, probe, note, redact)
  }
  return { outcomes, stopped, openOrders: probe.openOrders.left(), sent: probe.sender.sent }
}

/** A read of one page whose names differ from one dialect to another. */
const FAMILIAR = 'masterdata-fields'

/** Asks once more what the earlier run has found out first: a service in another dialect, or after an update, begins anew. */
async function differsFrom(before: Outcome, probe: Probe): Promise<Run['stopped']> {
  const check = CHECKS.find(({ id }) => id === before.id)
  if (!check) return undefined
  try {
    const [result, , sections] = await resultOf(check, probe)
    if (result === 'skipped' || (result === before.result && sections.join() === before.sections.join()))
      return undefined
    const why = `${before.id} was ${before.result} in the earlier run and is ${result} now: the service answers in another way; begin again without --resume`
    return { kind: 'changed', why }
  } catch (error) {
    if (error instanceof Stopped) return { kind: error.kind, why: error.message }
    throw error
  }
}

type Note = (check: Check, result: Result, why?: string, sections?: readonly string[]) => void

/** @returns why the run cannot go on */
async function runCheck(
  check: Check,
  probe: Probe,
  note: Note,
  redact: (check: Check, text: string) => string,
): Promise<Run['stopped']> {
  try {
    const [result, why, sections] = await resultOf(check, probe)
    note(check, result, why, sections)
    return undefined
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    note(check, 'skipped', error.message)
    return { kind: error.kind, why: redact(check, error.message) }
  }
}

/** @throws Stopped when the run cannot go on */
async function resultOf(check: Check, probe: Probe): Promise<[Result, string, readonly string[]]> {
  for (let attempt = 1; ; attempt++) {
    probe.differences = []
    try {
      if (check.needs === 'trading') await probe.requireVerified()
      await check.run(probe)
      const sections = [...new Set(probe.differences.map(({ section }) => section))]
      if (sections.length === 0) return ['kept', '', []]
      return ['known', wordsOf(probe.differences), sections.map(placeOf)]
    } catch (error) {
      if (error instanceof TryAgain && attempt < ATTEMPTS) continue
      return unkept(check, error)
    } finally {
      await probe.cancelOpenOrders()
    }
  }
}

/** The first differences: the others are of the same kinds. */
function wordsOf(differences: readonly Difference[]): string {
  const more = differences.length - SHOWN
  const words = differences.slice(0, SHOWN).map(({ what }) => what)
  return [...words, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

function unkept({ isChoice }: Check, error: unknown): [Result, string, readonly string[]] {
  if (error instanceof NotEvaluable || error instanceof TryAgain) return ['skipped', error.message, []]
  // A shape so odd that the check stumbles over it is broken too.
  if (error instanceof Broken || error instanceof TypeError || error instanceof SyntaxError)
    // Where the specification says nothing, a service that does otherwise than the sandbox breaks nothing.
    return isChoice ? ['known', error.message, [CHOICES_PLACE]] : ['broken', error.message, []]
  throw error
}

/** Why a check does not run; undefined when it does. */
function whyNot(check: Check, probe: Probe, options: RunOptions): string | undefined {
  const { effect, isChoice, needs } = check
  if (isChoice && !options.choices) return 'needs --choices'
  if (needs === 'trading' && !probe.session.isVerified)
    return 'needs a one-time password, or the session of another program'
  if (effect && !probe.allowed.has(effect) && !check.isPaid?.(probe)) return `needs --allow ${effect}`
  return undefined
}
