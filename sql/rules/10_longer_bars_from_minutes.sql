-- grain: one row per fetched bar of 3m to 1h, and per bar that the 1m bars make where that timeframe was
--   fetched
-- rule: 10
-- title: fetched 3m to 1h bars are what the 1m bars make
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days
-- per: symbol
-- needs: 1m bars and a longer timeframe, both fetched and answered whole, of the same symbol and session
-- why: analysts read longer bars derived from 1m; the service's own, fetched for a few symbols per night, are
--   the cross-check
-- evidence: none measured
-- tolerance: prices and volume none; value 1 VND per unit (it was not measured: a flag)
WITH length(timeframe, seconds) AS (
  VALUES ('3m', 180), ('5m', 300), ('15m', 900), ('30m', 1800), ('1h', 3600)
), fetched_session AS (
  SELECT longer.key AS symbol, longer.trading_date, longer.timeframe, length.seconds
  FROM audit_bar_coverage longer
  JOIN length USING (timeframe)
  JOIN audit_bar_coverage minutes
    ON minutes.timeframe = '1m' AND minutes.state = 'complete'
    AND minutes.key = longer.key AND minutes.trading_date = longer.trading_date
  WHERE longer.state = 'complete'
), bar AS (
  SELECT candle.* FROM audit_candle candle
  WHERE candle.symbol IN (SELECT symbol FROM fetched_session)
), derived_bar AS (
  SELECT fetched_session.symbol, fetched_session.trading_date, fetched_session.timeframe,
    to_timestamp(epoch_ms(bar.opened_at) // 1000 // seconds * seconds) AS opened_at,
    arg_min(bar.open, bar.opened_at) AS open, max(bar.high) AS high, min(bar.low) AS low,
    arg_max(bar.close, bar.opened_at) AS close, sum(bar.volume) AS volume, sum(bar.value) AS value
  FROM fetched_session
  JOIN bar
    ON bar.symbol = fetched_session.symbol AND bar.trading_date = fetched_session.trading_date
      AND bar.timeframe = '1m'
  GROUP BY ALL
), fetched_bar AS (
  SELECT bar.symbol, bar.trading_date, bar.timeframe, bar.opened_at, bar.open, bar.high, bar.low, bar.close,
    bar.volume, bar.value
  FROM bar JOIN fetched_session USING (symbol, trading_date, timeframe)
)
SELECT trading_date, 'market' AS subject, 'market.candle' AS relation,
  bar_key(symbol, timeframe, opened_at) AS key,
  bar_text(derived_bar.open, derived_bar.high, derived_bar.low, derived_bar.close,
    derived_bar.volume) AS expected,
  bar_text(fetched_bar.open, fetched_bar.high, fetched_bar.low, fetched_bar.close,
    fetched_bar.volume) AS actual,
  num(fetched_bar.volume) - num(derived_bar.volume) AS residual,
  CASE
    WHEN (derived_bar.open, derived_bar.high, derived_bar.low, derived_bar.close,
      TRY_CAST(derived_bar.volume AS BIGINT))
      IS DISTINCT FROM (fetched_bar.open, fetched_bar.high, fetched_bar.low, fetched_bar.close,
        fetched_bar.volume) THEN 'break'
    WHEN fetched_bar.value > 0
      AND abs(num(fetched_bar.value) - num(derived_bar.value)) > num(fetched_bar.volume) * 100000 THEN 'soft'
    ELSE 'pass'
  END AS result
FROM derived_bar FULL JOIN fetched_bar USING (symbol, trading_date, timeframe, opened_at)
