import pLimit from 'p-limit'
import type { FetchContext } from '../../fetch/walk.js'
import { fetchWindow } from '../../fetch/window.js'
import type { Loader } from '../../load/loader.js'
import type { Plan } from '../../plan/plan.js'
import type { Progress } from '../lifecycle/progress.js'
import type { Tally } from '../lifecycle/tally.js'

/** Walks made at the same time; the throttle, not this, bounds the rate. */
const WORKERS = 8

/**
 * Fetches and loads what a stage's plan asks. The first failure stops the others after their page in hand;
 * what was closed by then is loaded before the failure is passed on.
 */
export async function ingestStage(
  plan: Plan,
  fetching: FetchContext,
  loader: Loader,
  tally: Tally,
  progress: Progress,
): Promise<void> {
  const stop = new AbortController()
  const signal = AbortSignal.any([fetching.signal, stop.signal])
  const limit = pLimit(WORKERS)
  let failure: { error: unknown } | undefined
  progress.phase(plan.stage, plan.requests.length)
  await Promise.all(
    plan.requests.map((request) =>
      limit(async () => {
        if (failure || signal.aborted) return
        try {
          const walk = await fetchWindow(request, { ...fetching, signal })
          tally.window(request.dataset)
          await loader.add(walk)
          progress.advance(1, `${request.dataset} ${request.key}`)
        } catch (error) {
          failure ??= { error }
          stop.abort(error)
        }
      }),
    ),
  )
  progress.done()
  fetching.signal.throwIfAborted()
  await loader.flush()
  if (failure) throw failure.error
}
