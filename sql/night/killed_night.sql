-- grain: one row, if the nightly that began last was killed or stopped before it ended: its trading date. A
--   later run has loaded what it landed and marked it; only a replay knows runs that it does not know to have
--   ended, and marks them as done
SELECT CAST(trading_date AS VARCHAR) AS day
FROM ops.run
WHERE job = 'nightly' AND state = 'interrupted'
  AND run_id = (SELECT max(run_id) FROM ops.run WHERE job = 'nightly');
