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
), common_step AS (
  SELECT trading_date, measure, power(10, quantile_disc(trailing_zeros(figure), 0.02)) AS step
  FROM figure
  WHERE figure > 0
  GROUP BY ALL
  HAVING count(*) >= 20
), session_step AS (
  SELECT trading_date,
    coalesce(max(step) FILTER (measure = 'value'), 1) AS value_step,
    coalesce(max(step) FILTER (measure = 'volume'), 1) AS volume_step,
    coalesce(max(step) FILTER (measure = 'price'), 1) AS price_step
  FROM common_step
  GROUP BY trading_date
)
SELECT audit_session.trading_date,
  CASE WHEN value_step > volume_step * price_step THEN value_step / 2 ELSE 0 END AS bar_value_half
FROM audit_session LEFT JOIN session_step USING (trading_date);
