import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Effects, systemEffects } from '../../../src/effects.js'
import {
  buildMarket,
  defaultSymbols,
  type StandIn,
  type StandInMarket,
  startStandIn,
} from '../../standin/index.js'
import { baseline, copyOfBaseline, unpublishedCopyOf } from '../../support/baseline.js'
import { onEnd } from '../../support/cleanup.js'
import { type At, cli, type Environment, type Ran } from '../../support/program.js'
import { ask } from '../../support/published.js'
import { towards } from './cli.js'
import { hashes } from './hashes.js'

/** The sessions of every night here. */
export const SESSIONS = ['2025-03-13', '2025-03-14'] as const
export const [FIRST, LAST] = SESSIONS

/** An index without members: what a service has nothing to say about. */
const EMPTY_INDEX = 'HNX30'

/**
 * Backoff is full jitter: with the dice at their lowest a run that is disturbed often takes no minutes. What
 * the service asks for (Retry-After) is still waited in full.
 */
export const LOW_JITTER: Effects = { ...systemEffects, random: () => 0.01 }

/** Symbols that the accounts hold: of each kind one that is traded, and of two boards. */
export const HELD: readonly string[] = ['FPT', 'HPG', 'PVS', '41I1F4000']

/** @param has symbols of the market; all without it */
export function smallMarket(has: (symbol: string) => boolean = () => true): StandInMarket {
  const symbols = defaultSymbols().filter(({ symbol }) => has(symbol))
  const market = buildMarket({ sessions: [...SESSIONS], symbols })
  market.indexes.push({ index: EMPTY_INDEX, indexName: EMPTY_INDEX, board: 'HNX' })
  market.members[EMPTY_INDEX] = []
  return market
}

/** A service with the small market, closed after the test. */
export async function service(options: Parameters<typeof startStandIn>[0] = {}): Promise<StandIn> {
  const standIn = await startStandIn({ market: smallMarket(), ...options })
  onEnd(() => standIn.close())
  return standIn
}

/** Makes both sessions complete. */
export const NIGHT = ['nightly', '--date', LAST, '--sessions', '2', '--json']

/** A night that makes both sessions complete. */
export async function night(
  standIn: StandIn,
  cwd: string,
  env: Environment = {},
  more: Pick<At, 'writesReport' | 'effects'> = {},
): Promise<Ran> {
  return await cli(NIGHT, { cwd, env: towards(standIn, env), effects: LOW_JITTER, ...more })
}

/** A night on the first session, as the service stood then. */
export async function eveBefore(standIn: StandIn, cwd: string, effects: Effects = LOW_JITTER): Promise<Ran> {
  standIn.setOptions({ today: FIRST })
  const args = ['nightly', '--date', FIRST, '--sessions', '1', '--json']
  const ran = await cli(args, { cwd, env: towards(standIn), effects })
  standIn.setOptions({ today: LAST })
  return ran
}

export type Hashes = Record<string, string>

/** Hashes of what is held and known to be held; not of how it was asked for, nor of evidence kept beside it. */
export async function heldHashes(cwd: string): Promise<Hashes> {
  const kept = Object.entries(await hashes(cwd)).filter(
    ([name]) => name.startsWith('market.') || name === 'ops.coverage',
  )
  expect(kept.length).toBeGreaterThan(5)
  return Object.fromEntries(kept)
}

/** What nights hold that nothing disturbed: one for both sessions, or one for each. */
interface Undisturbed {
  once: Hashes
  twice: Hashes
}

let known: Promise<Undisturbed> | undefined

/** They are computed once by a worker: these homes are only read. */
export function undisturbed(): Promise<Undisturbed> {
  known ??= hashUndisturbed()
  return known
}

async function hashUndisturbed(): Promise<Undisturbed> {
  return { once: await heldHashes(await nightOfBoth()), twice: await heldHashes(await nightForEach()) }
}

/** Folder of two nights that nothing disturbed, one for each session; made once, only read. */
export async function nightForEach(): Promise<string> {
  return await baseline('a night for each session', async (cwd) => {
    cpSync(await firstNight(), cwd, { recursive: true })
    expectCode(await night(await service(), cwd), 0)
  })
}

/** Folder of a night for both sessions that nothing disturbed; made once, only read. */
export async function nightOfBoth(): Promise<string> {
  return await baseline(BOTH, makeBoth)
}

const BOTH = 'a night for both sessions'

async function makeBoth(cwd: string): Promise<void> {
  expectCode(await night(await service(), cwd, {}, { writesReport: true }), 0)
}

/** A copy of `nightOfBoth`, to go on from. */
export async function copyOfBoth(): Promise<string> {
  return await copyOfBaseline(BOTH, makeBoth)
}

/** The same, for a test that publishes before it reads. */
export async function unpublishedCopyOfBoth(): Promise<string> {
  return await unpublishedCopyOf(BOTH, makeBoth)
}

/** A copy of what `eveBefore` makes, to go on from. */
export async function afterEve(): Promise<string> {
  return await copyOfBaseline(FIRST_NIGHT, makeFirstNight)
}

/** The same, for a test whose first step publishes. */
export async function unpublishedAfterEve(): Promise<string> {
  return await unpublishedCopyOf(FIRST_NIGHT, makeFirstNight)
}

const FIRST_NIGHT = 'a night for the first session'
/** Folder of what `eveBefore` makes; made once, only read. */
export const firstNight = (): Promise<string> => baseline(FIRST_NIGHT, makeFirstNight)

async function makeFirstNight(cwd: string): Promise<void> {
  expectCode(await eveBefore(await service(), cwd), 0)
}

export function expectCode(ran: Ran, code: number): void {
  expect(ran.code, `${ran.stdout}\n${ran.stderr}`).toBe(code)
}

/** Rows of a statement on the catalog, which stays open until another one is asked. */
export async function rowsOf<Row>(cwd: string, sql: string): Promise<Row[]> {
  return (await ask(join(cwd, 'data'), sql)) as Row[]
}

interface Summary {
  exitCode: number
  notes: string[]
  datasets: { dataset: string; rejected: number; missing: string[] }[]
}

/** Windows that a run says are missing, by dataset. */
export function missingOf(ran: Ran): Record<string, string[]> {
  const { datasets } = ran.json<Summary>()
  return Object.fromEntries(
    datasets.filter((each) => each.missing.length > 0).map(({ dataset, missing }) => [dataset, missing]),
  )
}
