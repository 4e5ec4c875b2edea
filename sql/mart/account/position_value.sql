-- grain: one row per account, trading date and symbol that its complete snapshot names
-- The price of the session the snapshot is for: close; futures settlement_price, else close. A symbol that
-- did not trade, or whose summary is not stored, is at the latest one of 45 days (priced_on names it), raw:
-- an ex-date in between is not taken out. is_current shows which: without a trade the latest close still
-- stands; where the summary of a session since then is not stored (or withheld), it is not known what
-- the symbol closed at. Contracts have no price paid for them: their market value is what
-- they stand for, and only the profit counts in the account's equity.
-- unrealised_pnl is not known between an ex-date and the arrival of the new shares: a price halved by a split
-- beside a cost price that still is that of the old shares looked like a loss of half.
CREATE OR REPLACE VIEW mart.position_value AS
WITH held_position AS MATERIALIZED (
  FROM mart.account_position
), held_symbol AS MATERIALIZED (
  -- a list of few symbols skips the row groups of others
  SELECT DISTINCT symbol FROM held_position
), quote AS (
  SELECT symbol, trading_date AS priced_on,
    CASE
      WHEN settlement_price > 0 AND mart.futures_contract(symbol) IS NOT NULL THEN settlement_price
      WHEN close > 0 THEN close
    END AS price
  FROM market.daily_summary
  WHERE symbol IN (SELECT symbol FROM held_symbol)
), priced_position AS (
  SELECT position.*,
    CASE WHEN position.trading_date - quote.priced_on <= 45 THEN quote.priced_on END AS priced_on,
    CASE WHEN position.trading_date - quote.priced_on <= 45 THEN quote.price END AS price
  FROM held_position position
  ASOF LEFT JOIN (FROM quote WHERE price IS NOT NULL) quote
    ON quote.symbol = position.symbol AND position.trading_date >= quote.priced_on
), older_price AS (
  SELECT DISTINCT symbol, trading_date, priced_on FROM priced_position WHERE priced_on < trading_date
), known_session AS (
  SELECT symbol, trading_date FROM market.daily_summary SEMI JOIN older_price USING (symbol)
  UNION
  -- the service answered for the session and named others alone
  SELECT symbol, trading_date FROM mart.session_factor SEMI JOIN older_price USING (symbol) WHERE is_known
), listed_session AS (
  SELECT symbol, trading_date FROM market.price_limit SEMI JOIN older_price USING (symbol)
  UNION
  SELECT symbol, trading_date FROM older_price
), stale_price AS (
  -- as a list: DuckDB then expects few, where a join of every session with every price looks like millions
  SELECT unnest(list(DISTINCT {symbol: older_price.symbol, trading_date: older_price.trading_date}),
    recursive := true)
  FROM (FROM listed_session ANTI JOIN known_session USING (symbol, trading_date)) unknown_session
  JOIN older_price ON older_price.symbol = unknown_session.symbol
    AND unknown_session.trading_date > older_price.priced_on
    AND unknown_session.trading_date <= older_price.trading_date
)
SELECT account_no, trading_date, symbol, quantity, dividend_quantity, average_price, price, priced_on,
  CASE WHEN priced_on IS NOT NULL THEN stale_price.symbol IS NULL END AS is_current, multiplier,
  CASE
    WHEN quantity = 0 THEN 0
    -- points times the multiplier as decimals: as DOUBLE 1305.6 x 100,000 is 130,559,999.99999999
    ELSE CAST(quantity AS DOUBLE) * CAST(price * multiplier AS DOUBLE)
  END AS market_value,
  CASE
    WHEN coalesce(dividend_quantity, 0) = 0 THEN 0
    ELSE CAST(dividend_quantity AS DOUBLE) * CAST(price AS DOUBLE)
  END AS dividend_value,
  CASE
    WHEN dividend_quantity <> 0 THEN NULL
    WHEN quantity = 0 THEN 0
    ELSE CAST(quantity AS DOUBLE)
      * CAST((CAST(price AS DECIMAL(24,6)) - average_price) * multiplier AS DOUBLE)
  END AS unrealised_pnl,
  CASE WHEN count(*) OVER account = count(market_value) OVER account
    THEN market_value / nullif(sum(abs(market_value)) OVER account, 0) END AS weight,
  snapshot_id
FROM priced_position LEFT JOIN stale_price USING (symbol, trading_date)
WINDOW account AS (PARTITION BY account_no, trading_date);
COMMENT ON VIEW mart.position_value IS
  'One row per account, trading date and symbol held: the position of the day''s complete snapshot, valued '
  'at the close of that session.';
COMMENT ON COLUMN mart.position_value.price IS
  'Close of the session, VND, raw; contracts: settlement price, else close, index points. Null where none '
  'of 45 days is stored.';
COMMENT ON COLUMN mart.position_value.priced_on IS
  'Session that the price is of: trading_date, or an earlier one where the symbol did not trade or its '
  'summary is not stored.';
COMMENT ON COLUMN mart.position_value.is_current IS
  'Whether the price is what the symbol closed at: nothing matched since priced_on. False where the summary '
  'of a session since then is not stored or is withheld; null where price is.';
COMMENT ON COLUMN mart.position_value.market_value IS
  'quantity x price x multiplier, VND; contracts: what they stand for, negative when short. Null where '
  'price is.';
COMMENT ON COLUMN mart.position_value.dividend_value IS
  'dividend_quantity x price, VND; 0 where none are to come.';
COMMENT ON COLUMN mart.position_value.unrealised_pnl IS
  'quantity x (price - average_price) x multiplier, VND, without the costs of selling; null where one of '
  'them is, and where shares are to come (dividend_quantity): the price has fallen for them, and whether '
  'average_price has is not specified. mart.account_lot has the profit with them.';
COMMENT ON COLUMN mart.position_value.weight IS
  'market_value over the sum of the absolute market values of all positions of the account that day, a '
  'fraction (negative when short); cash is not in it. Null where one of them has no price.';
