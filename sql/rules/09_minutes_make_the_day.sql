-- grain: one row per symbol and session with a 1d bar and all of its 1m bars
-- rule: 9
-- title: the 1m bars add up to the 1d bar: volume first, then prices up to one constant ratio
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days
-- per: symbol
-- needs: a 1d bar, and 1m bars of a session that was answered whole
-- why: a minute that is missing, doubled or of another day shows in the sum. A constant ratio of all four
--   prices is another adjustment vintage, no fault of the bars: a flag
-- evidence: none measured
-- tolerance: volume none; one ratio within 0.1 %, since adjusted prices are rounded; value 0.01 VND per bar,
--   what the column holds (it was not measured: a flag)
WITH comparison AS (
  SELECT bar.symbol, bar.trading_date, bar.opened_at, bar.volume, sums.volume AS minute_volume,
    bar.value, sums.value AS minute_value,
    sums.bars,
    [num(sums.open) / num(bar.open), num(sums.high) / num(bar.high), num(sums.low) / num(bar.low),
      num(sums.close) / num(bar.close)] AS ratios,
    bar.open, bar.high, bar.low, bar.close,
    sums.open AS minute_open, sums.high AS minute_high, sums.low AS minute_low, sums.close AS minute_close
  FROM day_bar bar JOIN minute_sum sums USING (symbol, trading_date)
  SEMI JOIN audit_bar_coverage answer
    ON answer.timeframe = '1m' AND answer.state = 'complete'
    AND answer.key = bar.symbol AND answer.trading_date = bar.trading_date
  WHERE bar.open > 0 AND bar.high > 0 AND bar.low > 0 AND bar.close > 0
)
SELECT trading_date, 'market' AS subject, 'market.candle' AS relation,
  bar_key(symbol, '1d', opened_at) AS key,
  CASE WHEN minute_volume <> volume THEN 'volume ' || volume
    WHEN list_max(ratios) <> 1 OR list_min(ratios) <> 1
      THEN concat_ws(' ', as_text(open), as_text(high), as_text(low), as_text(close))
    ELSE 'value ' || as_text(value) END AS expected,
  CASE WHEN minute_volume <> volume THEN 'volume ' || minute_volume
    WHEN list_max(ratios) <> 1 OR list_min(ratios) <> 1
      THEN concat_ws(' ', as_text(minute_open), as_text(minute_high), as_text(minute_low),
        as_text(minute_close))
    ELSE 'value ' || as_text(minute_value) END AS actual,
  CASE WHEN minute_volume <> volume THEN num(minute_volume) - num(volume)
    WHEN list_max(ratios) <> 1 OR list_min(ratios) <> 1 THEN num(minute_close) - num(close)
    ELSE num(minute_value) - num(value) END AS residual,
  CASE
    WHEN minute_volume <> volume THEN 'break'
    WHEN list_max(ratios) - list_min(ratios) > 0.001 THEN 'break'
    WHEN list_max(ratios) <> 1 OR list_min(ratios) <> 1 THEN 'soft'
    WHEN value > 0 AND abs(num(minute_value) - num(value)) > 0.01 * bars THEN 'soft'
    ELSE 'pass'
  END AS result
FROM comparison
