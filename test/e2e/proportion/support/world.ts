import { cpSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { type Effects, systemEffects } from '../../../../src/effects.js'
import {
  buildMarket,
  defaultSymbols,
  type StandIn,
  type StandInMarket,
  type SymbolSeed,
  startStandIn,
} from '../../../standin/index.js'
import { baseline } from '../../../support/baseline.js'
import { onEnd } from '../../../support/cleanup.js'
import { temporaryFolder } from '../../../support/folder.js'
import { type At, cli, type Environment, type Ran } from '../../../support/program.js'
import { towards } from '../../support/cli.js'
import { expectCode } from '../../support/nights.js'

/** Sessions of two weeks; the first night works for the second of them, with the first one before it. */
export const SESSIONS = [
  '2026-03-02',
  '2026-03-03',
  '2026-03-04',
  '2026-03-05',
  '2026-03-06',
  '2026-03-09',
  '2026-03-10',
  '2026-03-11',
  '2026-03-12',
  '2026-03-13',
] as const
/** Sessions that a night makes complete. */
const DEPTH = 2
export const NIGHTS = SESSIONS.length - 1

export const WARRANT = 'CFPT2505'
/** April 2026. */
export const FUTURE = '41I1G4000'
const FORMER_FUTURE = '41I1F4000'
/** Traded on every session. */
export const STOCKS = ['VCB', 'FPT', 'HPG', 'PVS', 'ACV', 'VGT'] as const
export const INDEXES = ['VNINDEX', 'VN30', 'HNXINDEX', 'UPCOMINDEX'] as const
export const ACCOUNTS = ['0691234561', '0691234566', '0691234568'] as const

function seeds(): SymbolSeed[] {
  const names = new Set<string>([...STOCKS, FORMER_FUTURE, 'DNT'])
  return [
    ...defaultSymbols()
      .filter(({ symbol }) => names.has(symbol))
      .map((seed) => (seed.symbol === FORMER_FUTURE ? { ...seed, symbol: FUTURE } : seed)),
    { symbol: WARRANT, board: 'HOSE', kind: 'warrant', base: 900, tick: 10 },
  ]
}

/** @param closed a session that the exchanges did not hold */
export const smallMarket = (closed?: string): StandInMarket =>
  buildMarket({ sessions: SESSIONS.filter((day) => day !== closed), symbols: seeds() })

/** The session of the nth night, from 1. */
export const sessionOf = (night: number): string => SESSIONS[night] ?? ''
/** All sessions of the nth night, from 1. */
export const sessionsOf = (night: number): string[] => SESSIONS.slice(night + 1 - DEPTH, night + 1)

/** Half past six in the evening of a day, in exchange time. */
export const evening = (day: string): number => Date.parse(`${day}T11:30:00Z`)

export interface Clock extends Effects {
  /** Runs at the n-th wait, counted from 1. */
  whenWaiting?: (nth: number) => Promise<void> | void
}

/** A clock at an evening, which only waits move: nothing waits in fact. Dice at their lowest. */
export function eveningClock(day: string, start = evening(day)): Clock {
  let slept = 0
  let waits = 0
  const clock: Clock = {
    ...systemEffects,
    random: () => 0.01,
    now: () => start + slept,
    monotonic: () => slept,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted()
      slept += ms
      await clock.whenWaiting?.(++waits)
      // Others go on meanwhile, as they would.
      await setImmediate()
    },
  }
  return clock
}

export interface Service extends StandIn {
  /** It is the evening of the nth session. */
  turn(night: number): void
}

/** The service on an evening, closed after the test. */
export async function service(night: number, market?: StandInMarket): Promise<Service> {
  const standIn = await openService(night, market)
  onEnd(() => standIn.close())
  return standIn
}

/** The same for more than one test. A one-time password is good for one session; each evening has its own. */
export async function openService(night: number, market = smallMarket()): Promise<Service> {
  let today = ''
  const standIn = await startStandIn({
    market,
    otpSingleUse: true,
    otherSide: 'absent',
    now: () => evening(today),
  })
  const { openContracts, closedContracts, orders } = standIn.accounts
  for (const row of [...openContracts, ...closedContracts, ...orders])
    if (row.symbol === FORMER_FUTURE) row.symbol = FUTURE
  const turn = (to: number): void => {
    today = sessionOf(to)
    standIn.setOptions({ today, otp: otpOf(to) })
  }
  turn(night)
  return Object.assign(standIn, { turn })
}

export const otpOf = (night: number): string => `24681${night}`

export interface NightOptions extends Pick<At, 'writesReport' | 'signal'> {
  readonly effects?: Effects
  readonly env?: Environment
  readonly args?: readonly string[]
  /** @default true */
  readonly accounts?: boolean
}

/** The nightly of an evening. */
export async function runNight(
  standIn: Service,
  cwd: string,
  night: number,
  { effects, env, args = [], accounts = true, ...more }: NightOptions = {},
): Promise<Ran> {
  const day = sessionOf(night)
  const line = ['nightly', '--date', day, '--sessions', String(DEPTH), '--json', ...args]
  if (!accounts) line.push('--skip-accounts')
  return await cli(line, {
    cwd,
    env: towards(standIn, { ...(accounts ? { BROKER_OTP: otpOf(night) } : {}), ...env }),
    effects: effects ?? eveningClock(day),
    ...more,
  })
}

/** Folder of a home after so many nights that nothing disturbed: made once, only read. */
export async function undisturbed(nights: number, accounts = true): Promise<string> {
  return await baseline(`${nights} nights${accounts ? ' with accounts' : ''}`, async (cwd) => {
    if (nights > 1) cpSync(await undisturbed(nights - 1, accounts), cwd, { recursive: true })
    const standIn = await service(nights)
    expectCode(await runNight(standIn, cwd, nights, { accounts }), 0)
  })
}

/**
 * A copy to go on from. Its catalog is that of the original until a night publishes; after 0 nights it is empty.
 *
 * @param copy where it is made
 */
export async function homeAfter(nights: number, accounts = true, copy = temporaryFolder()): Promise<string> {
  if (nights > 0) cpSync(await undisturbed(nights, accounts), copy, { recursive: true })
  return copy
}
