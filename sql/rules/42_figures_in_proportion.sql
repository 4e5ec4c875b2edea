-- grain: one row per daily summary of a symbol that traded
-- rule: 42
-- title: orders, foreign room, open interest and settlement are in proportion
-- severity: warn
-- about: market
-- reach: back 45 days, forward 0 days
-- needs: a daily summary with matched volume
-- why: no other figure checks these to the digit, so a unit or a column that went wrong would stay unseen:
--   ordered volume is rarely a hundred times what matched, orders average ten shares or more (a contract or
--   more), the room for foreigners in all follows the listed shares and stays from day to day, open interest
--   does not grow tenfold overnight, and a future settles at a price of its day. None was measured: all are
--   flags
-- evidence: none measured
-- tolerance: as said
WITH summary_before AS (
  SELECT summary.symbol, audit_session.trading_date, summary.total_foreign_room, summary.open_interest
  FROM market.daily_summary summary JOIN audit_session ON summary.trading_date = audit_session.previous_date
  WHERE summary.trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
), proportion AS (
  SELECT day.*,
    list_filter([
      CASE WHEN num(total_buy) > 100 * num(total_match)
        THEN 'total_buy ' || total_buy || ' of matched ' || total_match END,
      CASE WHEN num(total_sell) > 100 * num(total_match)
        THEN 'total_sell ' || total_sell || ' of matched ' || total_match END,
      CASE WHEN total_buy > 0 AND num(total_trade_buy) * least_order > num(total_buy)
        THEN 'total_trade_buy ' || total_trade_buy || ' of total_buy ' || total_buy END,
      CASE WHEN total_sell > 0 AND num(total_trade_sell) * least_order > num(total_sell)
        THEN 'total_trade_sell ' || total_trade_sell || ' of total_sell ' || total_sell END,
      CASE WHEN summary_before.total_foreign_room > 0
        AND day.total_foreign_room <> summary_before.total_foreign_room
        THEN 'total_foreign_room ' || day.total_foreign_room || ' after '
          || summary_before.total_foreign_room END,
      CASE WHEN summary_before.open_interest > 0
        AND num(day.open_interest) NOT BETWEEN num(summary_before.open_interest)
          / 10 AND num(summary_before.open_interest) * 10
        THEN 'open_interest ' || day.open_interest || ' after ' || summary_before.open_interest END,
      CASE WHEN kind = 'future' AND settlement_price > 0 AND low > 0
        AND settlement_price NOT BETWEEN low AND high
        THEN 'settlement_price ' || as_text(settlement_price) || ' beside ' || as_text(low) || ' to '
          || as_text(high) END
    ], lambda line: line IS NOT NULL) AS odd
  FROM (SELECT *, CASE WHEN kind = 'future' THEN 1 ELSE 10 END AS least_order FROM audit_day) day
  LEFT JOIN summary_before USING (symbol, trading_date)
  WHERE total_match > 0
)
SELECT trading_date, 'market' AS subject, 'market.daily_summary' AS relation,
  day_key(symbol, trading_date) AS key,
  'in proportion' AS expected, array_to_string(odd, '; ') AS actual, NULL AS residual,
  CASE WHEN len(odd) = 0 THEN 'pass' ELSE 'soft' END AS result
FROM proportion
