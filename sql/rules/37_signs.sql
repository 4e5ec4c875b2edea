-- grain: one row per daily summary, fetched bar, price limit and index summary
-- rule: 37
-- title: nothing is negative, and nothing trades at zero
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days
-- per: symbol
-- needs: any row of the market
-- why: volumes, values and prices have no sign, and a price of zero beside a volume is a missing price.
--   Changes and the remaining foreign room may be negative
-- evidence: none measured
-- tolerance: none; null is missing and not looked at
WITH sign AS (
  SELECT trading_date, 'market.daily_summary' AS relation, symbol AS name, NULL AS timeframe,
    NULL AS opened_at,
    least(open, high, low, close, average, settlement_price) AS price,
    least(total_match, total_buy, total_trade_buy, total_sell, total_trade_sell, total_foreign_buy,
      total_foreign_sell,
      total_foreign_room, total_deal, open_interest) AS quantity,
    least(total_match_value, total_foreign_buy_value, total_foreign_sell_value, total_deal_value) AS value,
    total_match > 0 AND 0 IN (open, high, low, close, average) AS free
  FROM audit_day
  UNION ALL
  SELECT trading_date, 'market.candle', symbol, timeframe, opened_at, least(open, high, low, close), volume,
    value,
    volume > 0 AND 0 IN (open, high, low, close)
  FROM audit_candle
  WHERE NOT is_derived
  UNION ALL
  SELECT trading_date, 'market.price_limit', symbol, NULL, NULL, least(ceiling, floor, ref_price), NULL, NULL,
    false
  FROM market.price_limit SEMI JOIN audit_session USING (trading_date)
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
  UNION ALL
  SELECT trading_date, 'market.index_summary', index_code, NULL, NULL, index_value,
    least(total_trade, total_match, total_deal, total_advance_stock, total_ceiling_stock, total_decline_stock,
      total_floor_stock, total_no_change_stock, total_prop_buy, total_prop_sell),
    least(total_trade_value, total_match_value, total_deal_value, total_prop_buy_value,
      total_prop_sell_value),
    total_match > 0 AND index_value = 0
  FROM market.index_summary SEMI JOIN audit_session USING (trading_date)
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
)
SELECT trading_date, 'market' AS subject, relation,
  CASE relation
    WHEN 'market.candle' THEN bar_key(name, timeframe, opened_at)
    WHEN 'market.index_summary' THEN index_key(name, trading_date)
    ELSE day_key(name, trading_date)
  END AS key,
  CASE WHEN least(price, quantity, value) < 0 THEN 'none below 0' ELSE 'prices above 0' END AS expected,
  CASE
    WHEN least(price, quantity, value) < 0
      THEN concat_ws(', ', CASE WHEN price < 0 THEN 'price ' || as_text(price) END,
      CASE WHEN quantity < 0 THEN 'quantity ' || as_text(quantity) END,
      CASE WHEN value < 0 THEN 'value ' || as_text(value) END)
    ELSE 'price 0'
  END AS actual,
  least(num(price), num(quantity), num(value)) AS residual,
  CASE WHEN price < 0 OR quantity < 0 OR value < 0 OR free THEN 'break' ELSE 'pass' END AS result
FROM sign
WHERE price IS NOT NULL OR quantity IS NOT NULL OR value IS NOT NULL
