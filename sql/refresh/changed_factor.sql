-- grain: one row per session to refresh whose rows differ from those stored
-- Rows are compared by their hash, which is of this database alone and never stored.
WITH stored AS (
  SELECT trading_date, count(*) AS row_count, bit_xor(hash(factor)) AS digest
  FROM (FROM mart.session_factor
    WHERE trading_date IN (SELECT unnest(getvariable('refresh_days')))) factor
  GROUP BY trading_date
), refreshed AS (
  SELECT trading_date, count(*) AS row_count, bit_xor(hash(factor)) AS digest
  FROM (FROM refreshed_factor) factor
  GROUP BY trading_date
)
SELECT trading_date
FROM stored FULL JOIN refreshed USING (trading_date)
WHERE stored.row_count IS DISTINCT FROM refreshed.row_count
  OR stored.digest IS DISTINCT FROM refreshed.digest
