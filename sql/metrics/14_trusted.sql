-- grain: one row
-- metric: candlehouse_trusted
-- help: 1 if the conclusion of the last run says that its data can be trusted, else 0.
SELECT CAST(trusted AS INTEGER) AS value FROM metrics_conclusion
