-- grain: one row per fetched bar of a full hour, and per 1d bar, of a session to check: a hundredth of all
--   bars shows the step of their figures too. is_new: of the runs being checked (new_bar)
CREATE OR REPLACE TEMP TABLE audit_hourly_bar AS
SELECT trading_date, volume, value, low, high,
  is_of_checked_run(request_id) AS is_new
FROM market.candle
WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
  AND trading_date IN (SELECT trading_date FROM audit_session)
  AND NOT is_derived AND value > 0 AND epoch_us(opened_at) % 3600000000 = 0;
