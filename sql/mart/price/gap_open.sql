-- grain: one row per symbol and trading_date that has a daily summary
-- The opening against the reference price, which is ex-rights already: a corporate action opens no gap. On
-- UPCOM the reference is the average of the session before, not its close. A gap is filled when the session
-- trades back at the reference or beyond it. No gap is reported where nothing matched (open is then a price
-- without a trade), where no reference was reported, and on days whose references are at fault
-- (mart.reference_glitch).
CREATE OR REPLACE VIEW mart.gap_open AS
WITH opening AS (
  SELECT day.symbol, day.trading_date, day.kind, day.open, day.high, day.low, day.close,
    CASE WHEN glitch.trading_date IS NULL AND day.ref_price > 0 THEN day.ref_price END AS ref_price,
    CASE WHEN day.total_match > 0 AND day.open > 0 THEN day.open END AS opened
  FROM mart.daily day
  LEFT JOIN mart.reference_glitch glitch ON glitch.trading_date = day.trading_date
)
SELECT symbol, trading_date, kind, ref_price, open, high, low, close,
  CAST(opened AS DOUBLE) / CAST(ref_price AS DOUBLE) - 1 AS gap,
  CASE
    WHEN opened > ref_price THEN 'up'
    WHEN opened < ref_price THEN 'down'
    WHEN opened = ref_price THEN 'none'
  END AS direction,
  CASE
    WHEN opened > ref_price THEN low <= ref_price
    WHEN opened < ref_price THEN high >= ref_price
  END AS is_filled
FROM opening;
COMMENT ON VIEW mart.gap_open IS
  'One row per symbol and session: where it opened against its reference price, and whether it came back to '
  'it. Raw prices.';
COMMENT ON COLUMN mart.gap_open.ref_price IS
  'Reference price, VND (futures: index points); null where none was reported, or where the references of '
  'that day are at fault.';
COMMENT ON COLUMN mart.gap_open.gap IS
  'open / ref_price - 1, a fraction; null where nothing matched or ref_price is null.';
COMMENT ON COLUMN mart.gap_open.direction IS
  'up, down, or none where it opened at its reference; null as gap.';
COMMENT ON COLUMN mart.gap_open.is_filled IS
  'Whether the session traded at its reference price or beyond: low <= ref_price after a gap up, high >= '
  'ref_price after a gap down; null without a gap.';
