import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS, dayOf } from 'candlehouse-foundation/market/day'
import { sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import type { Conclusion } from '../night/conclusion.js'
import { readConclusion } from '../night/conclusion-file.js'
import { type Gap, readGaps } from '../night/gaps.js'
import { type LastBucket, readLastBucket } from '../night/last-bucket.js'
import { readLastRun } from '../night/last-run.js'
import { type KilledRun, readKilledRun } from '../night/progress.js'
import type { RunSummary } from '../night/summary.js'
import { type DriftedField, driftByDataset, type FieldDrift } from '../plan/field-drift.js'
import { type Ask, asking, hasCatalog, latestPublication, querySql, withCatalog } from './query.js'
import { noWarnings, readWarnings, type Warnings } from './warnings.js'

/** Coverage of one dataset and timeframe. Days are trading dates. */
export interface DatasetStatus {
  dataset: string
  timeframe: string
  from: string
  to: string
  keys: number
  complete: number
  empty: number
  incomplete: number
  refused: number
  /** Windows that were imported from a user's file and never fetched. */
  imported: number
  /** Day from which the service no longer serves the first gap; null if none expires. */
  nextExpiry: string | null
}

/** What one API key has read of accounts, as published. */
export interface KeyStatus {
  name: string
  /** Trading date of its latest snapshot. */
  latest: string
  /** Accounts in it, and how many of them are complete. */
  accounts: number
  complete: number
}

/** How the last run ended, from `logs/`. */
interface Ended {
  /** The whole `logs/last-run.json`; null if no run has ended yet. */
  lastRun: RunSummary | null
  /** Whether the night is good, why not, and what to type; null if no run has ended yet. */
  conclusion: Conclusion | null
  /** A run after it that was killed; null if there is none. */
  killedRun: KilledRun | null
  /** How the last publication to a bucket went; null if there was none. */
  bucket: LastBucket | null
}

/** What the published catalog shows. */
export interface Figures extends Warnings {
  /** Null before the first publication. */
  publication: { id: number; publishedAt: string; ageSeconds: number } | null
  datasets: DatasetStatus[]
  /** The first incomplete windows, in the order in which they expire. */
  gaps: Pick<Gap, 'dataset' | 'key' | 'timeframe' | 'day' | 'reason'>[]
  gapCount: number
  quarantined: number
  /** How the fields of each dataset's latest answers differ from the specification; only datasets that do. */
  drift: FieldDrift[]
  /** Keys that have read accounts, by name. */
  keys: KeyStatus[]
  /** Time of the last request, ISO 8601; API keys that are idle for 90 days are suspended. Null: never. */
  lastRequestAt: string | null
  /** Whole days since then. */
  idleDays: number | null
}

export type Status = Figures & Ended

const SHOWN_GAPS = 20
const EVER = '9999-12-31'

/** Freshness, coverage, gaps and the last run. */
export async function readStatus(home: string, effects: Effects): Promise<Status> {
  const ended = readEnded(home)
  return { ...(await readFigures(home, effects)), ...ended }
}

export function readEnded(home: string): Ended {
  return {
    lastRun: readLastRun(home),
    conclusion: readConclusion(home),
    killedRun: readKilledRun(home),
    bucket: readLastBucket(home),
  }
}

/** All of one publication. */
export async function readFigures(home: string, effects: Effects): Promise<Figures> {
  if (!hasCatalog(home)) {
    return {
      publication: null,
      datasets: [],
      gaps: [],
      gapCount: 0,
      quarantined: 0,
      drift: [],
      keys: [],
      lastRequestAt: null,
      idleDays: null,
      ...noWarnings,
    }
  }
  return await withCatalog(home, async (reader) => await figuresOf(asking(reader), effects))
}

async function figuresOf(ask: Ask, effects: Effects): Promise<Figures> {
  const today = dayOf(effects.now())
  const { gaps, gapCount } = await readGaps(ask, { until: EVER, today, most: SHOWN_GAPS })
  const [quarantine] = await ask<{ records: string }>('SELECT count(*) AS records FROM ops.quarantine')
  return {
    ...(await readWarnings(ask, today)),
    publication: await readPublication(ask, effects),
    datasets: await readDatasets(ask),
    gaps: gaps.map(({ dataset, key, timeframe, day, reason }) => ({ dataset, key, timeframe, day, reason })),
    gapCount,
    quarantined: Number(quarantine?.records),
    drift: driftByDataset(await ask<DriftedField>(sqlFile('warehouse/drifted_fields.sql'))),
    keys: await ask<KeyStatus>(
      sqlTemplate('read/keys.sql', { latest_snapshot: sqlFile('night/latest_snapshots.sql') }),
    ),
    ...(await readIdleTime(ask, effects)),
  }
}

async function readPublication(ask: Ask, effects: Effects): Promise<Figures['publication']> {
  const latest = await latestPublication(ask)
  if (!latest) return null
  const age = effects.now() - Date.parse(latest.publishedAt)
  return { ...latest, ageSeconds: Math.max(0, Math.round(age / 1000)) }
}

async function readDatasets(ask: Ask): Promise<DatasetStatus[]> {
  const rows = await ask<DatasetStatus & { from: string | null; to: string | null }>(
    sqlTemplate('read/datasets.sql', { open_gap: sqlFile('warehouse/open_gap.sql') }),
  )
  return rows.map((row) => ({ ...row, from: row.from ?? '', to: row.to ?? '' }))
}

async function readIdleTime(ask: Ask, effects: Effects): Promise<Pick<Status, 'lastRequestAt' | 'idleDays'>> {
  const [latest] = await ask<{ received_at: string | null }>(
    `SELECT max(received_at) AS received_at FROM ops.request WHERE endpoint <> 'import'`,
  )
  const lastRequestAt = latest?.received_at ?? null
  if (lastRequestAt === null) return { lastRequestAt: null, idleDays: null }
  const idle = effects.now() - Date.parse(lastRequestAt)
  return { lastRequestAt, idleDays: Math.max(0, Math.floor(idle / DAY_MS)) }
}

/** Trading date of the nightly that has ended last; undefined before the first. Ids of runs sort by start, whatever the clock said. */
export async function lastNightly(home: string): Promise<string | undefined> {
  if (!existsSync(join(home, 'catalog.duckdb'))) return undefined
  const { rows } = await querySql(
    home,
    `SELECT arg_max(trading_date, run_id)::VARCHAR FROM ops.run WHERE job = 'nightly' AND state = 'done'`,
  )
  return (rows[0]?.[0] as string | null | undefined) ?? undefined
}
