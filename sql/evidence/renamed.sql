-- grain: one row per symbol that left the lists and session whose daily summary the latest answer omits,
-- while a listed symbol has the same figures: the symbol was renamed
-- reads: evidence_omission, market.daily_summary, market.security
-- writes: renamed
CREATE OR REPLACE TEMP TABLE renamed AS
WITH omitted AS (
  SELECT stored.*, omission.first_as_of < omission.last_as_of AS is_confirmed
  FROM market.daily_summary stored
  JOIN evidence_omission omission
    ON omission.dataset = 'securitiesSummary' AND omission.symbol = stored.symbol
      AND omission.day = stored.trading_date
  WHERE stored.trading_date BETWEEN getvariable('evidence_first') AND getvariable('evidence_last')
    AND stored.total_match > 0
    AND stored.symbol NOT IN (SELECT symbol FROM market.security WHERE is_listed)
)
SELECT omitted.symbol, omitted.trading_date AS day, min(stored.symbol) AS new_symbol,
  bool_and(is_confirmed) AS is_confirmed
FROM omitted
JOIN market.daily_summary stored
  ON stored.trading_date = omitted.trading_date AND stored.symbol <> omitted.symbol
  AND (stored.open, stored.high, stored.low, stored.close, stored.average, stored.total_match,
    stored.total_match_value, stored.total_buy, stored.total_sell, stored.total_deal)
    IS NOT DISTINCT FROM
      (omitted.open, omitted.high, omitted.low, omitted.close, omitted.average, omitted.total_match,
        omitted.total_match_value, omitted.total_buy, omitted.total_sell, omitted.total_deal)
WHERE stored.trading_date BETWEEN getvariable('evidence_first') AND getvariable('evidence_last')
  AND stored.symbol IN (SELECT symbol FROM market.security WHERE is_listed)
GROUP BY ALL;
