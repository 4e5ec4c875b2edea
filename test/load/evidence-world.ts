import type { Database } from '../../src/duckdb/open.js'
import { installParsers } from '../../src/duckdb/parse.js'
import { weighEvidence } from '../../src/load/weigh-evidence.js'
import type { DatasetName } from '../../src/plan/datasets.js'
import { buildMarket, defaultSymbols, type StandInMarket } from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, type TestWalk } from '../support/landed.js'
import { emptyWarehouse } from '../support/memory.js'

export const DAYS = ['2025-03-13', '2025-03-14', '2025-03-17', '2025-03-18'] as const

/** Minutes of a few bars a session, which show that a symbol traded as well as all. */
const FEW_MINUTES = /:[03]0:00$/

/** What nights ask for. Each dataset of indexes, their members and summaries takes as long to load as all bars. */
export interface Asked {
  /** @default false */
  readonly asksIndexes?: boolean
  /** @default false: a few bars a session */
  readonly asksAllBars?: boolean
}

const slashed = (day: string): string => day.replaceAll('-', '/')

type Rows = readonly { readonly symbol?: string; readonly index?: string }[]
/** What a night does not answer: records of a dataset that are left out. */
export type Omits = (dataset: DatasetName, record: { symbol: string; day: string; key: string }) => boolean

/** The loading half of nights: answers for the last sessions are loaded and weighed, then the candles that these ask for. */
export class EvidenceWorld {
  /** Tables as the first night leaves them, and copies of them. */
  private static firstNight: readonly (readonly [table: string, copy: string])[] | undefined
  readonly market: StandInMarket = buildMarket({ sessions: [...DAYS], symbols: defaultSymbols() })
  private readonly home = temporaryFolder()

  private constructor(
    readonly warehouse: Database,
    private asked: Asked,
  ) {}

  static async open(asked: Asked = {}): Promise<EvidenceWorld> {
    const warehouse = await emptyWarehouse()
    await installParsers(warehouse)
    return new EvidenceWorld(warehouse, asked)
  }

  /** A world after a night of the first day: loaded once for all tests of a file. */
  static async afterFirstNight(asked: Asked = {}): Promise<EvidenceWorld> {
    const world = await EvidenceWorld.open({ ...asked, asksIndexes: true })
    await world.loadFirstNight()
    world.asked = asked
    return world
  }

  private async loadFirstNight(): Promise<void> {
    const { warehouse } = this
    if (EvidenceWorld.firstNight) {
      for (const [table, copy] of EvidenceWorld.firstNight)
        await warehouse.run(`DELETE FROM ${table}; INSERT INTO ${table} FROM ${copy}`)
      return
    }
    await this.night(DAYS[0])
    const tables = await warehouse.column<string>(
      `SELECT schema_name || '.' || table_name FROM duckdb_tables() WHERE NOT temporary AND schema_name <> 'mart'`,
    )
    const copies = tables.map((table) => [table, `first_night_${table.replace('.', '_')}`] as const)
    for (const [table, copy] of copies)
      await warehouse.run(`CREATE OR REPLACE TEMP TABLE ${copy} AS FROM ${table}`)
    EvidenceWorld.firstNight = copies
  }

  /** Answers of an evening about its last sessions, without what it omits. */
  async night(day: string, omits: Omits = () => false, depth = 2): Promise<void> {
    const { market, asked } = this
    const { asksIndexes = false, asksAllBars = false } = asked
    const sessions = DAYS.filter((each) => each <= day).slice(-depth)
    const [first = day] = sessions
    const walk = (dataset: DatasetName, key: string, rows: Rows, from = day, to = day): TestWalk => {
      const left = rows.filter((row) => {
        const on = 'tradingDate' in row ? String(row.tradingDate).slice(0, 10).replaceAll('/', '-') : day
        return !omits(dataset, { symbol: row.symbol ?? row.index ?? '', day: on, key })
      })
      return {
        window: { dataset, key, timeframe: dataset === 'ohlc' ? '1m' : '', from, to },
        bodies: [left],
        end: { state: left.length > 0 ? 'complete' : 'empty', reason: null },
      }
    }
    const within = <Row extends { tradingDate: string }>(rows: readonly Row[]): Row[] =>
      rows.filter(({ tradingDate }) => sessions.some((each) => tradingDate.startsWith(slashed(each))))
    const ofIndexes = (): TestWalk[] => [
      walk('indexes', '*', market.indexes as unknown as Rows),
      ...Object.entries(market.members).map(([index, symbols]) =>
        walk(
          'indexMembers',
          index,
          market.securities.filter(({ symbol }) => symbols.includes(symbol)),
        ),
      ),
      ...market.indexes.flatMap(({ index }) =>
        sessions.map((on) =>
          walk(
            'indexSummary',
            index,
            market.indexSummaries
              .filter((row) => row.index === index && row.tradingDate === slashed(on))
              .map(({ index: _, ...row }) => row) as unknown as Rows,
            on,
            on,
          ),
        ),
      ),
    ]
    const load = async (walks: readonly TestWalk[]): Promise<void> => {
      for (const dataset of new Set(walks.map(({ window }) => window.dataset)))
        await loadWalks(
          this.warehouse,
          this.home,
          walks.filter(({ window }) => window.dataset === dataset),
          { tradingDate: day, receivedAt: `${day}T12:00:00.000Z` },
        )
    }
    await load([
      ...['HOSE', 'HNX', 'UPCOM'].map((board) =>
        walk(
          'securities',
          board,
          market.securities.filter((each) => each.board === board),
        ),
      ),
      walk('securitiesSummary', '*', within(market.summaries), first, day),
      walk('masterdata', '*', within(market.masterdata), first, day),
      ...(asksIndexes ? ofIndexes() : []),
    ])
    await weighEvidence(this.warehouse, sessions, { beforeCandles: true })
    const wanted = await this.wantedBars(first, day)
    if (wanted.length > 0)
      await load(
        wanted.map(({ key, day: on }) => {
          const bars = market.minutes.filter(
            ({ symbol, tradingDate }) =>
              symbol === key &&
              tradingDate.startsWith(slashed(on)) &&
              (asksAllBars || FEW_MINUTES.test(tradingDate)),
          )
          return walk('ohlc', key, bars, on, on)
        }),
      )
    await weighEvidence(this.warehouse, sessions, { beforeCandles: false })
  }

  /** Sessions of symbols whose bars the answers so far ask for. */
  private async wantedBars(first: string, day: string): Promise<{ key: string; day: string }[]> {
    return await this.warehouse.rows<{ key: string; day: string }>(
      `SELECT symbol AS key, trading_date::VARCHAR AS day FROM market.daily_summary
       WHERE total_match > 0 AND trading_date BETWEEN '${first}' AND '${day}'
         AND (symbol, trading_date) NOT IN (
           SELECT (key, window_from) FROM ops.coverage WHERE dataset = 'ohlc' AND state <> 'incomplete')
       UNION
       SELECT key, window_from::VARCHAR FROM ops.coverage WHERE dataset = 'ohlc' AND state = 'incomplete'
       ORDER BY ALL`,
    )
  }

  /** Windows that other answers contradict, with the reason. */
  async contradictions(): Promise<string[]> {
    const rows = await this.warehouse.rows<{ line: string }>(
      `SELECT concat_ws(' ', dataset, key, window_from) || ': ' || reason AS line FROM ops.coverage
       WHERE reason_code = 'contradicted' ORDER BY 1`,
    )
    return rows.map(({ line }) => line)
  }

  /** Days on which a symbol has rows, by what they are. */
  async stored(symbol: string): Promise<Record<'summary' | 'limits' | 'bars', string[]>> {
    const days = async (relation: string): Promise<string[]> =>
      (
        await this.warehouse.rows<{ day: string }>(
          `SELECT DISTINCT trading_date::VARCHAR AS day FROM ${relation} WHERE symbol = '${symbol}' ORDER BY 1`,
        )
      ).map(({ day }) => day)
    return {
      summary: await days('market.daily_summary'),
      limits: await days('market.price_limit'),
      bars: await days('market.candle'),
    }
  }
}
