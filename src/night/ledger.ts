import type { Calendar } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import { literal, sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import { servedFrom } from '../plan/served.js'
import type { GapGroup, LedgerFacts, OpenError } from './record.js'
import { readUnrequested } from './unrequested.js'

/** Which part of the ledger a conclusion is about. */
export interface LedgerScope {
  /** Trading date of the run: the one-year limit is counted from it. */
  readonly tradingDate: Day
  /** First session of the night. */
  readonly from: Day
  /** The run from which on rejected records and unknown fields count. */
  readonly sinceRun: string
  /** Days that are planned as sessions. */
  readonly calendar: Pick<Calendar, 'sessionsBetween'>
}

type Row<Fact> = { [Field in keyof Fact]: Fact[Field] extends readonly string[] ? string : Fact[Field] }

/** What the ledger of the warehouse shows at the end of a run. */
export async function readLedger(warehouse: Database, scope: LedgerScope): Promise<LedgerFacts> {
  const { tradingDate, from, sinceRun, calendar } = scope
  const gaps = await warehouse.rows<Row<GapGroup>>(
    sqlTemplate('night/gap_groups.sql', {
      open_gap: sqlFile('warehouse/open_gap.sql'),
      served_from: `DATE ${literal(servedFrom(tradingDate))}`,
      night_from: `DATE ${literal(from)}`,
      trading_date: `DATE ${literal(tradingDate)}`,
    }),
  )
  const openErrors = await warehouse.rows<Row<OpenError>>(
    sqlTemplate('night/open_errors.sql', { withheld: sqlFile('recon/withheld.sql') }),
  )
  const rejected = await warehouse.rows<LedgerFacts['rejected'][number]>(sqlFile('night/rejected.sql'), [
    sinceRun,
  ])
  const drift = await warehouse.rows<LedgerFacts['drift'][number]>(sqlFile('night/drift.sql'), [sinceRun])
  return {
    gaps: gaps.map((gap) => ({
      ...gap,
      windows: Number(gap.windows),
      keys: JSON.parse(gap.keys),
      keyCount: Number(gap.keyCount),
    })),
    openErrors: openErrors.map((error) => ({
      ...error,
      sessions: Number(error.sessions),
      relations: error.relations === null ? [] : JSON.parse(error.relations),
      keys: JSON.parse(error.keys),
      keyCount: Number(error.keyCount),
    })),
    rejected: rejected.map((each) => ({ ...each, records: Number(each.records) })),
    drift,
    killedNight: (await warehouse.column<Day>(sqlFile('night/killed_night.sql')))[0] ?? null,
    unrequested: await readUnrequested(warehouse, tradingDate, calendar),
  }
}
