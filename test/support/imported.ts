import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { type Database, openDatabase } from '../../src/duckdb/open.js'
import { systemEffects } from '../../src/effects.js'
import {
  type History,
  type Imported,
  type ImportFlags,
  landHistory,
  openHistory,
} from '../../src/import/index.js'
import { type ClosedWalk, openJournal } from '../../src/land/journal.js'
import { batchesOf, type Loaded, loadBatch } from '../../src/load/batch.js'
import { fakeEffects } from './effects.js'
import { temporaryFolder } from './folder.js'

export const NO_FLAGS: ImportFlags = { symbol: undefined, index: undefined, timeframe: undefined }

const TODAY = '2025-06-30'

let runs = 0

/** A user's file with this text, outside of any home. */
export function fileOf(content: string | Uint8Array, name = 'history.csv'): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, content)
  return path
}

/** A Parquet file with what a statement returns. */
export async function parquetOf(select: string, name = 'history.parquet'): Promise<string> {
  const path = join(temporaryFolder(), name)
  const database = await openDatabase(':memory:')
  await database.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`)
  database.close()
  return path
}

/** Opens a file and gives it to the test; it is closed behind it. */
export async function withHistory<T>(
  dataset: Imported,
  path: string,
  flags: Partial<ImportFlags>,
  look: (history: History) => T | Promise<T>,
): Promise<T> {
  const history = await openHistory({
    path,
    dataset,
    flags: { ...NO_FLAGS, ...flags },
    today: TODAY,
    makeFolder: temporaryFolder,
  })
  try {
    return await look(history)
  } finally {
    history[Symbol.dispose]()
  }
}

/** Texts of the records, as pages would hold them, in their order. */
export async function recordsOf(
  dataset: Imported,
  path: string,
  flags: Partial<ImportFlags> = {},
): Promise<unknown[]> {
  return await withHistory(dataset, path, flags, async (history) => {
    const records: unknown[] = []
    await history.stream(async (some) => {
      records.push(...some.map(({ text }) => JSON.parse(text) as unknown))
    })
    return records
  })
}

/** Lands a file as a run would; its walks. */
export async function landFile(
  home: string,
  dataset: Imported,
  path: string,
  flags: Partial<ImportFlags> = {},
): Promise<ClosedWalk[]> {
  const run = `20250701T12000${String(++runs).padStart(4, '0')}Z-${String(runs).padStart(4, '0')}`
  const journal = await openJournal(home, run, systemEffects)
  const walks: ClosedWalk[] = []
  const { signal } = new AbortController()
  await withHistory(dataset, path, flags, async (history) => {
    const context = { home, journal, run, job: 'import', tradingDate: TODAY, signal }
    const keep = async (walk: ClosedWalk): Promise<void> => void walks.push(walk)
    await landHistory(history, context, keep, fakeEffects(Date.parse('2025-07-01T12:00:00Z')))
  })
  await journal.close()
  return walks
}

/** Lands and loads a file; what it did in all. */
export async function importFile(
  warehouse: Database,
  home: string,
  dataset: Imported,
  path: string,
  flags: Partial<ImportFlags> = {},
): Promise<Pick<Loaded, 'rows' | 'changed' | 'rejected' | 'blocked'>> {
  const sum = { rows: 0, changed: 0, rejected: 0, blocked: { rows: 0, sessions: 0 } }
  for (const batch of batchesOf(await landFile(home, dataset, path, flags))) {
    const done = await loadBatch(warehouse, home, dataset, batch, loadCalendar(), { verify: true })
    sum.rows += done.rows
    sum.changed += done.changed
    sum.rejected += done.rejected
    sum.blocked.rows += done.blocked.rows
    sum.blocked.sessions += done.blocked.sessions
  }
  return sum
}
