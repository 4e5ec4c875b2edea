-- grain: one row per symbol and ex_date of the corporate actions that reference prices and declarations
--   showed at the instant
-- instant: a TIMESTAMPTZ, or its text with a zone ('2025-03-14 18:00:00+07'). Vintages of factors: limits,
-- summaries and declarations as the warehouse had them then, compared as now. What came later, and what was
-- restated since, is not in it. Coverage has no history: a session that was still incomplete then counts as
-- it does now.
CREATE OR REPLACE MACRO mart.adjustment_event_as_known_on(instant) AS TABLE
WITH bands_then AS (
  FROM mart.price_limit_as_known_on(instant)
), summaries_then AS (
  FROM mart.daily_summary_as_known_on(instant)
), actions_then AS (
  FROM mart.corporate_action_as_known_on(instant)
), breaks_then AS (
  FROM mart.reference_break('bands_then', 'summaries_then', DATE '1990-01-01', DATE '2199-12-31')
)
FROM mart.corporate_event('breaks_then', 'summaries_then', 'actions_then', DATE '1990-01-01',
  DATE '2199-12-31');
COMMENT ON MACRO TABLE mart.adjustment_event_as_known_on IS
  'Corporate actions as reference prices and declarations showed them at an instant: what a backtest could '
  'have known.';
