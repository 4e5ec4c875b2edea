-- grain: one row per relation, trading date and rule that keeps the session from readers: severity error,
--   broken, accepted by
-- nobody. Part of other statements: of the gate, of status, of the metrics.
SELECT unnest(string_split(relations, ',')) AS relation, trading_date, rule, title, offenders, since
FROM recon.finding
WHERE severity = 'error' AND state = 'break' AND accepted IS NULL
