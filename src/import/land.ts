import { provePage } from 'candlehouse-foundation/json/page'
import { addDays, type Day } from 'candlehouse-foundation/market/day'
import { isTimeframe } from 'candlehouse-foundation/market/timeframe'
import type { Effects } from '../effects.js'
import { type ClosedWalk, IMPORT } from '../land/journal.js'
import { type LandingRun, landWalk, type WalkPage } from '../land/walk.js'
import type { Window } from '../plan/datasets.js'
import type { History, HistoryRecord } from './import-history.js'

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

/** Records and walks that are being written at the same time: their pages are synced side by side. */
const RECORDS_IN_FLIGHT = 100_000
const WALKS_IN_FLIGHT = 8

/**
 * Lands the records of a file as pages that look like answers of the service, and journals them alike: loading, quarantine,
 * rules and replay need no file, and no code of their own. A session of a symbol lies within one walk.
 *
 * @param onWalk called with each closed walk
 * @returns records that equal another one of the file word for word: they are one
 * @throws the signal's reason between two walks · StorageError
 */
export async function landHistory(
  history: History,
  context: LandContext,
  onWalk: (walk: ClosedWalk) => Promise<void>,
  effects: Effects,
): Promise<number> {
  const landing = new HistoryLanding(history, context, onWalk, effects)
  try {
    await history.stream((records) => landing.add(records))
    await landing.closeWalk()
  } finally {
    // What has begun is landed before anybody closes the journal.
    await landing.settle()
  }
  await landing.requireLanded()
  return landing.repeated
}

/** A file's records on their way into pages: one walk is filled while those before it are written side by side. */
class HistoryLanding {
  /** Records that equal the one before. */
  repeated = 0
  /** Records of the walk that is being filled. */
  private walk: HistoryRecord[] = []
  private walks = 0
  private pages = 0
  /** Walks that are being written, oldest first. */
  private readonly writing: { records: number; landed: Promise<void> }[] = []

  constructor(
    private readonly history: History,
    private readonly context: LandContext,
    private readonly onWalk: (walk: ClosedWalk) => Promise<void>,
    private readonly effects: Effects,
  ) {}

  async add(records: readonly HistoryRecord[]): Promise<void> {
    for (const record of records) {
      const last = this.walk.at(-1)
      if (last && isRepeated(last, record)) {
        this.repeated += 1
        continue
      }
      if (last && endsBefore(this.history, last, record, this.walk.length)) await this.closeWalk()
      this.walk.push(record)
    }
  }

  /** Begins to write the walk, and waits while too many records are being written. */
  async closeWalk(): Promise<void> {
    const records = this.walk
    this.walk = []
    if (records.length === 0) return
    this.context.signal.throwIfAborted()
    const landed = this.land(records)
    // Heard below, when it is waited for.
    landed.catch(() => undefined)
    this.writing.push({ records: records.length, landed })
    const inFlight = (): number => this.writing.reduce((sum, walk) => sum + walk.records, 0)
    while (inFlight() > RECORDS_IN_FLIGHT || this.writing.length > WALKS_IN_FLIGHT) {
      await this.writing.shift()?.landed
    }
  }

  /** Waits for everything that is being written, whether it succeeds or not. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.writing.map(({ landed }) => landed))
  }

  /** @throws the first failure of what was being written */
  async requireLanded(): Promise<void> {
    for (const { landed } of this.writing) await landed
  }

  private async land(records: readonly HistoryRecord[]): Promise<void> {
    // Taken at once: walks are written side by side, and their pages are numbered as if one came after the other.
    let page = this.pages
    this.pages += Math.ceil(records.length / RECORDS_PER_PAGE)
    const numbers = { walk: ++this.walks, nextPage: () => ++page }
    const subject = {
      window: windowOf(this.history, records, this.context.tradingDate),
      endpoint: IMPORT,
    }
    const pages = pagesOf(this.history, records, this.effects)
    const walk = await landWalk(subject, pages, numbers, this.context)
    if (walk) await this.onWalk(walk)
  }
}

function isRepeated(last: HistoryRecord, next: HistoryRecord): boolean {
  return last.text === next.text && last.key === next.key && last.timeframe === next.timeframe
}

/** Whether a walk ends between two records. */
function endsBefore(
  { dataset }: History,
  last: HistoryRecord,
  next: HistoryRecord,
  records: number,
): boolean {
  if (last.key !== next.key || last.timeframe !== next.timeframe) return true
  if (last.day === next.day && last.day !== null) return false
  if (records >= RECORDS_PER_WALK) return true
  // Declarations have no window of sessions.
  if (dataset === 'corporateActions') return false
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
    const { list } = provePage(body)
    yield {
      query: { file: file.name, sha256: file.sha256, bytes: String(file.bytes) },
      status: null,
      attempts: 0,
      body,
      wire: undefined,
      receivedAt: effects.now(),
      rows: part.length,
      shape: 'data',
      fields: list?.fields ?? null,
      plain: list?.plain ?? false,
      end: from + RECORDS_PER_PAGE >= records.length ? { state: 'imported', reason: null } : null,
    }
  }
}

/** From the first to the last day that can be read; the trading date where none can, and of declarations. */
function windowOf({ dataset }: History, records: readonly HistoryRecord[], tradingDate: Day): Window {
  const [first] = records
  if (dataset === 'corporateActions')
    return { dataset, key: '*', timeframe: '', from: tradingDate, to: tradingDate }
  const dated = records.find(({ day }) => day !== null)?.day ?? tradingDate
  const timeframe = first && isTimeframe(first.timeframe) ? first.timeframe : ''
  return { dataset, key: first?.key ?? '', timeframe, from: dated, to: records.at(-1)?.day ?? dated }
}
