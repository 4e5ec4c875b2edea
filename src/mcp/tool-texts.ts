/** What an assistant must know before it asks: every tool's description begins with what it is for. */
export const QUERY = [
  'Run one SELECT statement (DuckDB SQL) on the published market warehouse and get its first rows. Read-only.',
  '',
  'Units: prices are VND per share (futures and indexes: points), money is VND, quantities are shares or contracts; columns that end in _percentage are percent, all returns, shares and weights are fractions (0.01 = 1 %). DECIMAL and BIGINT come as exact text.',
  "Raw or adjusted: market.* and mart.daily have prices as traded. For returns or charts over more than one session use mart.daily_adjusted.close_adjusted or mart.daily_return; never divide raw closes of two days. Before mart.chain_known.chain_known_from a symbol's adjustments are not all known: say so where the answer reaches back further.",
  'Time: trading_date is a day in Vietnam (UTC+7). Columns that end in _at are instants in UTC; local_time and exchange_time are exchange time. "Today" is mart.latest_session().',
  'Null means not reported or not known, never zero.',
  '',
  'The one right relation for common questions:',
  '- closes, volumes, limits of a session, as traded: mart.daily',
  '- adjusted prices: mart.daily_adjusted; returns of 1, 5, 20 sessions: mart.daily_return; all screening factors: mart.daily_factor',
  '- bars within a session, any timeframe: mart.candle_session; stored bars: market.candle',
  "- which symbols were listed on a day: mart.universe_as_of(DATE '2026-01-05'); what an instrument is: mart.instrument",
  '- foreign buying and selling: mart.foreign_flow; room: mart.foreign_ownership; put-through deals: mart.deal_share',
  '- indexes: market.index_summary, breadth: mart.breadth, members: market.index_member, contributions: mart.index_contribution',
  '- ceilings and floors: mart.limit_hit; 52-week highs: mart.high_low_52w; corporate actions: mart.corporate_event',
  "- as it was known on an evening: the macros mart.…_as_known_on(TIMESTAMPTZ '…')",
  '- what is stored and what is missing: mart.coverage, mart.freshness',
  '',
  'Filter by symbol and trading_date; the newest rows first with ORDER BY. Say in your answer which publication answered, and what not_covered, truncated and stale say. Do not compute a number that the rows do not contain. To run an answer again give its statement_hash instead of sql. An aggregate has rows_behind: its statement_hash gives the rows that it was computed from.',
].join('\n')

export const DESCRIBE = `Columns of a relation, or parameters of a macro, with types and meanings: units, adjusted or raw, what null means. Use it before a query on a relation that you have not used yet. Its notes name the key, what a view is computed from, and how to trace a row.`

export const FIND = `Find relations, columns, macros, recipes of the cookbook (a question with its one right statement), rules, and securities by words, in English or by a company's Vietnamese name. Use it first where you do not know which relation answers. Prefer a recipe that fits.`

export const TRACE = `Lead from a row to the record as the brokerage's API sent it: the row, the raw record, its file and SHA-256, the page and when it was received, earlier values, findings of rules. Give the relation and its key, for example {"relation": "market.daily_summary", "key": {"symbol": "FPT", "trading_date": "2026-11-20"}}. A view of schema mart leads to the stored rows with the same key. An aggregate over many rows has no record of its own: query the statement_hash of its rows_behind, then trace those rows.`

export const STATUS = `Whether the last night is complete and can be trusted, which sessions are stored per dataset, what is missing, withheld or stale. Use it before you draw conclusions from missing rows.`

/** Instructions that a client gives to its model. */
export function instructions(definitions: string, hasAccounts: boolean): string {
  return `candlehouse: every candle, daily summary and index of Vietnam's exchanges that one brokerage reports, checked and with its raw records. All tools only read. Every answer names its publication, whether it was cut, what is not covered, and a statement_hash by which it can be run again. Never state a number that no answer contains; trace shows where a number came from. ${
    hasAccounts
      ? 'Answers may contain facts about the user’s accounts.'
      : 'Accounts are off: this server shows nothing about them.'
  }

${definitions}`
}
