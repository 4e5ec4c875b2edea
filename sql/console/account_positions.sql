-- grain: one row per account and symbol that its latest complete snapshot holds, or the one before held
-- Of one account, or of all: ALL. day_gain is what prices and trades made of a position since the snapshot
-- before, without costs: null where a close of the two sessions is not known, or fills do not explain the
-- quantity. Shares to come count from their ex-date on, as in the account's equity: a split is not a loss.
WITH latest_day AS MATERIALIZED (
  SELECT account_no, account_type, trading_date, before_of
  FROM mart.account_day
  WHERE snapshot_id IS NOT NULL AND $account IN ('ALL', account_no)
  QUALIFY row_number() OVER (PARTITION BY account_no ORDER BY trading_date DESC) = 1
), valued_position AS MATERIALIZED (
  FROM mart.position_value
  WHERE account_no IN (SELECT account_no FROM latest_day)
), position AS (
  SELECT value.*
  FROM valued_position value
  JOIN latest_day day ON day.account_no = value.account_no AND day.trading_date = value.trading_date
), change AS (
  SELECT change.*
  FROM mart.position_change change
  JOIN latest_day day ON day.account_no = change.account_no AND day.trading_date = change.trading_date
), position_key AS (
  SELECT account_no, symbol FROM position
  UNION
  SELECT account_no, symbol FROM change WHERE quantity_before <> 0 OR bought > 0 OR sold > 0
), position_pair AS (
  SELECT position_key.account_no, position_key.symbol, day.account_type, day.trading_date, day.before_of,
    CASE WHEN position.symbol IS NULL THEN 0 ELSE position.quantity END AS quantity,
    position.dividend_quantity, position.average_price, position.price, position.priced_on,
    position.is_current, position.unrealised_pnl,
    CASE WHEN position.symbol IS NULL THEN 0 ELSE position.market_value END AS market_value,
    CASE WHEN change.quantity_before = 0 AND coalesce(before.dividend_value, 0) = 0 THEN 0
      WHEN before.is_current THEN before.market_value + before.dividend_value END AS value_before,
    CASE WHEN position.symbol IS NULL THEN 0
      WHEN position.is_current THEN position.market_value + position.dividend_value END AS known_value,
    change.bought_value, change.sold_value, change.unexplained_quantity, change.has_ex_date,
    CASE WHEN change.expired = 0 THEN 0
      ELSE change.expired * change.expired_at * before.multiplier END AS expired_value
  FROM position_key
  JOIN latest_day day ON day.account_no = position_key.account_no
  LEFT JOIN position
    ON position.account_no = position_key.account_no AND position.symbol = position_key.symbol
  LEFT JOIN change ON change.account_no = position_key.account_no AND change.symbol = position_key.symbol
  LEFT JOIN valued_position before
    ON before.account_no = position_key.account_no AND before.symbol = position_key.symbol
      AND before.trading_date = day.before_of
)
SELECT pair.account_no, pair.account_type, pair.trading_date, pair.before_of, pair.symbol, pair.quantity,
  pair.average_price, pair.price, pair.priced_on, pair.is_current, pair.market_value,
  CASE WHEN unexplained_quantity = 0
    THEN known_value - value_before - bought_value + sold_value + expired_value END AS day_gain,
  day_gain / nullif(abs(value_before) + bought_value, 0) AS day_return, pair.unexplained_quantity,
  pair.has_ex_date, pair.unrealised_pnl,
  CASE WHEN count(*) OVER () = count(pair.market_value) OVER ()
    THEN pair.market_value / nullif(sum(abs(pair.market_value)) OVER (), 0) END AS weight,
  sellable.sellable_t0, sellable.arriving_t1, sellable.t1_date, sellable.arriving_t2, sellable.t2_date,
  sellable.selling_quantity, sellable.encumbered_quantity, pair.dividend_quantity
FROM position_pair pair
LEFT JOIN mart.sellable_share sellable ON sellable.account_no = pair.account_no
  AND sellable.trading_date = pair.trading_date AND sellable.symbol = pair.symbol
ORDER BY pair.account_no, abs(pair.market_value) DESC NULLS LAST, pair.symbol
