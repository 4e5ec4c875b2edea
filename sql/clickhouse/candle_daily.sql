-- grain: one row per symbol and session with matched volume, derived from its daily summary
UNION ALL
SELECT summary.symbol AS symbol, '1d' AS timeframe,
  fromUnixTimestamp64Micro((toInt64(toInt32(assumeNotNull(summary.trading_date))) * 86400 - 25200) * 1000000,
    'UTC') AS opened_at,
  summary.trading_date AS trading_date, summary.open AS open, summary.high AS high, summary.low AS low,
  summary.close AS close, summary.total_match AS volume,
  accurateCastOrNull(round(summary.total_match_value, 2), 'Decimal(18, 2)') AS value, true AS is_derived
FROM market.daily_summary AS summary
WHERE summary.total_match > 0
  AND (summary.symbol, summary.trading_date) NOT IN (
    SELECT symbol, trading_date FROM market.candle WHERE timeframe = '1d')
  AND summary.trading_date NOT IN (
    SELECT trading_date FROM recon.finding
    WHERE severity = 'error' AND state = 'break' AND accepted IS NULL
      AND position(relations, 'market.candle') > 0
      AND (rule, subject, trading_date) NOT IN (
        SELECT rule, subject, trading_date FROM recon.offender
        WHERE relation = 'market.candle' AND withheld_key IS NOT NULL
        GROUP BY rule, subject, trading_date
        HAVING countIf(withheld_key = '*') = 0))
  AND (summary.symbol, summary.trading_date) NOT IN (
    SELECT withheld_key, trading_date FROM recon.offender
    WHERE relation = 'market.candle' AND withheld_key IS NOT NULL
      AND (rule, subject, trading_date) IN (
        SELECT rule, subject, trading_date FROM recon.finding
        WHERE severity = 'error' AND state = 'break' AND accepted IS NULL))
