-- grain: one row per fill of an order of the symbol, of all accounts that are stored, the oldest first
-- The price with the factor that adjusts it; filled_at in seconds since 1970, UTC, null where no time is
-- reported.
WITH fill AS (
  FROM mart.account_fill
  WHERE symbol = $symbol
), later_factor AS (
  FROM mart.adjustment_factor
  WHERE symbol = $symbol
)
SELECT account_no, order_id, fill.trading_date, CAST(epoch(changed_at) AS DOUBLE) AS filled_at, side,
  quantity, price, coalesce(cumulative_factor, 1) AS price_factor
FROM fill
ASOF LEFT JOIN later_factor ON fill.trading_date < later_factor.ex_date
ORDER BY fill.trading_date, filled_at, order_id
