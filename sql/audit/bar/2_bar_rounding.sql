-- grain: one row per session to check: half of the step to which its source rounds values of bars (VND); 0
--   where it does not round them. Measured as audit_rounding. Variable audit_before: as it was before the
--   runs being checked
CREATE OR REPLACE TEMP TABLE audit_bar_rounding AS
WITH hourly_bar AS (
  FROM audit_hourly_bar WHERE NOT is_new OR NOT coalesce(getvariable('audit_before'), false)
), figure AS (
  SELECT trading_date, 'value' AS measure, value AS figure FROM hourly_bar
  UNION ALL
  SELECT trading_date, 'volume', volume FROM hourly_bar
  UNION ALL
  SELECT trading_date, 'price', unnest([low, high]) FROM hourly_bar
), session_step AS (
  FROM session_steps('figure')
)
SELECT audit_session.trading_date,
  CASE WHEN value_step > volume_step * price_step THEN value_step / 2 ELSE 0 END AS bar_value_half
FROM audit_session LEFT JOIN session_step USING (trading_date);
