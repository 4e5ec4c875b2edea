import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Published, Row } from '../e2e/proportion/support/differences.js'

// What a home has published, read with DuckDB alone: the judge shares no code with the program.

/** Columns that differ between two homes with the same responses. */
const OF_A_RUN = 'request_id|loaded_at|snapshot_id|received_at|observed_at|known_since'

const ACCOUNT =
  `equity_balance derivative_balance equity_margin derivative_margin equity_position derivative_position
  derivative_position_summary order_book conditional_order conditional_order_event max_quantity`.split(/\s+/)

/** The relations that the judge compares, each with its statement. */
const STATEMENTS: ReadonlyMap<string, string> = new Map([
  ...`market.security market.security_history market.security_daily market.market_index market.index_member
  market.daily_summary market.index_summary market.price_limit market.corporate_action market.revision account.account
  account.snapshot mart.adjustment_event mart.reference_glitch mart.chain_gap mart.intraday mart.session_factor`
    .split(/\s+/)
    .map((name) => [name, `FROM ${name}`] as const),
  ['market.candle', 'FROM market.candle WHERE NOT is_derived'],
  // That a symbol has no bars may be known of more days than an undisturbed home requests.
  [
    'ops.coverage',
    `SELECT dataset, key, timeframe, window_from, window_to, state FROM ops.coverage
      WHERE NOT (dataset = 'ohlc' AND state = 'empty')`,
  ],
  ...ACCOUNT.map(
    (name) =>
      [
        `account.${name}`,
        `SELECT day.as_of, rows.* FROM account.${name} AS rows
          LEFT JOIN (SELECT DISTINCT snapshot_id, as_of FROM account.snapshot) AS day USING (snapshot_id)`,
      ] as const,
  ),
])

/** Every published row, without what differs between two runs with the same responses. @throws the error of DuckDB */
export async function publishedIn(cwd: string): Promise<Published> {
  return await withCatalog(cwd, async (textsOf) => {
    const all = new Map<string, Map<string, Row>>()
    for (const [name, statement] of STATEMENTS) {
      const texts = await textsOf(
        `SELECT CAST(to_json(kept) AS VARCHAR)
         FROM (SELECT COLUMNS(lambda name: NOT regexp_full_match(name, '${OF_A_RUN}')) FROM (${statement})) AS kept`,
      )
      all.set(name, new Map(texts.map((text) => [text, JSON.parse(text) as Row])))
    }
    return all
  })
}

/** Ids of the pages that were loaded and published. */
export async function publishedRequests(cwd: string): Promise<ReadonlySet<string>> {
  return new Set(await withCatalog(cwd, (textsOf) => textsOf('SELECT request_id FROM ops.request')))
}

type TextsOf = (statement: string) => Promise<string[]>

/** @param read gets what returns the first column of a statement */
async function withCatalog<Result>(
  cwd: string,
  read: (textsOf: TextsOf) => Promise<Result>,
): Promise<Result> {
  const instance = await DuckDBInstance.create(join(cwd, 'data/catalog.duckdb'), {
    access_mode: 'READ_ONLY',
    threads: '1',
  })
  const connection = await instance.connect()
  try {
    return await read(async (statement) => {
      const reader = await connection.runAndReadAll(statement)
      return (reader.getColumns()[0] ?? []) as string[]
    })
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** The same, where the home has a catalog that can be read. */
export async function publishedIfAny(cwd: string): Promise<Published | undefined> {
  return await publishedIn(cwd).catch(() => undefined)
}
