import { join } from 'node:path'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import type { Database } from '../../src/duckdb/open.js'
import { installParsers } from '../../src/duckdb/parse.js'
import { systemEffects } from '../../src/effects.js'
import { journalledRuns } from '../../src/land/journal.js'
import { loadSnapshot } from '../../src/load/account/load-snapshot.js'
import { batchesOf, loadBatch } from '../../src/load/batch.js'
import { daysOfRun, weighEvidence } from '../../src/load/weigh-evidence.js'
import { relationOf } from '../../src/relations.js'
import { runRules, uncheckedScope } from '../../src/run/checks/run-rules.js'
import { runReplay } from '../../src/run/verbs/replay.js'
import { resolveSettings } from '../../src/settings/index.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import { fakeEffects } from '../support/effects.js'
import { landParts, landWalks } from '../support/landed.js'
import type { Arrival } from './arrivals.js'

const SUFFIXES = { broker: 'Broker', depository: 'Depository' }

const io = {
  effects: fakeEffects(Date.parse('2025-06-30T12:00:00Z')),
  signal: new AbortController().signal,
  progress: { phase() {}, advance() {}, done() {} },
}

/** Two validities of a security, or of a member of an index, on one day. */
const OVERLAPPING = `WITH validity AS (
    SELECT 'security' AS what, '' AS index_code, symbol, valid_from, valid_to FROM market.security_history
    UNION ALL SELECT 'member', index_code, symbol, valid_from, valid_to FROM market.index_member
  )
  SELECT what, index_code, symbol, CAST(later.valid_from AS VARCHAR) AS day
  FROM validity AS former JOIN validity AS later USING (what, index_code, symbol)
  WHERE former.valid_from < later.valid_from AND coalesce(former.valid_to > later.valid_from, true)
  ORDER BY ALL`

/** A home that arrivals come to, one run each. */
export class OrderedHome {
  private runs = 0

  constructor(
    readonly home: string,
    private warehouse: Database,
  ) {}

  static async open(home: string): Promise<OrderedHome> {
    return new OrderedHome(home, await opened(home))
  }

  /** @param killed before its rules ran: the next run checks what it loaded */
  async arrive({ tradingDate, walks, snapshot }: Arrival, killed: boolean): Promise<void> {
    const run = `20250630T1200${String(++this.runs).padStart(5, '0')}Z-0000`
    if (snapshot) {
      const answers = await landParts(this.home, snapshot, { run, tradingDate })
      await loadSnapshot(this.warehouse, this.home, answers, { verify: true, suffixes: SUFFIXES })
    }
    const landed = walks.length > 0 ? await landWalks(this.home, walks, { run, tradingDate }) : []
    for (const batch of batchesOf(landed)) {
      const dataset = batch[0]?.window.dataset
      if (dataset)
        await loadBatch(this.warehouse, this.home, dataset, batch, loadCalendar(), { verify: true })
    }
    await weighEvidence(this.warehouse, daysOfRun(this.home, run), { beforeCandles: false })
    await this.warehouse.run(
      `INSERT INTO ops.run (run_id, job, trading_date, state) VALUES (?, 'nightly', ?::DATE, 'done')`,
      [run, tradingDate],
    )
    if (!killed) await this.check()
  }

  /** The rules, as a run has them at its end. */
  async check(): Promise<void> {
    const scope = await uncheckedScope(this.warehouse, this.home, [])
    if (scope.runs.length > 0)
      await runRules(
        this.warehouse,
        { home: this.home, runId: journalledRuns(this.home).at(-1) ?? '', scope },
        io,
      )
  }

  async replay(): Promise<void> {
    this.close()
    const { settings } = resolveSettings({
      flags: { CANDLEHOUSE_HOME: this.home },
      environment: {},
      folder: this.home,
    })
    await runReplay(settings, { from: undefined, to: undefined }, io)
    this.warehouse = await opened(this.home)
  }

  /** What is compared: rows of the findings and offenders without what differs between runs. */
  async findings(): Promise<Record<string, unknown[]>> {
    const rows: Record<string, unknown[]> = {}
    for (const name of ['recon.finding', 'recon.offender']) {
      const excluded = relationOf(name).volatile
      const columns = excluded.length > 0 ? `* EXCLUDE (${excluded.join(', ')})` : '*'
      rows[name] = await this.warehouse.rows(`SELECT COLUMNS(${columns})::VARCHAR FROM ${name} ORDER BY ALL`)
    }
    rows['validities that overlap'] = await this.warehouse.rows(OVERLAPPING)
    return rows
  }

  close(): void {
    this.warehouse.close()
  }
}

async function opened(home: string): Promise<Database> {
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
  await installParsers(warehouse)
  return warehouse
}
