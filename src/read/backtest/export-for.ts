import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from 'candlehouse-foundation/errors'
import type { Reader } from '../../duckdb/reader.js'
import type { Effects } from '../../effects.js'
import { exportEvening } from '../as-known/export-evening.js'
import { makeWork, placeFolder, requireReplaceable } from '../export/placed.js'
import { asking, latestPublication } from '../query.js'
import type { Engine } from './engine-names.js'
import type { BarLength, Skipped } from './engine-writer.js'
import { ENGINES } from './engines.js'
import { type HistoryRange, historyStatements, type MarketHistory, marketHistory } from './market-history.js'

export interface EngineRequest extends HistoryRange {
  engine: Engine
  /** Absolute: a folder. */
  out: string
  timeframe: BarLength
  /** Absolute; with `asKnownOn`: the file that says what the export could see, and what it could not. */
  receipt?: string | undefined
}

/** `manifest.json` in the folder; names in snake_case, as in the relations. */
export interface EngineManifest {
  format: 'candlehouse-export'
  format_version: 1
  engine: Engine
  timeframe: BarLength
  universe: string
  /** Only where it is as the warehouse knew it at an instant. */
  as_known_on?: string
  publication: number
  published_at: string
  exported_at: string
  first_session: string
  last_session: string
  sessions: number
  /** Sessions in between of which nothing is stored. */
  missing_sessions: string[]
  instruments: number
  /** Of these, listed no more at the end of the range. */
  delisted: number
  /** Symbols whose prices before a day do not compare with those after it, with that day: an adjustment is not known. */
  factors_known_from: Record<string, string>
  /**
   * Of a universe that is an index: its members are known from this session on. Symbols of earlier sessions are those that were
   * members later: null where there are none.
   */
  members_known_from: string | null
  skipped: Skipped[]
}

export interface EngineProgress {
  /** A symbol is written, of about so many. */
  symbol(count: number): void
  /** What a reader of the folder must know. */
  note(words: string): void
  signal: AbortSignal
}

/**
 * Writes what a backtesting engine loads: all of it from one publication, delisted symbols included, and again as a whole
 * each time, since an adjustment of today changes every earlier price. Everything is written beside `out` and renamed at the
 * end, so `out` is always either the whole former export or the whole new one.
 *
 * As known on an evening, delistings, members, restated prices and factors are those of then.
 *
 * @throws UsageError for a timeframe that the engine's format cannot hold, a wrong universe, and if `out` is not an export
 * @throws StorageError if nothing is published, or if a file cannot be written
 */
export async function exportFor(
  home: string,
  request: EngineRequest,
  progress: EngineProgress,
  effects: Effects,
): Promise<EngineManifest> {
  const { engine, out, timeframe, asKnownOn, receipt } = request
  const { timeframes } = ENGINES[engine]
  if (!timeframes.includes(timeframe))
    throw new UsageError(`an export for ${engine} has no bars of ${timeframe}`, {
      hint: `--timeframe ${timeframes.join(' or ')}`,
    })
  requireReplaceable(out, 'folder')
  const work = `${out}.${process.pid}.tmp`
  return await exportEvening(
    home,
    { statements: historyStatements(), asKnownOn, receipt, out, work },
    async (reader) => await writeFolder(reader, request, work, progress, effects),
    (words) => progress.note(words),
    {},
    effects,
  )
}

async function writeFolder(
  reader: Reader,
  request: EngineRequest,
  work: string,
  progress: EngineProgress,
  effects: Effects,
): Promise<EngineManifest> {
  const { engine, out, timeframe, universe, asKnownOn } = request
  const history = await marketHistory(reader, request)
  const publication = await latestPublication(asking(reader))
  await makeWork(work, out)
  const files = join(work, 'files')
  await mkdir(files, { recursive: true })
  const skipped = await ENGINES[engine].write(history, files, timeframe, () => {
    progress.signal.throwIfAborted()
    progress.symbol(history.instruments.length)
  })
  const manifest: EngineManifest = {
    format: 'candlehouse-export',
    format_version: 1,
    engine,
    timeframe,
    universe,
    ...(asKnownOn ? { as_known_on: asKnownOn } : {}),
    publication: publication?.id ?? 0,
    published_at: publication?.publishedAt ?? '',
    exported_at: new Date(effects.now()).toISOString(),
    ...whatItHolds(history, skipped),
    members_known_from: history.members_known_from,
    skipped: skipped,
  }
  await placeFolder({ out, work, files, manifest }, effects)
  return manifest
}

function whatItHolds({ sessions, instruments }: MarketHistory, skipped: readonly Skipped[]) {
  const missing = new Set(skipped.flatMap(({ symbols }) => symbols))
  const written = instruments.filter(({ symbol }) => !missing.has(symbol))
  return {
    first_session: sessions[0]?.session ?? '',
    last_session: sessions.at(-1)?.session ?? '',
    sessions: sessions.length,
    missing_sessions: sessions.flatMap(({ session, is_stored }) => (is_stored ? [] : [session])),
    instruments: written.length,
    delisted: written.filter(({ last_session }) => last_session !== null).length,
    factors_known_from: Object.fromEntries(
      written.flatMap(({ symbol, factors_known_from: from }) => (from === null ? [] : [[symbol, from]])),
    ),
  }
}
