-- grain: one row per index summary with figures of proprietary trading
-- rule: 45
-- title: proprietary trading is at most half of all trading
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days
-- needs: an index summary with its totals and what brokers traded for themselves
-- why: brokers' own part of what was matched and dealt is some hundredths; the unit of these figures shows
--   nowhere else. Nothing was measured: a flag
-- evidence: none measured
-- tolerance: none
WITH trading_total AS (
  SELECT index_code, trading_date,
    num(total_match) + coalesce(num(total_deal), 0) AS volume,
    num(total_match_value) + coalesce(num(total_deal_value), 0) AS value,
    total_prop_buy, total_prop_sell, total_prop_buy_value, total_prop_sell_value
  FROM market.index_summary SEMI JOIN audit_session USING (trading_date)
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
)
SELECT trading_date, 'market' AS subject, 'market.index_summary' AS relation,
  index_key(index_code, trading_date) AS key,
  'at most half of ' || as_text(volume) || ' for ' || as_text(value) AS expected,
  concat_ws(', ', 'bought ' || total_prop_buy || ' for ' || as_text(total_prop_buy_value),
    'sold ' || total_prop_sell || ' for ' || as_text(total_prop_sell_value)) AS actual,
  greatest(num(total_prop_buy), num(total_prop_sell)) - volume AS residual,
  CASE
    WHEN greatest(num(total_prop_buy), num(total_prop_sell)) > volume / 2 THEN 'soft'
    WHEN greatest(num(total_prop_buy_value), num(total_prop_sell_value)) > value / 2 THEN 'soft'
    ELSE 'pass'
  END AS result
FROM trading_total
WHERE volume > 0 AND coalesce(total_prop_buy, total_prop_sell) IS NOT NULL
