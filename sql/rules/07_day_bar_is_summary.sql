-- grain: one row per symbol and session with a daily summary, and a 1d bar or all of its 1m bars
-- rule: 7
-- title: the 1d bar, or what the 1m bars add up to, has the prices of the daily summary
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days, securities
-- per: symbol
-- needs: a daily summary with matched volume, and a 1d bar or all 1m bars of the same session
-- why: both report the same trades; 484 to 489 of 491 on real data, where the open is the weak one on HNX: an
--   open alone that differs beside HOSE is a flag
-- evidence: 98.57 % of 491 rows, all boards, days not recorded, docs/market-facts.md#pass-rates
-- tolerance: none for a 1d bar. Minutes, in high, low and close, up to one ratio within 0.1 %: another
--   adjustment vintage of theirs is a flag (rule 9)
WITH comparison AS (
  SELECT day.symbol, day.trading_date, day.board, bar.timeframe, bar.opened_at,
    day.open AS day_open, day.high AS day_high, day.low AS day_low, day.close AS day_close,
    bar.open, bar.high, bar.low, bar.close,
    (bar.high, bar.low, bar.close) IS NOT DISTINCT FROM (day.high, day.low, day.close) AS same,
    bar.timeframe = '1m' OR bar.open IS NOT DISTINCT FROM day.open AS same_open,
    [num(bar.high) / num(day.high), num(bar.low) / num(day.low), num(bar.close) / num(day.close)] AS ratios
  FROM audit_day day JOIN session_bar bar USING (symbol, trading_date)
  WHERE day.total_match > 0 AND day.open > 0 AND day.high > 0 AND day.low > 0 AND day.close > 0
)
SELECT trading_date, 'market' AS subject, 'market.candle' AS relation,
  bar_key(symbol, timeframe, opened_at) AS key,
  concat_ws(' ', as_text(day_open), as_text(day_high), as_text(day_low), as_text(day_close)) AS expected,
  concat_ws(' ', as_text(open), as_text(high), as_text(low), as_text(close)) AS actual,
  num(close) - num(day_close) AS residual,
  CASE
    WHEN same AND same_open THEN 'pass'
    WHEN same AND board IS DISTINCT FROM 'HOSE' THEN 'soft'
    WHEN timeframe = '1m' AND list_max(ratios) - list_min(ratios) <= 0.001 THEN 'soft'
    ELSE 'break'
  END AS result
FROM comparison
