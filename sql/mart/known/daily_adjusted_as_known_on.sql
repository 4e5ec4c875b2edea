-- grain: one row per symbol and trading_date that the warehouse had a daily summary of at the instant
-- instant: a TIMESTAMPTZ, or its text with a zone ('2025-03-14 18:00:00+07'). Prices as they were known then,
-- adjusted by the factors that were known then: what a backtest could have computed.
CREATE OR REPLACE MACRO mart.daily_adjusted_as_known_on(instant) AS TABLE
WITH known AS (
  FROM mart.event_and_gap_as_known_on(instant)
), factor AS (
  SELECT symbol, ex_date,
    coalesce(lead(ex_date) OVER later_events, DATE '1900-01-01') AS applies_from,
    product(factor) OVER later_events AS cumulative_factor
  FROM known WHERE NOT is_gap
  WINDOW later_events AS (PARTITION BY symbol ORDER BY ex_date DESC ROWS UNBOUNDED PRECEDING)
), chain AS (
  SELECT symbol, max(ex_date) AS chain_known_from
  FROM known WHERE is_gap
  GROUP BY symbol
)
SELECT summary.symbol, summary.trading_date,
  coalesce(later.cumulative_factor, 1) AS adjustment_factor,
  CAST(summary.open AS DOUBLE) * adjustment_factor AS open_adjusted,
  CAST(summary.high AS DOUBLE) * adjustment_factor AS high_adjusted,
  CAST(summary.low AS DOUBLE) * adjustment_factor AS low_adjusted,
  CAST(summary.close AS DOUBLE) * adjustment_factor AS close_adjusted,
  CAST(summary.average AS DOUBLE) * adjustment_factor AS average_adjusted,
  CAST(summary.settlement_price AS DOUBLE) * adjustment_factor AS settlement_price_adjusted,
  summary.total_match / adjustment_factor AS total_match_adjusted,
  summary.open, summary.high, summary.low, summary.close, summary.average, summary.settlement_price,
  summary.total_match,
  summary.total_match_value,
  coalesce(summary.trading_date >= chain.chain_known_from, true) AS is_chain_known,
  chain.chain_known_from
FROM mart.daily_summary_as_known_on(instant) summary
LEFT JOIN factor later ON later.symbol = summary.symbol
  AND summary.trading_date >= later.applies_from AND summary.trading_date < later.ex_date
LEFT JOIN chain ON chain.symbol = summary.symbol;
COMMENT ON MACRO TABLE mart.daily_adjusted_as_known_on IS
  'Daily prices and their adjustment as both were known at an instant.';
