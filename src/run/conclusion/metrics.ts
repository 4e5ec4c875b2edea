import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { dayOf } from 'candlehouse-foundation/market/day'
import { reasonOf } from 'candlehouse-foundation/system-fault'
import type { Database } from '../../duckdb/open.js'
import { literal, sqlFile, sqlFiles } from '../../duckdb/sqlfile.js'
import type { Effects } from '../../effects.js'
import { writeWholeFile } from '../../home/files.js'
import type { Conclusion } from '../../night/conclusion.js'
import type { RunSummary } from '../../night/summary.js'
import { openWarehouse } from '../../warehouse/open-warehouse.js'
import type { KeySession } from '../session/view.js'
import { type Family, renderMetrics, type Sample } from './openmetrics.js'

/** What the ledger does not have of the run that is ending. */
export interface Ending {
  /** One that was interrupted, or that replaced the warehouse, is not in the ledger; undefined for one that has no row there. */
  readonly summary: Pick<RunSummary, 'job' | 'exitCode' | 'finishedAt'> | undefined
  readonly conclusion: Pick<Conclusion, 'complete' | 'trusted'>
  readonly sessions: readonly KeySession[]
}

/**
 * Writes `metrics.prom` of the home, for monitors: the whole file or nothing. An error is only logged as a warning: a run that
 * succeeded does not fail because of it.
 */
export async function writeMetrics(
  warehouse: Database,
  home: string,
  effects: Effects,
  ending: Ending,
): Promise<void> {
  const file = join(home, 'metrics.prom')
  try {
    const text = renderMetrics(await families(warehouse, effects.now(), ending))
    // Readable by everyone: collectors run as somebody else. Under the run's lock nobody else writes here; a file that a kill left
    // is overwritten.
    const options = { mode: 0o644, tempOf: () => `${file}.tmp`, hint: 'free some space' }
    await writeWholeFile(file, text, options, effects.disk)
  } catch (error) {
    effects.log.warn(`${file} was not written: ${reasonOf(error)}`)
  }
}

/** As `writeMetrics`, where the warehouse was closed. */
export async function refreshMetrics(home: string, effects: Effects, ending: Ending): Promise<void> {
  const file = join(home, 'warehouse.duckdb')
  if (!existsSync(file)) return
  try {
    using warehouse = await openWarehouse(file, effects)
    await writeMetrics(warehouse, home, effects, ending)
  } catch (error) {
    effects.log.warn(`metrics.prom was not written: ${reasonOf(error)}`)
  }
}

/** Statements that other readers of the night ask too. */
const VIEWS = {
  metrics_withheld: 'recon/withheld.sql',
  metrics_drift: 'warehouse/drifted_fields.sql',
  metrics_gap: 'warehouse/open_gap.sql',
  metrics_findings: 'night/latest_findings.sql',
} as const

async function families(
  warehouse: Database,
  now: number,
  { summary, conclusion, sessions }: Ending,
): Promise<Family[]> {
  await warehouse.run(`SET VARIABLE metrics_today = ${literal(dayOf(now))}::DATE`)
  for (const [name, path] of Object.entries(VIEWS))
    await warehouse.run(`CREATE OR REPLACE TEMP VIEW ${name} AS ${sqlFile(path)}`)
  await warehouse.run(
    `CREATE OR REPLACE TEMP TABLE metrics_run AS
     SELECT job, exit_code, epoch_ms(finished_at) AS at_ms FROM ops.run WHERE finished_at IS NOT NULL`,
  )
  if (summary) {
    const { job, exitCode, finishedAt } = summary
    await warehouse.run('INSERT INTO metrics_run VALUES (?, ?, ?)', [job, exitCode, Date.parse(finishedAt)])
  }
  await warehouse.run(
    'CREATE OR REPLACE TEMP TABLE metrics_conclusion AS SELECT ? AS complete, ? AS trusted',
    [conclusion.complete, conclusion.trusted],
  )
  await warehouse.run(
    'CREATE OR REPLACE TEMP TABLE metrics_session (key_name VARCHAR, stored BOOLEAN, ends_at_ms DOUBLE)',
  )
  for (const { name, isStored, endsAt } of sessions) {
    const end = endsAt === null ? null : Date.parse(endsAt)
    await warehouse.run('INSERT INTO metrics_session VALUES (?, ?, ?)', [name, isStored, end])
  }
  const all: Family[] = []
  for (const name of sqlFiles('metrics')) all.push(await readFamily(warehouse, sqlFile(`metrics/${name}`)))
  await warehouse.run('DROP TABLE metrics_run')
  return all
}

/** Runs one file of `sql/metrics`. */
async function readFamily(warehouse: Database, text: string): Promise<Family> {
  const headerOf = (key: string): string | undefined => new RegExp(`^-- ${key}: (.*)$`, 'm').exec(text)?.[1]
  const rows = await warehouse.rows<Record<string, string | number | bigint | null>>(text)
  const samples = rows.flatMap(({ value, ...labels }): Sample[] =>
    value === null || value === undefined
      ? []
      : [
          {
            labels: Object.fromEntries(Object.entries(labels).map(([name, label]) => [name, String(label)])),
            value: Number(value),
          },
        ],
  )
  return { name: headerOf('metric') ?? '', help: headerOf('help') ?? '', unit: headerOf('unit'), samples }
}
