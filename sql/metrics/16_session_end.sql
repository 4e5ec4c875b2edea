-- grain: one row per API key with a stored session whose end the service has returned
-- metric: candlehouse_verified_session_expiry_timestamp_seconds
-- help: When the stored session of the key ends unless a run or keepalive refreshes it before.
-- unit: seconds
SELECT key_name AS key, ends_at_ms / 1000 AS value FROM metrics_session WHERE stored ORDER BY key_name
