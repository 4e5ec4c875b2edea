-- grain: one row per step in which a conditional order triggered, since the session of the snapshot before
-- rule: 35
-- title: a triggered conditional order has a bar that satisfied its condition before
-- severity: warn
-- about: accounts
-- reach: back 45 days, forward 0 days, snapshot before
-- needs: a conditional order that triggered since the snapshot before, 45 days back at most
-- why: conditions are on the market price, and every trade is in a minute's bar
-- evidence: none measured
-- tolerance: a bar counts up to a minute after the step (an auction's trade is in the bar of the minute that
--   it ends with, and the step may be reported a second earlier), from the minute that the order was valid
--   from. stop and stop_limit are checked on the day of the step, trailing types on all days of validity (a
--   stop may follow for days) and only in so far as a bar must reach active_price, and one at or after it
--   must stand trailing_amount from the best price since. Without bars it cannot be evaluated, nor with an
--   operator that is a number (which is which is not published). gtd and bullbear have no condition
WITH conditional AS (
  SELECT orders.*, snapshot.as_of, snapshot.before_of,
    CASE lower(orders.operator)
      WHEN 'greater_or_equal' THEN '>=' WHEN 'lesser_or_equal' THEN '<=' WHEN 'greater' THEN '>'
        WHEN 'lesser' THEN '<' WHEN 'equal' THEN '='
    END AS comparison
  FROM audit_account snapshot
  JOIN account.conditional_order orders
    ON orders.snapshot_id = snapshot.snapshot_id AND orders.account_no = snapshot.account_no
  WHERE snapshot.state = 'complete'
    AND orders.type IN ('stop', 'stop_limit', 'oco', 'trailing_stop', 'trailing_stop_limit')
), event AS (
  SELECT event.*, conditional.as_of, conditional.before_of,
    CAST(mart.exchange_time(event.occurred_at) AS DATE) AS occurred_on,
    bool_or(event.state = 'TRI') OVER (PARTITION BY event.snapshot_id, event.account_no,
      event.fco_id) AS tells_tri
  FROM conditional
  JOIN account.conditional_order_event event
    ON event.snapshot_id = conditional.snapshot_id AND event.account_no = conditional.account_no
      AND event.fco_id = conditional.fco_id
), trigger AS (
  SELECT snapshot_id, account_no, fco_id, ordinal, occurred_at, occurred_on
  FROM event
  WHERE state = CASE WHEN tells_tri THEN 'TRI' ELSE 'TRIT' END
    AND occurred_on BETWEEN coalesce(before_of, as_of - 45) AND as_of AND occurred_on >= as_of - 45
), trigger_window AS (
  SELECT conditional.*, trigger.ordinal, trigger.occurred_at, trigger.occurred_on,
    CASE
      WHEN type IN ('trailing_stop', 'trailing_stop_limit')
        THEN greatest(CAST(mart.exchange_time(from_at) AS DATE), as_of - 45)
      ELSE occurred_on
    END AS first_day
  FROM conditional
  JOIN trigger
    ON trigger.snapshot_id = conditional.snapshot_id AND trigger.account_no = conditional.account_no
      AND trigger.fco_id = conditional.fco_id
), bar AS (
  SELECT symbol, trading_date, opened_at, high, low
  FROM market.candle
  WHERE timeframe = '1m' AND symbol IN (SELECT symbol FROM trigger_window)
    AND trading_date BETWEEN (SELECT min(first_day) FROM trigger_window) AND (SELECT max(occurred_on)
      FROM trigger_window)
), trigger_bar AS (
  SELECT trigger_window.*, bar.opened_at, bar.trading_date AS bar_day, bar.high, bar.low,
    -- What a sell needs: a bar that reached active_price; for a buy the other way round. The best price
    -- counts from there.
    bool_or(CASE trigger_window.side
      WHEN 'S' THEN bar.high >= active_price
      ELSE bar.low <= active_price
    END) OVER so_far AS is_active,
    CASE trigger_window.side
      WHEN 'S' THEN bar.low <= max(bar.high) OVER so_far - trailing_amount
      ELSE bar.high >= min(bar.low) OVER so_far + trailing_amount
    END AS has_turned
  FROM trigger_window
  LEFT JOIN bar
    ON bar.symbol = trigger_window.symbol
      AND bar.trading_date BETWEEN trigger_window.first_day AND trigger_window.occurred_on
    AND bar.opened_at <= trigger_window.occurred_at + INTERVAL 1 MINUTE
      AND bar.opened_at >= date_trunc('minute', trigger_window.from_at)
  WINDOW so_far AS (PARTITION BY trigger_window.snapshot_id, trigger_window.account_no, trigger_window.fco_id,
    trigger_window.ordinal ORDER BY bar.opened_at)
), trigger_check AS (
  SELECT snapshot_id, account_no, fco_id, ordinal, any_value(as_of) AS as_of, any_value(type) AS type,
    any_value(side) AS side, any_value(symbol) AS symbol,
    any_value(occurred_at) AS occurred_at, any_value(occurred_on) AS occurred_on,
    any_value(first_day) AS first_day, any_value(operator) AS operator, any_value(comparison) AS comparison,
    any_value(stop_price) AS stop_price, any_value(tp_active_price) AS tp_active_price,
    any_value(sl_active_price) AS sl_active_price,
    any_value(active_price) AS active_price, any_value(trailing_amount) AS trailing_amount,
    count(*) FILTER (WHERE bar_day = occurred_on) AS bars, max(high) AS highest, min(low) AS lowest,
    coalesce(bool_or(CASE
      WHEN type IN ('stop', 'stop_limit') THEN CASE comparison
        WHEN '>=' THEN high >= stop_price WHEN '>' THEN high > stop_price WHEN '<=' THEN low <= stop_price
          WHEN '<' THEN low < stop_price
        ELSE stop_price BETWEEN low AND high END
      WHEN type = 'oco' AND side = 'S' THEN high >= tp_active_price OR low <= sl_active_price
      WHEN type = 'oco' THEN low <= tp_active_price OR high >= sl_active_price
      ELSE is_active AND has_turned
    END), false) AS is_met
  FROM trigger_bar GROUP BY ALL
), missing_session AS (
  SELECT trigger_check.fco_id, trigger_check.account_no, trigger_check.ordinal, count(*) AS days
  FROM trigger_check
  JOIN known_session ON known_session.trading_date BETWEEN first_day AND occurred_on
  WHERE NOT EXISTS (FROM bar
    WHERE bar.symbol = trigger_check.symbol AND bar.trading_date = known_session.trading_date)
  GROUP BY ALL
)
SELECT as_of AS trading_date, trigger_check.account_no AS subject,
  'account.conditional_order_event' AS relation,
  CAST(json_object('account_no', trigger_check.account_no, 'fco_id', trigger_check.fco_id, 'ordinal',
    trigger_check.ordinal) AS VARCHAR) AS key,
  symbol || ' ' || CASE
    WHEN type IN ('stop', 'stop_limit') THEN coalesce(comparison, '?') || ' ' || as_text(stop_price)
    WHEN type = 'oco' THEN as_text(tp_active_price) || ' or ' || as_text(sl_active_price)
    ELSE as_text(active_price) || ', then ' || as_text(trailing_amount)
      || CASE side WHEN 'S' THEN ' below the highest' ELSE ' above the lowest' END
  END || ' by ' || strftime(mart.exchange_time(occurred_at), '%Y-%m-%d %H:%M:%S') AS expected,
  CASE
    WHEN type IN ('stop', 'stop_limit') AND comparison IS NULL
      THEN 'which comparison ' || coalesce(operator, 'no operator') || ' is, is not known'
    WHEN bars = 0 THEN 'no 1m bars of ' || symbol || ' are stored for ' || occurred_on
    WHEN NOT is_met AND missing_session.days > 0
      THEN 'no 1m bars of ' || symbol || ' are stored for ' || missing_session.days || ' sessions since '
        || first_day
    ELSE as_text(lowest) || ' to ' || as_text(highest)
  END AS actual,
  NULL AS residual,
  CASE
    WHEN type IN ('stop', 'stop_limit') AND comparison IS NULL OR bars = 0 THEN 'not_evaluable'
    WHEN is_met THEN 'pass'
    WHEN missing_session.days > 0 THEN 'not_evaluable'
    ELSE 'break'
  END AS result
FROM trigger_check
LEFT JOIN missing_session
  ON missing_session.fco_id = trigger_check.fco_id AND missing_session.account_no = trigger_check.account_no
    AND missing_session.ordinal = trigger_check.ordinal
