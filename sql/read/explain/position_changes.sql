-- grain: one row per trading date and symbol of one account, $account, that was held or traded since the
--   complete snapshot before
-- expired: contracts and covered warrants that ended (mart.position_change). service_bought,
-- service_sold: what the position itself reports as traded in the session of its snapshot; null for
-- contracts, and for symbols that the account no longer has.
WITH changed AS (
  SELECT change.*, mart.instrument_kind(change.symbol, NULL) = 'covered_warrant' AS is_warrant,
    security.last_trading_date
  FROM mart.position_change change
  LEFT JOIN market.security security ON security.symbol = change.symbol
  WHERE change.account_no = $account
)
SELECT CAST(change.trading_date AS VARCHAR) AS trading_date, change.symbol,
  mart.futures_contract(change.symbol) IS NOT NULL AS is_contract,
  coalesce(is_warrant, false) AS is_warrant,
  CAST(last_trading_date AS VARCHAR) AS last_trading_date,
  CAST(change.quantity_before AS DOUBLE) AS quantity_before,
  CAST(change.bought AS DOUBLE) AS bought,
  CAST(change.sold AS DOUBLE) AS sold,
  CAST(change.from_dividends AS DOUBLE) AS from_dividends,
  CAST(change.announced AS DOUBLE) AS announced,
  CAST(change.expired AS DOUBLE) AS expired,
  CAST(change.quantity AS DOUBLE) AS quantity,
  CAST(change.unexplained_quantity AS DOUBLE) AS unexplained,
  CAST(position.bought_quantity AS DOUBLE) AS service_bought,
  CAST(position.sold_quantity AS DOUBLE) AS service_sold
FROM changed change
JOIN mart.account_day day
  ON day.account_no = change.account_no AND day.trading_date = change.trading_date
LEFT JOIN account.equity_position position
  ON position.snapshot_id = day.snapshot_id AND position.account_no = change.account_no
    AND position.symbol = change.symbol
ORDER BY change.trading_date, change.symbol;
