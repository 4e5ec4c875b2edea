-- grain: one row per futures contract and trading_date that has a daily summary
-- Open interest counts contracts open at the end of the session. Its change is against the session before
-- of the same contract, whatever its code was, and is null where one of them reports none: a gap is not
-- passed over. Price and open interest together are read as futures traders do: a price that rises on more
-- contracts comes from new longs, one that rises on fewer from shorts that close. Where a session has rows
-- of the old and the new code, the one with more volume counts (the present code where they have the
-- same).
CREATE OR REPLACE VIEW mart.open_interest_change AS
WITH contract_session AS (
  SELECT DISTINCT ON (alias.contract, summary.trading_date)
    alias.underlying, alias.contract, summary.symbol, summary.trading_date, alias.last_trading_date,
    CASE WHEN summary.close > 0 THEN summary.close END AS close,
    CASE WHEN summary.settlement_price > 0 THEN summary.settlement_price END AS settlement_price,
    summary.total_match, summary.open_interest
  FROM market.daily_summary summary JOIN mart.futures_alias alias ON alias.symbol = summary.symbol
  ORDER BY alias.contract, summary.trading_date,
    coalesce(summary.total_match, 0) DESC, alias.code_scheme DESC, summary.symbol
), contract_pair AS (
  SELECT *,
    lag(trading_date) OVER contract_history AS session_before,
    lag(open_interest) OVER contract_history AS open_interest_before,
    lag(settlement_price) OVER contract_history AS settlement_price_before
  FROM contract_session
  WINDOW contract_history AS (PARTITION BY contract ORDER BY trading_date)
)
SELECT underlying, contract, symbol, trading_date, session_before, last_trading_date,
  last_trading_date - trading_date AS days_to_last_trading_date,
  close, settlement_price, total_match, open_interest, open_interest_before,
  open_interest - open_interest_before AS open_interest_change,
  open_interest_change / nullif(open_interest_before, 0) AS open_interest_change_fraction,
  CAST(settlement_price - settlement_price_before AS DOUBLE) AS settlement_change,
  CASE
    WHEN settlement_change > 0 AND open_interest_change > 0 THEN 'long build-up'
    WHEN settlement_change < 0 AND open_interest_change > 0 THEN 'short build-up'
    WHEN settlement_change > 0 AND open_interest_change < 0 THEN 'short covering'
    WHEN settlement_change < 0 AND open_interest_change < 0 THEN 'long unwinding'
  END AS positioning,
  total_match / nullif(open_interest, 0) AS volume_to_open_interest,
  CASE WHEN count(*) OVER contracts_of_session = count(open_interest) OVER contracts_of_session
    THEN CAST(sum(open_interest) OVER contracts_of_session AS BIGINT) END AS underlying_open_interest
FROM contract_pair
WINDOW contracts_of_session AS (PARTITION BY underlying, trading_date);
COMMENT ON VIEW mart.open_interest_change IS
  'One row per futures contract and session: its open interest against the session before.';
COMMENT ON COLUMN mart.open_interest_change.symbol IS
  'Code under which it was quoted; where there are two, the one with more volume.';
COMMENT ON COLUMN mart.open_interest_change.session_before IS
  'Session before with a daily summary of the contract; null for its first one stored.';
COMMENT ON COLUMN mart.open_interest_change.close IS
  'Last price matched, index points, raw; null where nothing matched.';
COMMENT ON COLUMN mart.open_interest_change.settlement_price IS
  'Settlement price of the session, index points, raw; null where there is none.';
COMMENT ON COLUMN mart.open_interest_change.total_match IS 'Matched volume, contracts.';
COMMENT ON COLUMN mart.open_interest_change.open_interest IS
  'Contracts open at the end of the session; null where not reported.';
COMMENT ON COLUMN mart.open_interest_change.open_interest_before IS
  'Contracts open at the end of session_before; null where not reported.';
COMMENT ON COLUMN mart.open_interest_change.open_interest_change IS
  'open_interest - open_interest_before, contracts; null where one of them is.';
COMMENT ON COLUMN mart.open_interest_change.open_interest_change_fraction IS
  'open_interest_change / open_interest_before, a fraction; null where that is 0.';
COMMENT ON COLUMN mart.open_interest_change.settlement_change IS
  'settlement_price less that of session_before, index points; null where one was not reported.';
COMMENT ON COLUMN mart.open_interest_change.positioning IS
  'By the signs of settlement_change and open_interest_change: long build-up (+ +), short build-up (- +), '
  'short covering (+ -), long unwinding (- -); null where one is 0 or null.';
COMMENT ON COLUMN mart.open_interest_change.volume_to_open_interest IS
  'total_match / open_interest: how often the open contracts were traded; null where open_interest is 0.';
COMMENT ON COLUMN mart.open_interest_change.underlying_open_interest IS
  'Open interest of all contracts of the underlying in that session, contracts; null where one of them '
  'reports none.';
