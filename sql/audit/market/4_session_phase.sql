-- grain: one row per board and phase of a trading day that is valid on every session to check, in minutes
--   after midnight (UTC+7)
CREATE OR REPLACE TEMP TABLE session_phase AS
SELECT board, phase, CAST(epoch(starts) AS INTEGER) // 60 AS starts,
  CAST(epoch(ends) AS INTEGER) // 60 AS ends
FROM mart.trading_phase
WHERE valid_from <= getvariable('audit_last') AND valid_to >= getvariable('audit_first');
