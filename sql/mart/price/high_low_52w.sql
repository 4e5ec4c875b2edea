-- grain: one row per symbol and session with a close
-- Over the session and the 364 days before it, of highest and lowest prices (not closes) of sessions in which
-- something matched, all adjusted. A new high is above every earlier one of these weeks by more than
-- rounding: equal to it is none.
-- From mart.session_factor, which keeps fractions: a later event changes prices adjusted to the latest
-- session, never their proportion.
CREATE OR REPLACE VIEW mart.high_low_52w AS
SELECT factor.symbol, factor.trading_date, mart.instrument_kind(factor.symbol, NULL) AS kind, factor.close,
  CAST(factor.close AS DOUBLE) * coalesce(later.cumulative_factor, 1) AS close_adjusted,
  -- rounding takes off what a quotient adds to a price
  round(close_adjusted / (1 + factor.from_high_52w), 6) AS high_52w_adjusted,
  round(close_adjusted / (1 + factor.from_low_52w), 6) AS low_52w_adjusted,
  factor.from_high_52w AS from_high, factor.from_low_52w AS from_low,
  factor.is_new_high_52w AS is_new_high, factor.is_new_low_52w AS is_new_low,
  factor.sessions_52w AS sessions
FROM mart.session_factor factor
LEFT JOIN mart.adjustment_factor later ON later.symbol = factor.symbol
  AND factor.trading_date >= later.applies_from AND factor.trading_date < later.ex_date
WHERE factor.close IS NOT NULL;
COMMENT ON VIEW mart.high_low_52w IS
  'One row per symbol and session with a close: the highest and lowest adjusted price of the 52 weeks up to '
  'it, and where it closed between them.';
COMMENT ON COLUMN mart.high_low_52w.close_adjusted IS
  'close adjusted for corporate actions (mart.daily_adjusted).';
COMMENT ON COLUMN mart.high_low_52w.high_52w_adjusted IS
  'Highest adjusted price matched in this session and the 364 days before it; null where nothing matched in '
  'them.';
COMMENT ON COLUMN mart.high_low_52w.low_52w_adjusted IS
  'Lowest adjusted price matched, as high_52w_adjusted.';
COMMENT ON COLUMN mart.high_low_52w.from_high IS
  'close_adjusted / high_52w_adjusted - 1, a fraction: 0 at the high, below it otherwise.';
COMMENT ON COLUMN mart.high_low_52w.from_low IS
  'close_adjusted / low_52w_adjusted - 1, a fraction: 0 at the low, above it otherwise.';
COMMENT ON COLUMN mart.high_low_52w.is_new_high IS
  'Whether this session traded above every earlier price of the window; null where it did not trade, or '
  'there is no earlier one.';
COMMENT ON COLUMN mart.high_low_52w.is_new_low IS
  'Whether this session traded below every earlier price of the window; null as is_new_high.';
COMMENT ON COLUMN mart.high_low_52w.sessions IS
  'Sessions of the window that are stored and in which something matched: about 250 in a whole year; with '
  'fewer, the window is not whole.';
