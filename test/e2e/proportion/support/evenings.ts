import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Fault } from '../../../standin/index.js'
import { onEnd } from '../../../support/cleanup.js'
import { temporaryFolder } from '../../../support/folder.js'
import type { Ran } from '../../../support/program.js'
import { differences, type Published, shown, type Touch } from './differences.js'
import { publishedIn } from './published.js'
import { reportedBy } from './reported.js'
import {
  eveningClock,
  homeAfter,
  type NightOptions,
  openService,
  runNight,
  type Service,
  sessionOf,
  undisturbed,
} from './world.js'

const known = new Map<string, Promise<Published>>()

/** What a home has published after so many nights that nothing disturbed. */
export function undisturbedRows(nights: number, accounts = true): Promise<Published> {
  const name = `${nights} ${accounts}`
  let rows = known.get(name)
  if (!rows) {
    rows = undisturbed(nights, accounts).then(publishedIn)
    known.set(name, rows)
  }
  return rows
}

/** Differences of a home from the undisturbed one, but for those that are allowed. */
export async function undueDifferences(
  cwd: string,
  night: number,
  touches: Touch,
  accounts = true,
): Promise<string[]> {
  const all = differences(await undisturbedRows(night, accounts), await publishedIn(cwd))
  return shown(all.filter((difference) => !touches(difference)))
}

/** What a run says of what is wrong: what it reports, and its warnings. */
export function saidBy(ran: Ran): string {
  return `${reportedBy(ran)}\n${ran.stderr}`
}

/** For messages: how a run ended, without its tables. */
export function briefly(ran: Ran): string {
  return `exit ${ran.code}\n${saidBy(ran)}`
}

export interface Evening {
  readonly night: number
  readonly faults?: Fault[]
  /** Changes the service for this evening. What is returned undoes it. */
  readonly change?: (standIn: Service) => (() => void) | undefined
  readonly options?: NightOptions
  /** @default 4 */
  readonly code?: number
  /** Texts that the run's words must have. */
  readonly names: readonly (string | RegExp)[]
  /** Differences that the fault may cause, on this evening. */
  readonly touches: Touch
  /** Differences that no later evening can mend. */
  readonly lasting?: Touch
}

/**
 * One home, evening after evening, each with another fault: an evening also shows that the one before it is healed. After
 * one that failed the next one begins with an undisturbed home.
 */
export class Evenings {
  private last: { cwd: string; standIn: Service; night: number } | undefined
  private lasting: Touch[] = []
  /** Homes and services outlast a test: this goes with what holds the evenings. */
  private readonly folder = temporaryFolder()

  constructor(private readonly accounts = true) {
    onEnd(() => this.last?.standIn.close())
  }

  async run(evening: Evening): Promise<{ ran: Ran; cwd: string; standIn: Service }> {
    const { night, faults = [], change, options, code = 4, names, touches } = evening
    const { cwd, standIn } = await this.begin(night)
    standIn.turn(night)
    standIn.setOptions({ faults })
    const undo = change?.(standIn)
    const effects = eveningClock(sessionOf(night))
    const ran = await runNight(standIn, cwd, night, { effects, accounts: this.accounts, ...options })
    standIn.setOptions({ faults: [] })
    undo?.()
    // After a failure, the next evening begins with another home.
    this.last = { cwd, standIn, night: Number.NaN }
    expect(ran.code, briefly(ran)).toBe(code)
    const said = saidBy(ran)
    for (const name of names) expect(said).toMatch(name)
    if (evening.lasting) this.lasting.push(evening.lasting)
    const allowed: Touch = (each) => touches(each) || this.lasting.some((lasts) => lasts(each))
    expect(await undueDifferences(cwd, night, allowed, this.accounts)).toEqual([])
    this.last = { cwd, standIn, night }
    return { ran, cwd, standIn }
  }

  /** The home of the last evening. */
  get home(): string {
    if (!this.last) throw new Error('there was no evening yet')
    return this.last.cwd
  }

  /** An evening without a fault: complete, and equal everywhere. */
  async healthy(night: number, touches: Touch = () => false): Promise<void> {
    await this.run({ night, code: 0, names: [], touches })
  }

  private async begin(night: number): Promise<{ cwd: string; standIn: Service }> {
    if (this.last?.night === night - 1) return this.last
    await this.last?.standIn.close()
    this.lasting = []
    const cwd = mkdtempSync(join(this.folder, 'home-'))
    await homeAfter(night - 1, this.accounts, cwd)
    this.last = { cwd, standIn: await openService(night), night: Number.NaN }
    return this.last
  }
}
