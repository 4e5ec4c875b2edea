-- grain: one row, once something was published
-- metric: candlehouse_publication_timestamp_seconds
-- help: When the catalog that readers see was published.
-- unit: seconds
SELECT max(epoch_ms(published_at)) / 1000 AS value FROM ops.publication HAVING value IS NOT NULL
