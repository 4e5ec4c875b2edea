-- grain: one row per account and symbol that was held, is held, or was traded between the latest snapshot of
--   a trading date
-- and the complete one before it (mart.account_pair) bought, sold: what orders filled since the snapshot
-- before: the filled quantity now less that of the same order then. from_dividends: shares that were to come
-- and do not any more. expired: contracts that ended with their last session, and
-- covered warrants that ended and are gone (mart.has_expired). A symbol that a complete
-- snapshot does not name is held with 0.
-- entitled: shares that would be new by the reference price of an ex-date in between, were it not for cash:
-- brokers may add them at once instead of announcing them in dividend_quantity.
-- residual: quantity less expected_quantity; contracts are net, long positive.
CREATE OR REPLACE MACRO mart.position_match(as_of_day) AS TABLE
WITH pair AS (
  FROM mart.account_pair(as_of_day)
), position AS (
  SELECT snapshot_id, account_no, symbol, 'account.equity_position' AS relation,
    CAST(quantity AS HUGEINT) AS quantity, CAST(dividend_quantity AS HUGEINT) AS dividend_quantity
  FROM account.equity_position
  WHERE snapshot_id IN (SELECT snapshot_id FROM pair UNION SELECT before_id FROM pair)
  UNION ALL
  SELECT snapshot_id, account_no, symbol, 'account.derivative_position_summary', net, 0
  FROM account.derivative_position_summary
  WHERE snapshot_id IN (SELECT snapshot_id FROM pair UNION SELECT before_id FROM pair)
), fill AS (
  SELECT pair.account_no, orders.symbol, orders.side,
    CAST(orders.filled_qty AS HUGEINT)
      - CASE WHEN order_before.order_id IS NULL THEN 0 ELSE order_before.filled_qty END AS quantity
  FROM pair
  JOIN account.order_book orders
    ON orders.snapshot_id = pair.snapshot_id AND orders.account_no = pair.account_no
  LEFT JOIN account.order_book order_before
    ON order_before.snapshot_id = pair.before_id AND order_before.account_no = orders.account_no
      AND order_before.order_id = orders.order_id
), trade_total AS (
  SELECT account_no, symbol,
    coalesce(sum(quantity) FILTER (WHERE side = 'B'), 0) AS bought,
    coalesce(sum(quantity) FILTER (WHERE side = 'S'), 0) AS sold,
    bool_and(quantity IS NOT NULL AND side IN ('B', 'S')) AS is_known
  FROM fill GROUP BY account_no, symbol
), position_key AS (
  SELECT pair.account_no, position.symbol FROM pair JOIN position ON position.account_no = pair.account_no
  UNION
  SELECT account_no, symbol FROM trade_total
), adjustment AS (
  SELECT pair.account_no, candidate.symbol, product(candidate.factor) AS factor
  FROM mart.adjustment_candidate(CAST(as_of_day AS DATE) - 45, CAST(as_of_day AS DATE)) candidate
  JOIN pair ON candidate.ex_date > pair.before_of
  WHERE is_event AND basis_kind <> 'settlement'
  GROUP BY pair.account_no, candidate.symbol
), position_pair AS (
  SELECT pair.account_no, position_key.symbol, coalesce(position.relation, before.relation,
      CASE
        WHEN mart.instrument_kind(position_key.symbol, NULL) = 'future'
          THEN 'account.derivative_position_summary'
        ELSE 'account.equity_position'
      END) AS relation,
    pair.snapshot_id, pair.before_id, pair.as_of, pair.before_of, pair.sessions,
    CASE WHEN before.symbol IS NULL THEN 0 ELSE before.quantity END AS quantity_before,
    coalesce(trade_total.bought, 0) AS bought,
    coalesce(trade_total.sold, 0) AS sold,
    CASE WHEN before.symbol IS NULL THEN 0 ELSE coalesce(before.dividend_quantity, 0) END AS dividend_before,
    CASE
      WHEN position.symbol IS NULL THEN 0
      ELSE coalesce(position.dividend_quantity, 0)
    END AS dividend_quantity,
    adjustment.factor AS adjustment_factor,
    CASE WHEN position.symbol IS NULL THEN 0 ELSE position.quantity END AS quantity,
    mart.has_expired(mart.instrument_kind(position_key.symbol, security.cw_underlying_symbol),
      mart.last_day_of(position_key.symbol, security.last_trading_date), pair.as_of,
      position.quantity) AS has_ended,
    coalesce(trade_total.is_known, true) AS is_known
  FROM pair
  JOIN position_key ON position_key.account_no = pair.account_no
  LEFT JOIN position
    ON position.snapshot_id = pair.snapshot_id AND position.account_no = pair.account_no
      AND position.symbol = position_key.symbol
  LEFT JOIN position before
    ON before.snapshot_id = pair.before_id AND before.account_no = pair.account_no
      AND before.symbol = position_key.symbol
  LEFT JOIN trade_total
    ON trade_total.account_no = pair.account_no AND trade_total.symbol = position_key.symbol
  LEFT JOIN adjustment ON adjustment.account_no = pair.account_no AND adjustment.symbol = position_key.symbol
  LEFT JOIN market.security security ON security.symbol = position_key.symbol
), explained_position AS (
  SELECT *, greatest(dividend_before - dividend_quantity, 0) AS from_dividends,
    CASE WHEN has_ended THEN quantity_before + bought - sold ELSE 0 END AS expired,
    CASE WHEN is_known THEN quantity_before + bought - sold + from_dividends
      - expired END AS expected_quantity
  FROM position_pair
)
SELECT account_no, symbol, relation, snapshot_id, before_id, as_of, before_of, sessions,
  TRY_CAST(quantity_before AS BIGINT) AS quantity_before, TRY_CAST(bought AS BIGINT) AS bought,
  TRY_CAST(sold AS BIGINT) AS sold,
  TRY_CAST(dividend_before AS BIGINT) AS dividend_before,
  TRY_CAST(dividend_quantity AS BIGINT) AS dividend_quantity,
  TRY_CAST(from_dividends AS BIGINT) AS from_dividends,
  adjustment_factor,
  CASE WHEN adjustment_factor < 1 THEN quantity_before * (1 / adjustment_factor - 1) ELSE 0 END AS entitled,
  TRY_CAST(expired AS BIGINT) AS expired,
  TRY_CAST(expected_quantity AS BIGINT) AS expected_quantity,
  TRY_CAST(quantity AS BIGINT) AS quantity,
  TRY_CAST(quantity - expected_quantity AS BIGINT) AS residual
FROM explained_position;
COMMENT ON MACRO TABLE mart.position_match IS
  'Positions of two snapshots beside the fills between them: what nothing explains.';
