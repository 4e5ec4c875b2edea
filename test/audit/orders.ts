import { seeded } from '../e2e/support/seeded.js'
import { type Arrival, arrivals, SESSIONS } from './arrivals.js'
import { OrderedHome } from './ordered-home.js'

/**
 * Brings everything in an order that the seed draws, with kills and a replay between. In the order of time (seed 0) all of it is checked
 * at once.
 *
 * @param sessions how many
 * @returns the findings
 */
export async function findingsOf(
  home: string,
  seed: number,
  sessions = SESSIONS.length,
): Promise<Record<string, unknown[]>> {
  const next = seeded(seed)
  const inTime = arrivals(sessions)
  const order = seed === 0 ? inTime : drawnOrder(inTime, next)
  const ordered = await OrderedHome.open(home)
  try {
    const replayAfter = Math.floor(next() * order.length)
    for (const [at, arrival] of order.entries()) {
      await ordered.arrive(arrival, seed === 0 || next() < 0.3)
      if (seed > 1 && at === replayAfter) await ordered.replay()
    }
    await ordered.check()
    const findings = await ordered.findings()
    if (seed === 0) return findings
    await ordered.replay()
    const replayed = await ordered.findings()
    if (JSON.stringify(replayed) !== JSON.stringify(findings))
      return { differs: [difference(findings, replayed)] }
    return findings
  } finally {
    ordered.close()
  }
}

function drawnOrder(arrivals: readonly Arrival[], next: () => number): Arrival[] {
  const drawn = arrivals
    .map((arrival) => ({ arrival, at: next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ arrival }) => arrival)
  const snapshots = drawn.filter(({ snapshot }) => snapshot)
  snapshots.sort((a, b) => (a.tradingDate < b.tradingDate ? -1 : 1))
  return drawn.map((arrival) => (arrival.snapshot ? (snapshots.shift() ?? arrival) : arrival))
}

/** Rows that one has and the other has not. */
export function difference(one: Record<string, unknown[]>, other: Record<string, unknown[]>): unknown {
  const texts = (rows: unknown[]): Set<string> => new Set(rows.map((row) => JSON.stringify(row)))
  return Object.keys(one)
    .flatMap((name) => {
      const [a, b] = [texts(one[name] ?? []), texts(other[name] ?? [])]
      return [
        ...[...a].filter((row) => !b.has(row)).map((row) => `- ${row}`),
        ...[...b].filter((row) => !a.has(row)).map((row) => `+ ${row}`),
      ]
    })
    .slice(0, 12)
}

/** Numbers of the rules that found something at fault. */
export function rulesAtFault(found: Record<string, unknown[]>): string[] {
  const rules = (found['recon.offender'] ?? []).map((row) => String((row as { rule: string }).rule))
  return [...new Set(rules)].sort((a, b) => Number(a) - Number(b))
}
