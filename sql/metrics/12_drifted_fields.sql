-- grain: one row per dataset and kind of difference. View metrics_drift
-- metric: candlehouse_drifted_fields
-- help: Fields of the latest answers that only the answers (unknown) or only the specification (absent) has.
SELECT dataset, kind, count(*) AS value FROM metrics_drift GROUP BY ALL ORDER BY ALL
