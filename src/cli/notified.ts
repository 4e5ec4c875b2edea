import { reasonOf } from 'candlehouse-foundation/system-fault'
import type { RunSummary } from '../night/summary.js'
import type { RunIo } from '../run/lifecycle/run-io.js'
import { withEmbeddedSandbox } from './embedded-sandbox.js'
import { renderNext, renderReasons } from './render/conclusion.js'
import { renderSummary } from './render/summary.js'
import type { Call } from './verb.js'

/**
 * Does the work of a verb that runs a job, then gives the result of the run to the hooks of the settings: after the run
 * has released its lock, and after its report is written and its summary printed. A verb that began no run (another one
 * has the lock) has no result.
 */
export async function withNotice<T>(call: Call, work: (io: RunIo) => Promise<T>): Promise<T> {
  let ended: RunSummary | undefined
  const onEnd = (summary: RunSummary): void => {
    ended = summary
  }
  try {
    const { effects, signal, progress } = call
    return await withEmbeddedSandbox((embedded) => work({ effects, signal, progress, embedded, onEnd }))
  } catch (error) {
    // What failed is printed by the program's edge; what the conclusion advises belongs to it.
    if (ended) call.terminal.words(renderFailed(ended))
    throw error
  } finally {
    if (ended) {
      complainOf(ended, call)
      if (await notifyOf(ended, call)) await markReported(ended, call)
    }
  }
}

/** Prints how a run ended. The exit code is the run's. */
export async function answerSummary(summary: RunSummary, call: Call): Promise<void> {
  await call.answer(summary, () => renderSummary(summary))
  call.endWith(summary.exitCode)
}

/** Another program publishes to the bucket: without its summary a run with that end would say nothing. */
function complainOf({ exitCode, notes, next }: RunSummary, { quiet, json, terminal }: Call): void {
  if (exitCode !== OTHER_PUBLISHER || !(quiet || json)) return
  for (const note of notes.slice(-1)) terminal.complain(`candlehouse: ${note}`)
  for (const command of next.slice(0, 1)) terminal.complain(`  next: ${command}`)
}

const OTHER_PUBLISHER = 75

/** @returns whether every hook of the settings has the result; so it is where there is none */
async function notifyOf(summary: RunSummary, call: Call): Promise<boolean> {
  const { settings, effects, terminal } = call
  if (settings.notifyCommand === undefined && settings.notifyUrl === undefined) return true
  const { notify } = await import('../notify/notify.js')
  const document = terminal.clean(`${JSON.stringify(summary, null, 2)}\n`)
  return await notify({ summary, document }, settings, call, effects)
}

/** Rows of watches that are not marked go with the next run: a disk that refuses the mark loses none. */
async function markReported({ watches }: RunSummary, { settings, effects }: Call): Promise<void> {
  if (!watches) return
  const { markDelivered } = await import('../mine/watches/watch-record.js')
  await markDelivered(settings.home, watches, effects).catch((error: unknown) =>
    effects.log.warn(`rows of watches are reported again by the next run: ${reasonOf(error)}`),
  )
}

/** How a run failed, what else is open, and what to type. */
function renderFailed({ job, tradingDate, conclusion }: RunSummary): string {
  const first = `${job} for ${tradingDate}: ${conclusion.state}`
  return [first, ...renderReasons(conclusion), ...renderNext(conclusion)].join('\n')
}
