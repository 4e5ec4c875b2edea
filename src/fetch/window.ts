import { ServiceError } from 'candlehouse-foundation/errors'
import { addDays, type Day, dayCount } from 'candlehouse-foundation/market/day'
import type { ClosedWalk } from '../land/journal.js'
import { windowCeiling } from '../plan/ceilings.js'
import { type DatasetName, isList } from '../plan/datasets.js'
import type { WindowRequest } from '../plan/request.js'
import { type FetchContext, type WalkRequest, walkOnce } from './walk.js'

/** What page walks over windows share besides what all page walks share. */
export interface WindowContext extends FetchContext {
  /** Runs in a row in which a window failed, as the ledger has it. */
  failedRunsOf(window: WindowRequest): number
  /** First days that the service was found to serve in this run, by dataset and timeframe. */
  readonly edges: Map<string, Day>
}

/**
 * Makes the page walks of one window of market data: mostly one. A service whose data begin within the window may refuse all
 * of it: then the days from its edge on are requested apart, and what it was found to begin with is asked directly of the
 * next windows.
 *
 * @throws the signal's reason between two pages · ServiceError of an outage, SettingsError from the source · StorageError
 */
export async function fetchWindow(request: WindowRequest, context: WindowContext): Promise<ClosedWalk[]> {
  const edge = context.edges.get(edgeName(request))
  const [before, after] = edge === undefined ? [undefined, request] : splitAt(request, edge)
  const walks = before ? [await walkWindow(before, context)] : []
  if (!after) return walks
  const walk = await walkWindow(after, context)
  walks.push(walk)
  if (walk.end.state === 'refused' && !isList(after.dataset) && after.from < after.to)
    walks.push(...(await fetchFromEdge(after, context)))
  return walks
}

/**
 * The part of a refused window that the service serves: its last day is requested first, then halves of what is left before.
 * What is refused on the way is an answer as well: a replay loads every page walk that the journal has.
 */
async function fetchFromEdge(request: WindowRequest, context: WindowContext): Promise<ClosedWalk[]> {
  const walks: ClosedWalk[] = []
  let [first, served] = [request.from, addDays(request.to, 1)]
  for (let from = request.to; first < served; from = middle(first, served)) {
    const walk = await walkWindow({ ...request, from, to: addDays(served, -1) }, context)
    walks.push(walk)
    if (walk.end.state !== 'refused') served = from
    else if (from === request.to) return walks
    else first = addDays(from, 1)
  }
  if (served > request.from) context.edges.set(edgeName(request), served)
  return walks
}

/**
 * If the pages of a walk shifted between requests, it is made again, once, and the first one is left open: it is never loaded.
 */
async function walkWindow(request: WindowRequest, context: WindowContext): Promise<ClosedWalk> {
  const { dataset, key, timeframe, from, to } = request
  const walkRequest = (): WalkRequest<DatasetName> => ({
    window: { dataset, key, timeframe, from, to },
    walk: context.source.windowWalk(request, windowCeiling(request, context.listed)),
    failedRuns: context.failedRunsOf(request),
  })
  const walk =
    (await walkOnce(walkRequest(), context, true)) ?? (await walkOnce(walkRequest(), context, false))
  if (!walk) throw new ServiceError(`the page walk over ${dataset} ${key} did not end`)
  return walk
}

function edgeName({ dataset, timeframe }: WindowRequest): string {
  return `${dataset} ${timeframe}`
}

/** The window before a day, and from it on; undefined where there is none. */
function splitAt(request: WindowRequest, day: Day): [WindowRequest | undefined, WindowRequest | undefined] {
  if (request.from >= day) return [undefined, request]
  if (request.to < day) return [request, undefined]
  return [
    { ...request, to: addDays(day, -1) },
    { ...request, from: day },
  ]
}

/** The day in the middle of `first` up to `end`, which is excluded. */
function middle(first: Day, end: Day): Day {
  return addDays(first, Math.floor((dayCount(first, end) - 2) / 2))
}
