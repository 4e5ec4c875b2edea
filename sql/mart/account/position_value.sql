-- grain: one row per account, trading date and symbol that its complete snapshot names
-- The price of the session the snapshot is for: close; futures settlement_price, else close. A symbol that
-- did not trade, or whose summary is not stored, is at the latest one of 45 days (priced_on names it), raw:
-- an ex-date in between is not taken out. Contracts have no price paid for them: their market value is what
-- they stand for, and only the profit counts in the account's equity.
CREATE OR REPLACE VIEW mart.position_value AS
WITH quote AS (
  SELECT symbol, trading_date AS priced_on,
    CASE
      WHEN settlement_price > 0 AND mart.futures_contract(symbol) IS NOT NULL THEN settlement_price
      WHEN close > 0 THEN close
    END AS price
  FROM market.daily_summary
  WHERE symbol IN (SELECT symbol FROM mart.account_position)
), priced_position AS (
  SELECT position.*,
    CASE WHEN position.trading_date - quote.priced_on <= 45 THEN quote.priced_on END AS priced_on,
    CASE WHEN position.trading_date - quote.priced_on <= 45 THEN quote.price END AS price
  FROM mart.account_position position
  ASOF LEFT JOIN (FROM quote WHERE price IS NOT NULL) quote
    ON quote.symbol = position.symbol AND position.trading_date >= quote.priced_on
)
SELECT account_no, trading_date, symbol, quantity, dividend_quantity, average_price, price, priced_on,
  multiplier,
  CASE
    WHEN quantity = 0 THEN 0
    ELSE CAST(quantity AS DOUBLE) * CAST(price AS DOUBLE) * multiplier
  END AS market_value,
  CASE
    WHEN coalesce(dividend_quantity, 0) = 0 THEN 0
    ELSE CAST(dividend_quantity AS DOUBLE) * CAST(price AS DOUBLE)
  END AS dividend_value,
  CASE
    WHEN quantity = 0 THEN 0
    ELSE CAST(quantity AS DOUBLE) * (CAST(price AS DOUBLE) - CAST(average_price AS DOUBLE)) * multiplier
  END AS unrealised_pnl,
  CASE WHEN count(*) OVER account = count(market_value) OVER account
    THEN market_value / nullif(sum(abs(market_value)) OVER account, 0) END AS weight,
  snapshot_id
FROM priced_position
WINDOW account AS (PARTITION BY account_no, trading_date);
COMMENT ON VIEW mart.position_value IS
  'One row per account, trading date and symbol held: the position of the day''s complete snapshot, valued '
  'at the close of that session.';
COMMENT ON COLUMN mart.position_value.price IS
  'Close of the session, VND, raw; contracts: settlement price, else close, index points. Null where none '
  'of 45 days is held.';
COMMENT ON COLUMN mart.position_value.priced_on IS
  'Session that the price is of: trading_date, or an earlier one where the symbol did not trade or its '
  'summary is not stored.';
COMMENT ON COLUMN mart.position_value.market_value IS
  'quantity x price x multiplier, VND; contracts: what they stand for, negative when short. Null where '
  'price is.';
COMMENT ON COLUMN mart.position_value.dividend_value IS
  'dividend_quantity x price, VND; 0 where none are to come.';
COMMENT ON COLUMN mart.position_value.unrealised_pnl IS
  'quantity x (price - average_price) x multiplier, VND, without the costs of selling; null where one of '
  'them is.';
COMMENT ON COLUMN mart.position_value.weight IS
  'market_value over the sum of the absolute market values of all positions of the account that day, a '
  'fraction (negative when short); cash is not in it. Null where one of them has no price.';
