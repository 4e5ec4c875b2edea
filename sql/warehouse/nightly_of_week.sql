-- grain: one row per nightly of the week of a trading date, up to that date, other than the run itself
-- Bound: trading date, id of the run
SELECT run_id
FROM ops.run
WHERE job = 'nightly' AND run_id <> $2
  AND trading_date BETWEEN date_trunc('week', $1::DATE) AND $1::DATE;
