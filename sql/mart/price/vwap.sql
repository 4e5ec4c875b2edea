-- grain: one row per symbol and trading_date that has a daily summary
-- What was paid for a share or contract on average in matched trades, from value and volume, beside the
-- service's own average: where the two differ by more than rounding, one of value, volume and average is
-- wrong, or of another time. Value and volume of zero or null give no quotient.
CREATE OR REPLACE VIEW mart.vwap AS
SELECT symbol, trading_date, mart.instrument_kind(symbol, NULL) AS kind,
  total_match, total_match_value, average,
  mart.multiplier(symbol) AS multiplier,
  CASE WHEN total_match > 0 AND total_match_value > 0
    THEN CAST(total_match_value AS DOUBLE) / CAST(total_match AS DOUBLE) / multiplier END AS vwap,
  vwap - CASE WHEN average > 0 THEN CAST(average AS DOUBLE) END AS difference,
  difference / CAST(average AS DOUBLE) AS relative_difference
FROM market.daily_summary;
COMMENT ON VIEW mart.vwap IS
  'One row per symbol and session: the volume-weighted average price of matched trades, computed from value '
  'and volume, beside the one that the service reports. Raw prices, put-through excluded.';
COMMENT ON COLUMN mart.vwap.average IS
  'Average price as the service reports it, VND (futures: index points).';
COMMENT ON COLUMN mart.vwap.vwap IS
  'total_match_value / total_match / multiplier, VND (futures: index points); null where nothing matched, '
  'or value or volume was not reported.';
COMMENT ON COLUMN mart.vwap.difference IS
  'vwap - average, VND (futures: index points); null where either is missing.';
COMMENT ON COLUMN mart.vwap.relative_difference IS 'difference / average, a fraction.';
