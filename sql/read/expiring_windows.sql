-- grain: one row per limit of days within which incomplete windows expire: how many, and the one that expires
--   first; a window counts for its nearest limit
WITH gap AS (
  SELECT dataset, key, timeframe, window_from AS day, expires_on AS "expiresOn",
    (expires_on - DATE $today)::INTEGER AS "inDays"
  FROM ($open_gap)
  WHERE expires_on > DATE $today
), near_gap AS (
  SELECT list_min(list_filter([$limits], lambda days: days >= "inDays")) AS within, * FROM gap
)
SELECT within, (count(*) OVER (PARTITION BY within))::INTEGER AS windows, * EXCLUDE (within)
FROM near_gap
WHERE within IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY within ORDER BY "inDays", dataset, key, timeframe) = 1
ORDER BY within;
