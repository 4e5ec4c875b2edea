-- grain: one row
-- metric: candlehouse_rejected_records
-- help: Records that could not be believed and wait in ops.quarantine.
SELECT count(*) AS value FROM ops.quarantine
