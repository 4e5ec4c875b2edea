-- grain: one row per step in which a conditional order triggered, since the session of the snapshot before
-- rule: 35
-- title: a triggered conditional order has a bar that satisfied its condition before
-- severity: warn
-- about: accounts
-- needs: a conditional order that triggered since the snapshot before, 45 days back at most
-- why: conditions are on the market price, and every trade is in a minute's bar
-- tolerance: a bar counts up to a minute after the step (an auction's trade is in the bar of the minute that it ends with,
--   and the step may be told a second earlier), from the minute that the order was valid from. stop and stop_limit
--   are judged on the day of the step, trailing types on all days of validity (a stop may follow for days) and only in so
--   far as a bar must reach active_price, and one at or after it must stand trailing_amount from the best price since.
--   Without bars it cannot be judged, nor with an operator that is a number (which is which is not published). gtd and
--   bullbear have no condition
WITH mine AS (
  SELECT orders.*, judged.as_of, judged.before_of,
    CASE lower(orders.operator)
      WHEN 'greater_or_equal' THEN '>=' WHEN 'lesser_or_equal' THEN '<=' WHEN 'greater' THEN '>' WHEN 'lesser' THEN '<' WHEN 'equal' THEN '='
    END AS comparison
  FROM judged_account judged
  JOIN account.conditional_order orders ON orders.snapshot_id = judged.snapshot_id AND orders.account_no = judged.account_no
  WHERE judged.state = 'complete' AND orders.type IN ('stop', 'stop_limit', 'oco', 'trailing_stop', 'trailing_stop_limit')
), event AS (
  SELECT event.*, mine.as_of, mine.before_of, CAST(mart.exchange_time(event.occurred_at) AS DATE) AS occurred_on,
    bool_or(event.state = 'TRI') OVER (PARTITION BY event.snapshot_id, event.account_no, event.fco_id) AS tells_tri
  FROM mine
  JOIN account.conditional_order_event event
    ON event.snapshot_id = mine.snapshot_id AND event.account_no = mine.account_no AND event.fco_id = mine.fco_id
), trigger AS (
  SELECT snapshot_id, account_no, fco_id, ordinal, occurred_at, occurred_on
  FROM event
  WHERE state = CASE WHEN tells_tri THEN 'TRI' ELSE 'TRIT' END
    AND occurred_on BETWEEN coalesce(before_of, as_of - 45) AND as_of AND occurred_on >= as_of - 45
), asked AS (
  SELECT mine.*, trigger.ordinal, trigger.occurred_at, trigger.occurred_on,
    CASE WHEN type IN ('trailing_stop', 'trailing_stop_limit') THEN greatest(CAST(mart.exchange_time(from_at) AS DATE), as_of - 45) ELSE occurred_on END AS first_day
  FROM mine JOIN trigger ON trigger.snapshot_id = mine.snapshot_id AND trigger.account_no = mine.account_no AND trigger.fco_id = mine.fco_id
), bar AS (
  SELECT symbol, trading_date, opened_at, high, low
  FROM market.candle
  WHERE timeframe = '1m' AND symbol IN (SELECT symbol FROM asked)
    AND trading_date BETWEEN (SELECT min(first_day) FROM asked) AND (SELECT max(occurred_on) FROM asked)
), looked AS (
  SELECT asked.*, bar.opened_at, bar.trading_date AS bar_day, bar.high, bar.low,
    -- What a sell needs: a bar that reached active_price; for a buy the other way round. The best price counts from there.
    bool_or(CASE asked.side WHEN 'S' THEN bar.high >= active_price ELSE bar.low <= active_price END) OVER walk AS is_active,
    CASE asked.side
      WHEN 'S' THEN bar.low <= max(bar.high) OVER walk - trailing_amount
      ELSE bar.high >= min(bar.low) OVER walk + trailing_amount
    END AS has_turned
  FROM asked LEFT JOIN bar ON bar.symbol = asked.symbol AND bar.trading_date BETWEEN asked.first_day AND asked.occurred_on
    AND bar.opened_at <= asked.occurred_at + INTERVAL 1 MINUTE AND bar.opened_at >= date_trunc('minute', asked.from_at)
  WINDOW walk AS (PARTITION BY asked.snapshot_id, asked.account_no, asked.fco_id, asked.ordinal ORDER BY bar.opened_at)
), judged_trigger AS (
  SELECT snapshot_id, account_no, fco_id, ordinal, any_value(as_of) AS as_of, any_value(type) AS type, any_value(side) AS side, any_value(symbol) AS symbol,
    any_value(occurred_at) AS occurred_at, any_value(occurred_on) AS occurred_on, any_value(first_day) AS first_day, any_value(operator) AS operator, any_value(comparison) AS comparison,
    any_value(stop_price) AS stop_price, any_value(tp_active_price) AS tp_active_price, any_value(sl_active_price) AS sl_active_price,
    any_value(active_price) AS active_price, any_value(trailing_amount) AS trailing_amount,
    count(*) FILTER (WHERE bar_day = occurred_on) AS bars, max(high) AS highest, min(low) AS lowest,
    coalesce(bool_or(CASE
      WHEN type IN ('stop', 'stop_limit') THEN CASE comparison
        WHEN '>=' THEN high >= stop_price WHEN '>' THEN high > stop_price WHEN '<=' THEN low <= stop_price WHEN '<' THEN low < stop_price
        ELSE stop_price BETWEEN low AND high END
      WHEN type = 'oco' AND side = 'S' THEN high >= tp_active_price OR low <= sl_active_price
      WHEN type = 'oco' THEN low <= tp_active_price OR high >= sl_active_price
      ELSE is_active AND has_turned
    END), false) AS is_met
  FROM looked GROUP BY ALL
), missing AS (
  SELECT judged_trigger.fco_id, judged_trigger.account_no, judged_trigger.ordinal, count(*) AS days
  FROM judged_trigger
  JOIN known_session ON known_session.trading_date BETWEEN first_day AND occurred_on
  WHERE NOT EXISTS (FROM bar WHERE bar.symbol = judged_trigger.symbol AND bar.trading_date = known_session.trading_date)
  GROUP BY ALL
)
SELECT as_of AS trading_date, judged_trigger.account_no AS subject, 'account.conditional_order_event' AS relation,
  CAST(json_object('account_no', judged_trigger.account_no, 'fco_id', judged_trigger.fco_id, 'ordinal', judged_trigger.ordinal) AS VARCHAR) AS key,
  symbol || ' ' || CASE
    WHEN type IN ('stop', 'stop_limit') THEN coalesce(comparison, '?') || ' ' || told(stop_price)
    WHEN type = 'oco' THEN told(tp_active_price) || ' or ' || told(sl_active_price)
    ELSE told(active_price) || ', then ' || told(trailing_amount) || CASE side WHEN 'S' THEN ' below the highest' ELSE ' above the lowest' END
  END || ' by ' || strftime(mart.exchange_time(occurred_at), '%Y-%m-%d %H:%M:%S') AS expected,
  CASE
    WHEN type IN ('stop', 'stop_limit') AND comparison IS NULL THEN 'which comparison ' || coalesce(operator, 'no operator') || ' is, is not known'
    WHEN bars = 0 THEN 'no 1m bars of ' || symbol || ' are held for ' || occurred_on
    WHEN NOT is_met AND missing.days > 0 THEN 'no 1m bars of ' || symbol || ' are held for ' || missing.days || ' sessions since ' || first_day
    ELSE told(lowest) || ' to ' || told(highest)
  END AS actual,
  NULL AS residual,
  CASE
    WHEN type IN ('stop', 'stop_limit') AND comparison IS NULL OR bars = 0 THEN 'not_evaluable'
    WHEN is_met THEN 'pass'
    WHEN missing.days > 0 THEN 'not_evaluable'
    ELSE 'break'
  END AS verdict
FROM judged_trigger LEFT JOIN missing ON missing.fco_id = judged_trigger.fco_id AND missing.account_no = judged_trigger.account_no AND missing.ordinal = judged_trigger.ordinal
