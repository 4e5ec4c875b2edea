import { cpSync } from 'node:fs'
import { buildMarket, defaultSymbols, type Fault, type StandIn, startStandIn } from '../../standin/index.js'
import { baseline, unpublishedCopyOf } from '../../support/baseline.js'
import { onEnd } from '../../support/cleanup.js'
import { cli, type Ran } from '../../support/program.js'
import { ALWAYS } from './bad-answers.js'
import { towards } from './cli.js'
import { expectCode, heldHashes, LOW_JITTER, rowsOf } from './nights.js'

/** Sessions of the market of these tests; a night makes two of them complete. */
export const DAYS = ['2025-03-13', '2025-03-14', '2025-03-17', '2025-03-18'] as const

export async function marketService(options: Parameters<typeof startStandIn>[0] = {}): Promise<StandIn> {
  const standIn = await startMarketService(options)
  onEnd(() => standIn.close())
  return standIn
}

/** The same for more than one test. */
export async function startMarketService(options: Parameters<typeof startStandIn>[0] = {}): Promise<StandIn> {
  const market = buildMarket({ sessions: [...DAYS], symbols: defaultSymbols() })
  return await startStandIn({ market, ...options })
}

/** The night of a session: it and the one before are made complete. */
export async function nightOf(
  standIn: StandIn,
  cwd: string,
  day: string,
  more: readonly string[] = [],
  signal?: AbortSignal,
): Promise<Ran> {
  standIn.setOptions({ today: day })
  const args = ['nightly', '--date', day, '--sessions', '2', '--json', ...more]
  return await cli(args, {
    cwd,
    env: towards(standIn),
    effects: LOW_JITTER,
    ...(signal ? { signal } : {}),
  })
}

export async function repairOf(standIn: StandIn, cwd: string, day: string): Promise<Ran> {
  standIn.setOptions({ today: day })
  return await cli(['repair', '--date', day, '--json'], { cwd, env: towards(standIn), effects: LOW_JITTER })
}

/** Hashes of the market's relations. */
export async function marketHashes(cwd: string): Promise<Record<string, string>> {
  const all = Object.entries(await heldHashes(cwd))
  return Object.fromEntries(all.filter(([name]) => name.startsWith('market.')))
}

/** What the nights of the first sessions hold that nothing disturbed; made once, only read. */
export async function undisturbedNights(count: number): Promise<Record<string, string>> {
  return await marketHashes(await baseline(nameOf(count), (folder) => makeNights(count, folder)))
}

const nameOf = (count: number): string => `nights of the first ${count} of four sessions`

/** The last of them follows a copy of those before it. */
async function makeNights(count: number, folder: string): Promise<void> {
  if (count > 1)
    cpSync(await baseline(nameOf(count - 1), (former) => makeNights(count - 1, former)), folder, {
      recursive: true,
    })
  expectCode(await nightOf(await marketService(), folder, DAYS[count - 1] ?? ''), 0)
}

/** A home after the undisturbed night of the first session. Its catalog is that of the baseline until a night publishes. */
export async function afterFirstNight(): Promise<string> {
  return await unpublishedCopyOf(nameOf(1), (folder) => makeNights(1, folder))
}

/** Answers of a path with nothing in them. */
export function nothing(path: string, where: Record<string, string> = {}): Fault {
  return { kind: 'body', transform: () => '[]', match: { path, where }, times: ALWAYS }
}

/** Answers of a path without some records. */
export function without(
  path: string,
  omits: (record: Record<string, unknown>) => boolean,
  where: Record<string, string> = {},
): Fault {
  return {
    kind: 'body',
    match: { path, where },
    times: ALWAYS,
    transform(text) {
      const body = JSON.parse(text) as Record<string, unknown> | Record<string, unknown>[]
      const list = Array.isArray(body) ? body : (body.data as Record<string, unknown>[])
      const left = list.filter((record) => !omits(record))
      if (Array.isArray(body)) return JSON.stringify(left)
      const count = (name: string): object => (name in body ? { [name]: left.length } : {})
      return JSON.stringify({ ...body, data: left, ...count('itemsCount') })
    },
  }
}

/** Open contradictions of the ledger. */
export async function contradictions(cwd: string): Promise<string[]> {
  const rows = await rowsOf<{ line: string }>(
    cwd,
    `select concat_ws(' ', dataset, key, timeframe, window_from) || ': ' || reason as line from ops.coverage
     where reason_code = 'contradicted' order by 1`,
  )
  return rows.map(({ line }) => line)
}
