import type { InterruptedError } from 'candlehouse-foundation/errors'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { instantOf } from 'candlehouse-foundation/market/day'
import type { Effects } from '../../effects.js'
import { makeHome } from '../../home/home.js'
import type { Progress } from '../../night/progress.js'
import { writeReport } from '../../report/write.js'
import type { RunIo } from '../../run/lifecycle/run-io.js'
import { runJob } from '../../run/verbs/job.js'
import type { Settings } from '../../settings/index.js'
import { readDemoRecord, writeDemoRecord } from './demo-record.js'
import { type DemoRun, demoRuns } from './demo-runs.js'
import { driveSandbox } from './driven-sandbox.js'
import { pastEffects } from './past-effects.js'
import type { Story } from './story.js'

/** Where a demo is made, and who watches. */
export interface DemoIo {
  readonly effects: Effects
  readonly signal: AbortSignal
  readonly progress: Progress
}

/** No phases: the runs of a demo are the steps that are shown. */
const UNSEEN: Progress = { phase() {}, advance() {}, done() {} }

/**
 * Makes the home of a story, or what a demo that was stopped has not made yet. The same story gives the same tables, also after a stop.
 *
 * @returns how many runs it took; 0 where the home was whole
 * @throws UsageError for a home that a demo did not make · InterruptedError after the run under way has stopped
 */
export async function makeDemo(settings: Settings, story: Story, io: DemoIo): Promise<number> {
  const { home } = settings
  const runs = demoRuns(story, loadCalendar())
  const done = readDemoRecord(home, story)?.runs ?? 0
  if (done >= runs.length) return 0
  makeHome(home)
  await writeDemoRecord(home, { story, runs: done }, io.effects)
  // From the first day also when it goes on: the accounts follow from every session since then.
  await using sandbox = await driveSandbox({ ...story.world, date: runs[0]?.day ?? '' }, io.effects)
  const past = pastEffects(io.effects)
  const service = { start: async () => sandbox.service }
  io.progress.phase('demo', runs.length - done, 'runs')
  for (const [index, run] of runs.entries()) {
    if (index < done) continue
    if (io.signal.aborted) throw io.signal.reason as InterruptedError
    const begins = instantOf(run.day, run.time)
    await sandbox.moveTo(`${run.day}T${run.time}:00+07:00`)
    await sandbox.plan(run.faults)
    past.begin(begins)
    const { effects } = past
    // Tables that follow from views are for other engines: they are published once, with the last night.
    const isLast = index === runs.length - 1
    const given = isLast ? settings : { ...settings, lakeMarts: [] }
    await oneRun(given, run, { effects, signal: io.signal, progress: UNSEEN, embedded: service })
    await writeDemoRecord(home, { story, runs: index + 1 }, io.effects)
    io.progress.advance(1, `${run.spec.name} of ${run.spec.tradingDate}`)
  }
  io.progress.done()
  return runs.length - done
}

async function oneRun(settings: Settings, run: DemoRun, io: RunIo): Promise<void> {
  const { exitCode, conclusion } = await runJob(settings, run.spec, io)
  if (exitCode !== run.exitCode) {
    const reasons = conclusion.reasons.map(({ text }) => text).join('; ')
    throw new Error(
      `the ${run.spec.name} of ${run.spec.tradingDate} ended with ${exitCode}, not ${run.exitCode}: ${reasons}`,
    )
  }
  if (run.writesReport) await writeReport(settings, { day: run.spec.tradingDate }, io.effects)
}
