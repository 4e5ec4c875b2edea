-- grain: one row per symbol and trading_date that the warehouse had a daily summary of at the instant
-- instant: a TIMESTAMPTZ, or its text with a zone ('2025-03-14 18:00:00+07'). Prices as they were known then,
-- adjusted by the factors that were known then: what a backtest could have computed.
CREATE OR REPLACE MACRO mart.daily_adjusted_as_known_on(instant) AS TABLE
WITH factor AS (
  SELECT symbol, ex_date,
    product(factor) OVER (PARTITION BY symbol
      ORDER BY ex_date DESC ROWS UNBOUNDED PRECEDING) AS cumulative_factor
  FROM mart.adjustment_event_as_known_on(instant)
)
SELECT summary.symbol, summary.trading_date,
  coalesce(later.cumulative_factor, 1) AS adjustment_factor,
  CAST(summary.open AS DOUBLE) * adjustment_factor AS open_adjusted,
  CAST(summary.high AS DOUBLE) * adjustment_factor AS high_adjusted,
  CAST(summary.low AS DOUBLE) * adjustment_factor AS low_adjusted,
  CAST(summary.close AS DOUBLE) * adjustment_factor AS close_adjusted,
  summary.total_match / adjustment_factor AS total_match_adjusted,
  summary.open, summary.high, summary.low, summary.close, summary.total_match
FROM mart.daily_summary_as_known_on(instant) summary
ASOF LEFT JOIN factor later ON later.symbol = summary.symbol AND summary.trading_date < later.ex_date;
COMMENT ON MACRO TABLE mart.daily_adjusted_as_known_on IS
  'Daily prices and their adjustment as both were known at an instant.';
