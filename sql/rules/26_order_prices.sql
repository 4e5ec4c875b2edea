-- grain: one row per limit order of a complete snapshot that is new or has changed and whose session's price
--   limits are stored
-- rule: 26
-- title: limit prices within floor and ceiling, and on the tick
-- severity: warn
-- about: accounts
-- reach: back 45 days, forward 0 days, snapshot before, securities
-- needs: a limit order, entered before the close of a session of the last 45 days whose price limits are
--   stored
-- why: the exchange takes no other; one that it took shows that limits, symbol or day are not what they are
--   held for
-- evidence: none measured
-- tolerance: none; limits are read, never computed. Rejected orders are excluded, and what was entered after
--   the last phase of its board (mart.trading_phase): its session is the next one
WITH limit_order AS (
  SELECT orders.*, snapshot.as_of, CAST(mart.exchange_time(orders.input_at) AS DATE) AS entered_on,
    CAST(mart.exchange_time(orders.input_at) AS TIME) AS entered_at,
    TRY_CAST(replace(orders.price, ',', '') AS DOUBLE) AS limit_price
  FROM audit_account snapshot
  JOIN account.order_book orders
    ON orders.snapshot_id = snapshot.snapshot_id AND orders.account_no = snapshot.account_no
  LEFT JOIN account.order_book order_before
    ON order_before.snapshot_id = snapshot.before_id AND order_before.account_no = orders.account_no
      AND order_before.order_id = orders.order_id
  -- Orders that the snapshot before reported alike were checked with it.
  WHERE (orders.filled_qty, orders.avg_price, orders.price)
    IS DISTINCT FROM (order_before.filled_qty, order_before.avg_price, order_before.price)
    AND snapshot.state = 'complete' AND orders.order_type = 'LO' AND orders.order_status <> 'RJ'
), order_band AS (
  SELECT limit_order.*, num(band.floor) AS floor, num(band.ceiling) AS ceiling,
    coalesce(instrument.kind, mart.instrument_kind(limit_order.symbol, NULL)) AS kind,
    upper(band.exchange) AS exchange
  FROM limit_order
  JOIN market.price_limit band
    ON band.symbol = limit_order.symbol AND band.trading_date = limit_order.entered_on
  LEFT JOIN instrument ON instrument.symbol = limit_order.symbol
  WHERE band.trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_as_of')
    AND band.floor > 0 AND band.ceiling > 0 AND limit_price IS NOT NULL
), closing AS (
  SELECT board, valid_from, valid_to, max(ends) AS closes_at
  FROM mart.trading_phase
  GROUP BY ALL
), ladder AS (
  SELECT *, CASE kind WHEN 'future' THEN 'DERIVATIVE' ELSE exchange END AS board,
    coalesce(mart.futures_underlying(symbol), kind) AS tick_kind
  FROM order_band
), order_tick AS (
  SELECT *, mart.tick_size(board, tick_kind, limit_price, entered_on) AS tick
  FROM ladder
), session_order AS (
  -- a board without hours of that day: all its orders are compared
  SELECT order_tick.*
  FROM order_tick
  LEFT JOIN closing
    ON closing.board = order_tick.board AND entered_on BETWEEN closing.valid_from AND closing.valid_to
  WHERE coalesce(entered_at < closes_at, true)
), price_check AS (
  SELECT *, limit_price < floor OR limit_price > ceiling AS is_outside,
    coalesce(abs(limit_price / tick - round(limit_price / tick)) > 0.000001, false) AS is_off
  FROM session_order
)
SELECT as_of AS trading_date, account_no AS subject, 'account.order_book' AS relation,
  account_key_of(account_no, 'order_id', order_id) AS key,
  CASE
    WHEN is_off AND NOT is_outside THEN 'a multiple of ' || as_text(tick)
    ELSE as_text(floor) || ' to ' || as_text(ceiling)
  END AS expected,
  as_text(limit_price) AS actual,
  CASE
    WHEN is_outside THEN greatest(floor - limit_price, limit_price - ceiling)
    WHEN is_off THEN limit_price - round(limit_price / tick) * tick
  END AS residual,
  CASE WHEN is_outside OR is_off THEN 'break' ELSE 'pass' END AS result
FROM price_check
