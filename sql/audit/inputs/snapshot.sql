-- grain: one row, the trading date of the snapshots to check: a hash of all rows that their rules read,
--   within their reach (sql/rules/README.md). Rows of a snapshot are hashed by their values, without the key
--   that read them, because a second snapshot of the same evening mostly has the same values. The snapshot
--   before is hashed by its id, because its rows never change. Bars are hashed only for symbols on which a
--   conditional order triggered.
WITH latest AS (
  SELECT audit_account.*, before.received_at AS before_at
  FROM audit_account
  LEFT JOIN account.snapshot before
    ON before.account_no = audit_account.account_no AND before.snapshot_id = audit_account.before_id
), event AS (
  SELECT event.* EXCLUDE (loaded_at), event.loaded_at <= latest.before_at AS is_kept, orders.symbol
  FROM latest
  JOIN account.conditional_order_event event USING (snapshot_id, account_no)
  LEFT JOIN account.conditional_order orders USING (snapshot_id, account_no, fco_id)
), row_hash AS (
  SELECT 'account.snapshot' AS name, hash(account_no, as_of, state, missing, before_id, before_of, side,
    while_trading(received_at, as_of)) AS value
  FROM latest
  UNION ALL
  SELECT 'account.equity_balance', hash(row)
  FROM (SELECT COLUMNS(* EXCLUDE (snapshot_id, key_name, request_id, loaded_at)) FROM account.equity_balance
    WHERE snapshot_id IN (SELECT snapshot_id FROM latest)) row
  UNION ALL
  SELECT 'mart.fee_rate', hash(account_no, shown_on, fee_rate) FROM mart.fee_rate(getvariable('audit_as_of'))
  UNION ALL
  SELECT 'account.derivative_balance', hash(row)
  FROM (SELECT COLUMNS(* EXCLUDE (snapshot_id, key_name, request_id, loaded_at))
    FROM account.derivative_balance
    WHERE snapshot_id IN (SELECT snapshot_id FROM latest)) row
  UNION ALL
  SELECT 'account.equity_margin', hash(row)
  FROM (SELECT COLUMNS(* EXCLUDE (snapshot_id, key_name, request_id, loaded_at)) FROM account.equity_margin
    WHERE snapshot_id IN (SELECT snapshot_id FROM latest)) row
  UNION ALL
  SELECT 'account.derivative_margin', hash(row)
  FROM (SELECT COLUMNS(* EXCLUDE (snapshot_id, key_name, request_id, loaded_at))
    FROM account.derivative_margin
    WHERE snapshot_id IN (SELECT snapshot_id FROM latest)) row
  UNION ALL
  SELECT 'account.equity_position', hash(row)
  FROM (SELECT COLUMNS(* EXCLUDE (snapshot_id, key_name, request_id, loaded_at)) FROM account.equity_position
    WHERE snapshot_id IN (SELECT snapshot_id FROM latest)) row
  UNION ALL
  SELECT 'account.derivative_position', hash(row)
  FROM (SELECT COLUMNS(* EXCLUDE (snapshot_id, key_name, request_id, loaded_at))
    FROM account.derivative_position
    WHERE snapshot_id IN (SELECT snapshot_id FROM latest)) row
  UNION ALL
  SELECT 'account.derivative_position_summary', hash(row)
  FROM (SELECT COLUMNS(* EXCLUDE (snapshot_id, key_name, request_id, loaded_at))
    FROM account.derivative_position_summary WHERE snapshot_id IN (SELECT snapshot_id FROM latest)) row
  UNION ALL
  SELECT 'account.order_book', hash(row)
  FROM (SELECT COLUMNS(* EXCLUDE (snapshot_id, key_name, request_id, loaded_at)) FROM account.order_book
    WHERE snapshot_id IN (SELECT snapshot_id FROM latest)) row
  UNION ALL
  SELECT 'account.conditional_order', hash(row)
  FROM (SELECT COLUMNS(* EXCLUDE (snapshot_id, key_name, request_id, loaded_at))
    FROM account.conditional_order
    WHERE snapshot_id IN (SELECT snapshot_id FROM latest)) row
  UNION ALL
  SELECT 'account.conditional_order_event', hash(row)
  FROM (SELECT COLUMNS(* EXCLUDE (snapshot_id, key_name, request_id)) FROM event) row
  UNION ALL
  SELECT 'account.max_quantity', hash(row)
  FROM (SELECT COLUMNS(* EXCLUDE (snapshot_id, key_name, request_id, loaded_at)) FROM account.max_quantity
    WHERE snapshot_id IN (SELECT snapshot_id FROM latest)) row
  UNION ALL
  SELECT 'ops.request', hash(query, page, items_count,
    row_number() OVER (ORDER BY received_at, request_id))
  FROM ops.request
  WHERE endpoint = 'orderBook' AND run_id IN (SELECT snapshot_id FROM latest)
  UNION ALL
  SELECT 'market.daily_summary', hash(trading_date, request_id)
  FROM market.daily_summary
  WHERE trading_date BETWEEN getvariable('audit_as_of') - 90 AND getvariable('audit_as_of')
  UNION ALL
  SELECT 'market.price_limit', hash(trading_date, request_id)
  FROM market.price_limit
  WHERE trading_date BETWEEN getvariable('audit_as_of') - 90 AND getvariable('audit_as_of')
  UNION ALL
  SELECT 'ops.coverage', hash(key, window_from, state)
  FROM ops.coverage
  WHERE dataset = 'securitiesSummary'
    AND window_from BETWEEN getvariable('audit_as_of') - 90 AND getvariable('audit_as_of')
  UNION ALL
  SELECT 'market.candle', hash(trading_date, request_id)
  FROM market.candle
  WHERE timeframe = '1m'
    AND trading_date BETWEEN getvariable('audit_as_of') - 45 AND getvariable('audit_as_of')
    AND symbol IN (SELECT symbol FROM event WHERE state IN ('TRI', 'TRIT'))
  UNION ALL
  SELECT 'market.security_history', hash(instrument) FROM instrument
  UNION ALL
  SELECT 'market.security', hash(symbol, last_trading_date) FROM market.security
), source_hash AS (
  SELECT name, count(*) AS rows, sum(value) AS sum FROM row_hash GROUP BY name
)
SELECT CAST(getvariable('audit_as_of') AS VARCHAR) AS day,
  sha256(string_agg(concat_ws(' ', name, rows, sum), chr(10) ORDER BY name)) AS inputs
FROM source_hash
