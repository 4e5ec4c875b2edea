-- grain: one row per fetched bar of 3m to 1h, and per bar that the 1m bars make where that timeframe was fetched
-- rule: 10
-- title: fetched 3m to 1h bars are what the 1m bars make
-- severity: warn
-- about: market
-- needs: 1m bars and a longer timeframe, both fetched and answered whole, of the same symbol and session
-- why: analysts read longer bars derived from 1m; the service's own, fetched for a few symbols a night, are the witness
-- tolerance: prices and volume none; value 1 VND a unit (it was not measured: a flag)
WITH length(timeframe, seconds) AS (
  VALUES ('3m', 180), ('5m', 300), ('15m', 900), ('30m', 1800), ('1h', 3600)
), asked AS (
  SELECT longer.key AS symbol, longer.trading_date, longer.timeframe, length.seconds
  FROM judged_coverage longer
  JOIN length USING (timeframe)
  JOIN judged_coverage minutes
    ON minutes.dataset = 'ohlc' AND minutes.timeframe = '1m' AND minutes.state = 'complete'
    AND minutes.key = longer.key AND minutes.trading_date = longer.trading_date
  WHERE longer.dataset = 'ohlc' AND longer.state = 'complete'
), bar AS (
  SELECT candle.* FROM market.candle candle
  WHERE candle.trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
    AND candle.trading_date IN (SELECT trading_date FROM audited)
    AND candle.symbol IN (SELECT symbol FROM asked)
), made AS (
  SELECT asked.symbol, asked.trading_date, asked.timeframe,
    to_timestamp(epoch_ms(bar.opened_at) // 1000 // asked.seconds * asked.seconds) AS opened_at,
    arg_min(bar.open, bar.opened_at) AS open, max(bar.high) AS high, min(bar.low) AS low,
    arg_max(bar.close, bar.opened_at) AS close, sum(bar.volume) AS volume, sum(bar.value) AS value
  FROM asked JOIN bar ON bar.symbol = asked.symbol AND bar.trading_date = asked.trading_date AND bar.timeframe = '1m'
  GROUP BY ALL
), fetched AS (
  SELECT bar.symbol, bar.trading_date, bar.timeframe, bar.opened_at, bar.open, bar.high, bar.low, bar.close, bar.volume, bar.value
  FROM bar JOIN asked USING (symbol, trading_date, timeframe)
)
SELECT trading_date, 'market' AS subject, 'market.candle' AS relation, bar_key(symbol, timeframe, opened_at) AS key,
  coalesce(nullif(concat_ws(' ', told(made.open), told(made.high), told(made.low), told(made.close), nullif('volume ' || coalesce(CAST(made.volume AS VARCHAR), ''), 'volume ')), ''), 'no bar') AS expected,
  coalesce(nullif(concat_ws(' ', told(fetched.open), told(fetched.high), told(fetched.low), told(fetched.close), nullif('volume ' || coalesce(CAST(fetched.volume AS VARCHAR), ''), 'volume ')), ''), 'no bar') AS actual,
  num(fetched.volume) - num(made.volume) AS residual,
  CASE
    WHEN (made.open, made.high, made.low, made.close, TRY_CAST(made.volume AS BIGINT))
      IS DISTINCT FROM (fetched.open, fetched.high, fetched.low, fetched.close, fetched.volume) THEN 'break'
    WHEN fetched.value > 0 AND abs(num(fetched.value) - num(made.value)) > num(fetched.volume) * 100000 THEN 'soft'
    ELSE 'pass'
  END AS verdict
FROM made FULL JOIN fetched USING (symbol, trading_date, timeframe, opened_at)
