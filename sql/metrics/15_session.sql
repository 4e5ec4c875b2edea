-- grain: one row per API key; none for the embedded sandbox
-- metric: candlehouse_verified_session
-- help: 1 if a session that was verified with a one-time password is stored for the key, else 0.
SELECT key_name AS key, CAST(stored AS INTEGER) AS value FROM metrics_session ORDER BY key_name
