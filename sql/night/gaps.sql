-- grain: one row per incomplete window up to a day that no later answer replaces: those that expire first
SELECT dataset, key, timeframe, CAST(window_from AS VARCHAR) AS day, coalesce(reason, state) AS reason,
  CAST(expires_on AS VARCHAR) AS "expiresOn", CAST(expires_on - $today AS DOUBLE) AS "expiresInDays",
  CAST(count(*) OVER () AS DOUBLE) AS gaps
FROM ($open_gap)
WHERE window_from <= $until
ORDER BY expires_on NULLS LAST, window_from DESC, dataset, key, timeframe
LIMIT $most
