-- grain: one row per dataset, reason code, and whether its incomplete windows are still served and are of the
--   night: how many, of which sessions and keys, and why
WITH dated_gap AS (
  SELECT dataset, key, window_from, expires_on,
    -- the list of accounts is a gap of its own
    CASE WHEN dataset = 'snapshot' AND key[1] = '*' THEN 'account_list' ELSE reason_code END AS reason_code,
    coalesce(reason, state) AS reason,
    timeframe IN ('', '1d') OR window_from >= $served_from AS served,
    CASE WHEN dataset = 'snapshot' THEN window_from = $trading_date
      ELSE window_from BETWEEN $night_from AND $trading_date END AS of_night
  FROM ($open_gap)
)
SELECT dataset, reason_code AS code,
  -- a snapshot names what is missing of each account, other windows their most frequent reason
  CASE WHEN dataset = 'snapshot' THEN array_to_string(list(DISTINCT reason ORDER BY reason)[1:3], '; ')
    ELSE mode(reason) END AS reason,
  count(*) AS windows,
  CAST(min(window_from) AS VARCHAR) AS "from", CAST(max(window_from) AS VARCHAR) AS "to",
  to_json(list(DISTINCT key ORDER BY key)[1:3]) AS keys, count(DISTINCT key) AS "keyCount",
  CAST(min(expires_on) AS VARCHAR) AS "expiresOn", served, of_night AS "ofNight"
FROM dated_gap
-- a window that the service no longer serves is said by the nights in whose sessions it expired
WHERE served OR expires_on >= $night_from
GROUP BY dataset, reason_code, served, of_night
ORDER BY of_night DESC, served DESC, min(expires_on) NULLS LAST, dataset, reason_code;
