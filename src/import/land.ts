import type { Effects } from '../effects.js'
import { type ClosedWalk, IMPORT } from '../land/journal.js'
import { type LandingRun, landWalk, type WalkPage } from '../land/walk.js'
import type { Day } from '../market/day.js'
import { addDays } from '../market/day.js'
import { isTimeframe } from '../market/timeframe.js'
import type { Window } from '../plan/datasets.js'
import type { History, HistoryRecord } from './history.js'

/** What the pages of an import share. */
export interface LandContext extends LandingRun {
  readonly signal: AbortSignal
}

/** Records of a page: 4 MB of text, read in one piece where one of them is doubted. */
const RECORDS_PER_PAGE = 20_000

/** Records of a walk, but for a session that has more: what a kill cuts is landed again. */
const RECORDS_PER_WALK = 60_000

/** What stands around the records of a page. */
const BEFORE_RECORDS = '{"data":['
const AFTER_RECORDS = ']}'

/** Days without a record after which another walk begins: the days of a window are judged, also those between. */
const LONGEST_GAP = 31

/** Walks in the making hold so many records: their pages are synced side by side. */
const RECORDS_IN_FLIGHT = 100_000

/**
 * Lands the records of a file as pages that look like answers of the service, and journals them alike: loading, quarantine,
 * verdicts and replay need no file, and no code of their own. A session of a symbol lies within one walk.
 *
 * @param onWalk called with each closed walk
 * @returns records that another one of the file already says word for word: they are one
 * @throws the signal's reason between two walks · StorageError
 */
export async function landHistory(
  history: History,
  context: LandContext,
  onWalk: (walk: ClosedWalk) => Promise<void>,
  effects: Effects,
): Promise<number> {
  const count = { walks: 0, pages: 0 }
  const flights = new Map<number, { records: number; landed: Promise<void> }>()
  let repeated = 0
  let walk: HistoryRecord[] = []
  const depart = async (): Promise<void> => {
    const records = walk
    walk = []
    if (records.length === 0) return
    context.signal.throwIfAborted()
    const number = ++count.walks
    // Taken at once: walks land side by side, and their pages are numbered as if one came after the other.
    let page = count.pages
    count.pages += Math.ceil(records.length / RECORDS_PER_PAGE)
    const subject = { window: windowOf(history, records, context.tradingDate), endpoint: IMPORT }
    const pages = pagesOf(history, records, effects)
    const numbers = { walk: number, nextPage: () => ++page }
    const landed = landWalk(subject, pages, numbers, context).then((closed) => closed && onWalk(closed))
    // Heard below, when it is waited for.
    landed.catch(() => undefined)
    flights.set(number, { records: records.length, landed })
    while (
      [...flights.values()].reduce((sum, flight) => sum + flight.records, 0) > RECORDS_IN_FLIGHT ||
      flights.size > 8
    ) {
      const [oldest] = flights
      if (!oldest) break
      flights.delete(oldest[0])
      await oldest[1].landed
    }
  }
  try {
    await history.stream(async (records) => {
      for (const record of records) {
        const last = walk.at(-1)
        if (
          last &&
          last.text === record.text &&
          last.key === record.key &&
          last.timeframe === record.timeframe
        ) {
          repeated += 1
          continue
        }
        if (last && endsBefore(last, record, walk.length)) await depart()
        walk.push(record)
      }
    })
    await depart()
  } finally {
    // What has begun is landed before anybody closes the journal.
    await Promise.allSettled([...flights.values()].map(({ landed }) => landed))
  }
  for (const { landed } of flights.values()) await landed
  return repeated
}

/** Whether a walk ends between two records. */
function endsBefore(last: HistoryRecord, next: HistoryRecord, records: number): boolean {
  if (last.key !== next.key || last.timeframe !== next.timeframe) return true
  if (last.day === next.day && last.day !== null) return false
  if (records >= RECORDS_PER_WALK) return true
  return last.day !== null && next.day !== null && next.day > addDays(last.day, LONGEST_GAP)
}

/** A walk's records as pages that look like answers of the service; the last one says how the walk ended. */
async function* pagesOf(
  { file }: History,
  records: readonly HistoryRecord[],
  effects: Effects,
): AsyncGenerator<WalkPage> {
  for (let from = 0; from < records.length; from += RECORDS_PER_PAGE) {
    const part = records.slice(from, from + RECORDS_PER_PAGE)
    const body = Buffer.from(`${BEFORE_RECORDS}${part.map(({ text }) => text).join(',\n')}${AFTER_RECORDS}`)
    yield {
      query: { file: file.name, sha256: file.sha256, bytes: String(file.bytes) },
      ...{ status: null, attempts: 0, body, wire: undefined, receivedAt: effects.now(), rows: part.length },
      shape: 'data',
      list: [BEFORE_RECORDS.length, body.length - AFTER_RECORDS.length],
      end: from + RECORDS_PER_PAGE >= records.length ? { state: 'imported', reason: null } : null,
    }
  }
}

/** From the first to the last day that can be read; the trading date where none can. */
function windowOf({ dataset }: History, records: readonly HistoryRecord[], tradingDate: Day): Window {
  const [first] = records
  const dated = records.find(({ day }) => day !== null)?.day ?? tradingDate
  const timeframe = first && isTimeframe(first.timeframe) ? first.timeframe : ''
  return { dataset, key: first?.key ?? '', timeframe, from: dated, to: records.at(-1)?.day ?? dated }
}
