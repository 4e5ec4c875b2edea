import type { Database } from '../../src/duckdb/open.js'

/** Columns whose comments define a word, by the question that they answer. */
const DEFINED: Readonly<Record<string, readonly string[]>> = {
  'Which price': [
    'mart.daily.close',
    'mart.daily_adjusted.close_adjusted',
    'mart.daily_adjusted.adjustment_factor',
    'mart.daily_adjusted.is_chain_known',
    'mart.daily.ref_price',
    'mart.daily.average',
    'market.candle.close',
    'market.index_summary.index_value',
    'mart.daily.settlement_price',
    'mart.daily.total_match',
    'mart.daily.total_match_value',
  ],
  'Which return': [
    'mart.daily_return.return_1',
    'mart.daily_return.close_return_1',
    'mart.daily_return.return_5',
    'mart.daily_return.return_20',
    'mart.overnight_return.overnight_return',
    'mart.overnight_return.intraday_return',
    'mart.daily.price_change_percentage',
  ],
  'Which date': [
    'market.daily_summary.trading_date',
    'market.candle.opened_at',
    'market.candle.local_time',
    'market.candle.loaded_at',
    'ops.publication.published_at',
    'market.revision.observed_at',
  ],
}

/** `docs/definitions.md`: which price, which return, which date, from the comments of the catalog. A model reads it whole. */
export async function definitionsPage(catalog: Database): Promise<string> {
  const rows = await catalog.rows<{ name: string; comment: string }>(
    `SELECT schema_name || '.' || table_name || '.' || column_name AS name, comment
     FROM duckdb_columns() WHERE NOT internal AND database_name = current_database() AND comment IS NOT NULL`,
  )
  const comments = new Map(rows.map(({ name, comment }) => [name, comment]))
  const macros = await catalog.rows<{ comment: string }>(
    "SELECT DISTINCT comment FROM duckdb_functions() WHERE schema_name = 'mart' AND function_name = 'latest_session'",
  )
  const linesOf = (names: readonly string[]): string[] =>
    names.map((name) => {
      const comment = comments.get(name)
      if (comment === undefined) throw new RangeError(`${name} has no comment`)
      return `- \`${name}\`: ${comment}`
    })
  const sections = Object.entries(DEFINED).flatMap(([title, names]) => [
    `## ${title}`,
    '',
    ...linesOf(names),
    '',
  ])
  return `${[
    '# Definitions',
    '',
    'Which price, which return, which date: written by `make docs` from the comments of the catalog. Every column is in the',
    '[dictionary](dictionary.md). Prices are VND (futures and indexes: points), money is VND, `_percentage` is percent, returns',
    'and shares are fractions. Raw is as traded; adjusted is comparable over ex-dates. Null: not reported or not known, never 0.',
    '',
    ...sections,
    `- \`mart.latest_session()\`: ${macros[0]?.comment ?? ''}`,
  ].join('\n')}\n`
}
