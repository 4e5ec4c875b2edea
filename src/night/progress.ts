import { dirname } from 'node:path'
import { shownInstant } from 'candlehouse-foundation/market/day'
import type { Effects } from '../effects.js'
import { removeQuietly, tempOfProcess, writeLines } from '../home/files.js'
import { isAlive, machineName } from '../home/home.js'
import { logFile, readLogFile } from '../home/log-files.js'

const NAME = 'progress.json'

export interface Progress {
  /**
   * A phase of the run begins.
   *
   * @param total number of steps, if known
   * @param unit of the steps. @default 'windows'
   */
  phase(name: string, total?: number, unit?: string): void
  /** `count` more steps are done; `note` describes the last one. */
  advance(count: number, note?: string): void
  done(): void
}

/** What a run under way has done so far. Instants are ISO 8601, UTC. */
export interface RunProgress {
  readonly pid: number
  /** Where the process is. */
  readonly machine: string
  readonly job: string
  readonly tradingDate: string
  readonly startedAt: string
  readonly phases: readonly RunPhase[]
}

export interface RunPhase {
  name: string
  done: number
  total: number | null
  unit: string
  note: string
  startedAt: string
  finishedAt: string | null
}

/** Shortest time between two writes within a phase. */
const EVERY_MS = 1_000

/**
 * Progress that is also written to `logs/progress.json`, for the console: a run shows its phases to those who did not
 * start it. A file that cannot be written is ignored, because a run does not fail because of it.
 */
export class ProgressFile implements Progress {
  private readonly file: string
  private readonly phases: RunPhase[] = []
  private writtenAt = Number.NEGATIVE_INFINITY

  constructor(
    home: string,
    private readonly run: { job: string; tradingDate: string; startedAt: number },
    private readonly shown: Progress,
    private readonly effects: Effects,
  ) {
    this.file = logFile(home, NAME)
  }

  phase(name: string, total?: number, unit = 'windows'): void {
    this.shown.phase(name, total, unit)
    this.end()
    const startedAt = this.now()
    this.phases.push({ name, done: 0, total: total ?? null, unit, note: '', startedAt, finishedAt: null })
    this.write()
  }

  advance(count: number, note = ''): void {
    this.shown.advance(count, note)
    const phase = this.phases.at(-1)
    if (!phase) return
    phase.done += count
    phase.note = note
    if (this.effects.monotonic() - this.writtenAt >= EVERY_MS) this.write()
  }

  done(): void {
    this.shown.done()
    this.end()
    this.write()
  }

  /** Removes the file: the run has ended. */
  close(): void {
    removeQuietly(this.file, this.effects.disk)
  }

  private end(): void {
    const phase = this.phases.at(-1)
    if (phase) phase.finishedAt ??= this.now()
  }

  private now(): string {
    return new Date(this.effects.now()).toISOString()
  }

  private write(): void {
    this.writtenAt = this.effects.monotonic()
    const { job, tradingDate, startedAt } = this.run
    const content: RunProgress = {
      pid: process.pid,
      machine: machineName(),
      job,
      tradingDate,
      startedAt: new Date(startedAt).toISOString(),
      phases: this.phases,
    }
    const { disk } = this.effects
    const temp = tempOfProcess(this.file)
    try {
      disk.makeFolder(dirname(this.file), 0o700)
      // Neither synced nor awaited, unlike a file of `writeWholeFile`: after a power cut nobody needs it.
      writeLines(temp, [content], disk)
      disk.rename(temp, this.file)
    } catch {
      removeQuietly(temp, disk)
    }
  }
}

/** The progress of the run under way; null while there is none, also where one was killed. */
export function readProgress(home: string): RunProgress | null {
  const progress = readLogFile<RunProgress>(home, NAME)
  return progress && isAlive(progress.pid) ? progress : null
}

/** A run that ended without a word. */
export type KilledRun = Pick<RunProgress, 'job' | 'tradingDate' | 'startedAt'>

/**
 * The last run on this machine if it was killed, by SIGKILL, for its memory or by a power cut: it has written no conclusion, and the
 * one before it still stands. Null from the next run on.
 */
export function readKilledRun(home: string): KilledRun | null {
  const progress = readLogFile<RunProgress>(home, NAME)
  if (!progress || progress.machine !== machineName() || isAlive(progress.pid)) return null
  const { job, tradingDate, startedAt } = progress
  return { job, tradingDate, startedAt }
}

export function killedWords({ job, tradingDate, startedAt }: KilledRun): string {
  return `the ${job} for ${tradingDate} that began at ${shownInstant(startedAt)} was killed before it ended`
}
