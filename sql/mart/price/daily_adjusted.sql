-- grain: one row per symbol and trading_date that has a daily summary
-- Adjusted to the latest session stored: raw prices times the factors of all later ex-dates, volume divided
-- by them. A cash dividend adjusts volume too, by convention: adjusted price times adjusted volume stays the
-- value that was traded. mart.daily_adjusted_by chooses other events.
CREATE OR REPLACE VIEW mart.daily_adjusted AS
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
FROM market.daily_summary summary
LEFT JOIN mart.adjustment_factor later ON later.symbol = summary.symbol
  AND summary.trading_date >= later.applies_from AND summary.trading_date < later.ex_date
LEFT JOIN mart.chain_known chain ON chain.symbol = summary.symbol;
COMMENT ON VIEW mart.daily_adjusted IS
  'One row per symbol and session: prices adjusted for all corporate actions, cash dividends included '
  '(total return), beside the raw ones; volume adjusted by the same factor.';
COMMENT ON COLUMN mart.daily_adjusted.adjustment_factor IS
  'Product of the factors of all later ex-dates; 1 where there is none.';
COMMENT ON COLUMN mart.daily_adjusted.open_adjusted IS
  'open x adjustment_factor, VND (futures: index points).';
COMMENT ON COLUMN mart.daily_adjusted.average_adjusted IS 'average x adjustment_factor.';
COMMENT ON COLUMN mart.daily_adjusted.settlement_price_adjusted IS
  'settlement_price x adjustment_factor, index points; null for other instruments.';
COMMENT ON COLUMN mart.daily_adjusted.total_match_adjusted IS
  'total_match / adjustment_factor, shares of today.';
COMMENT ON COLUMN mart.daily_adjusted.open IS 'First price matched, raw.';
COMMENT ON COLUMN mart.daily_adjusted.settlement_price IS
  'Settlement price of a future, index points, raw; null for other instruments.';
COMMENT ON COLUMN mart.daily_adjusted.total_match IS 'Matched volume, shares or contracts of that day.';
COMMENT ON COLUMN mart.daily_adjusted.total_match_value IS
  'Matched value, VND: not adjusted, since value is what was paid.';
