-- grain: one row per symbol and ex_date of the corporate actions that reference prices and declarations
--   showed at the instant
-- instant: a TIMESTAMPTZ, or its text with a zone ('2025-03-14 18:00:00+07'). Vintages of factors: limits,
-- summaries and declarations as the warehouse had them then, compared as now. What came later, and what was
-- restated since, is not in it.
CREATE OR REPLACE MACRO mart.adjustment_event_as_known_on(instant) AS TABLE
SELECT * EXCLUDE (is_gap, reason) FROM mart.event_and_gap_as_known_on(instant) WHERE NOT is_gap;
COMMENT ON MACRO TABLE mart.adjustment_event_as_known_on IS
  'Corporate actions as reference prices and declarations showed them at an instant: what a backtest could '
  'have known.';
