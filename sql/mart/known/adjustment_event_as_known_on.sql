-- grain: one row per symbol and ex_date of the corporate actions that reference prices showed at the instant
-- instant: a TIMESTAMPTZ, or its text with a zone ('2025-03-14 18:00:00+07'). Vintages of factors: limits and
-- summaries as the warehouse had them then, compared as now. What came later, and what was restated since, is
-- not in it. Coverage has no history: a session that was still incomplete then counts as it does now.
CREATE OR REPLACE MACRO mart.adjustment_event_as_known_on(instant) AS TABLE
WITH bands_then AS (
  FROM mart.price_limit_as_known_on(instant)
), summaries_then AS (
  FROM mart.daily_summary_as_known_on(instant)
)
SELECT symbol, ex_date, basis_date, previous_basis, ref_price, factor, basis_kind
FROM mart.reference_basis('bands_then', 'summaries_then', DATE '1990-01-01', DATE '2199-12-31')
WHERE differs AND NOT market_wide;
COMMENT ON MACRO TABLE mart.adjustment_event_as_known_on IS
  'Corporate actions as reference prices showed them at an instant: what a backtest could have known.';
