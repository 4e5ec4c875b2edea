import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../src/duckdb/open.js'
import { installParsers } from '../../src/duckdb/parse.js'
import { systemEffects } from '../../src/effects.js'
import { openWarehouse } from '../../src/warehouse/open-warehouse.js'
import {
  type ColumnFault,
  mutationOf,
  type PublishedMarket,
  publishedMarket,
} from '../e2e/support/column-faults.js'
import { FIRST, LAST, SESSIONS, smallMarket } from '../e2e/support/nights.js'
import type { Row } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, type TestWalk } from '../support/landed.js'

type Endpoint = ColumnFault['endpoint']

const ENDPOINTS: readonly Endpoint[] = [
  ...(['securitiesByBoard', 'indexList', 'securitiesSummary', 'masterdata', 'indexSummary', 'ohlc'] as const),
]
const EVENING = '2025-03-14T12:00:00.000Z'

export const market = smallMarket()

/** What a load of faulty answers came to. */
export interface Outcome {
  /** `key day: reason` of each incomplete window. */
  readonly missing: readonly string[]
  readonly market: PublishedMarket
  /** Market, revisions and coverage after the same answers came whole. */
  readonly healed: string
}

/** A warehouse with the first session, then answers for both: those of one endpoint with a fault. */
export class ColumnStage {
  private readonly bases = new Map<Endpoint, string>()
  private first: string | undefined

  async load(fault: ColumnFault): Promise<Outcome> {
    const mutate = mutationOf(fault)
    return await this.loading(fault.endpoint, (row) => mutate(fault.endpoint, row))
  }

  /** The same without a fault. */
  async truth(): Promise<Outcome> {
    return await this.loading('masterdata', (row) => row)
  }

  private async loading(endpoint: Endpoint, mutate: (row: Row) => Row): Promise<Outcome> {
    const home = copyOf(await this.baseOf(endpoint))
    return await within(home, async (warehouse) => {
      const loaded = await loadWalks(warehouse, home, secondNight(endpoint, mutate), at(LAST))
      const published = await readMarket(warehouse)
      await loadWalks(warehouse, home, secondNight(endpoint), at(LAST))
      const missing = loaded.flatMap((batch) => batch.missing)
      return { missing, market: published, healed: await everything(warehouse) }
    })
  }

  /** The first night, and the second one of all other endpoints. */
  private async baseOf(endpoint: Endpoint): Promise<string> {
    const known = this.bases.get(endpoint)
    if (known) return known
    this.first ??= temporaryFolder()
    const first = this.first
    if (this.bases.size === 0)
      await within(first, async (warehouse) => {
        for (const name of ENDPOINTS)
          await loadWalks(warehouse, first, walksOf(name, [FIRST]), { ...at(FIRST), receivedAt: EVENING })
      })
    const home = copyOf(first)
    this.bases.set(endpoint, home)
    await within(home, async (warehouse) => {
      for (const name of ENDPOINTS)
        if (name !== endpoint) await loadWalks(warehouse, home, secondNight(name), at(LAST))
    })
    return home
  }
}

function at(tradingDate: string): { tradingDate: string; receivedAt: string } {
  return { tradingDate, receivedAt: EVENING }
}

function copyOf(home: string): string {
  const copy = temporaryFolder()
  cpSync(home, copy, { recursive: true })
  return copy
}

async function within<T>(home: string, work: (warehouse: Database) => Promise<T>): Promise<T> {
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'), systemEffects)
  try {
    await installParsers(warehouse)
    const value = await work(warehouse)
    await warehouse.run('CHECKPOINT')
    return value
  } finally {
    warehouse.close()
  }
}

/** Candles of a stored session are not requested again. */
function secondNight(endpoint: Endpoint, mutate?: (row: Row) => Row): TestWalk[] {
  return walksOf(endpoint, endpoint === 'ohlc' ? [LAST] : SESSIONS, mutate)
}

/** Walks of one endpoint for some sessions, as a nightly makes them. */
function walksOf(
  endpoint: Endpoint,
  days: readonly string[],
  mutate: (row: Row) => Row = (row) => row,
): TestWalk[] {
  const [from = '', to = ''] = [days[0], days.at(-1)]
  const inDays = ({ tradingDate }: { tradingDate: string }): boolean =>
    days.includes(tradingDate.slice(0, 10).replaceAll('/', '-'))
  const walk = (
    dataset: TestWalk['window']['dataset'],
    key: string,
    rows: readonly object[],
    { timeframe = '', ...range }: Partial<TestWalk['window']> = {},
  ): TestWalk => ({
    window: { dataset, key, timeframe, from, to, ...range },
    bodies: [{ data: rows.map((row) => mutate({ ...row })) }],
  })
  const today = { from: to }
  switch (endpoint) {
    case 'securitiesByBoard':
      return ['HOSE', 'HNX', 'UPCOM'].map((board) =>
        walk(
          'securities',
          board,
          market.securities.filter((row) => row.board === board),
          today,
        ),
      )
    case 'indexList':
      return [walk('indexes', '*', market.indexes, today)]
    case 'securitiesSummary':
      return [walk('securitiesSummary', '*', market.summaries.filter(inDays))]
    case 'masterdata':
      return [walk('masterdata', '*', market.masterdata.filter(inDays))]
    case 'indexSummary':
      return market.indexSummaries.filter(inDays).map(({ index, ...row }) => {
        const day = row.tradingDate.replaceAll('/', '-')
        return walk('indexSummary', index, [row], { from: day, to: day })
      })
    case 'ohlc': {
      const bars = market.minutes.filter(inDays)
      return [...new Set(bars.map(({ symbol }) => symbol))].map((symbol) =>
        walk(
          'ohlc',
          symbol,
          bars.filter((bar) => bar.symbol === symbol),
          { timeframe: '1m' },
        ),
      )
    }
  }
}

async function readMarket(warehouse: Database): Promise<PublishedMarket> {
  return await publishedMarket(async (sql) => {
    const rows = await warehouse.rows<Record<string, unknown>>(`SELECT COLUMNS(*)::VARCHAR FROM (${sql})`)
    return rows
  })
}

async function everything(warehouse: Database): Promise<string> {
  const revisions = await warehouse.rows(
    'SELECT relation, key, "column", old, new FROM market.revision ORDER BY ALL',
  )
  const coverage = await warehouse.rows(
    'SELECT dataset, key, timeframe, CAST(window_from AS VARCHAR) AS day, state, reason FROM ops.coverage ORDER BY ALL',
  )
  const rows = [...(await readMarket(warehouse))].map(([name, cells]) => [name, [...cells].sort()])
  return JSON.stringify({ revisions, coverage, rows }, null, 1)
}
