-- grain: one row
-- metric: candlehouse_complete
-- help: 1 if the conclusion of the last run says that the night is complete, else 0.
SELECT CAST(complete AS INTEGER) AS value FROM metrics_conclusion
