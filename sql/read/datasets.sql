-- grain: one row per dataset and timeframe: its windows by state, and when the first gap among them expires
SELECT dataset, timeframe, min(window_from) AS "from", max(window_to) AS "to", count(DISTINCT key) AS keys,
  count(*) FILTER (WHERE state = 'complete') AS complete,
  count(*) FILTER (WHERE state = 'empty') AS empty,
  count(*) FILTER (WHERE state = 'incomplete') AS incomplete,
  count(*) FILTER (WHERE state = 'refused') AS refused,
  count(*) FILTER (WHERE state = 'imported') AS imported,
  (
    SELECT min(gap.expires_on)
    FROM ($open_gap) gap
    WHERE gap.dataset = coverage.dataset AND gap.timeframe IS NOT DISTINCT FROM coverage.timeframe
  ) AS next_expiry
FROM ops.coverage coverage
GROUP BY dataset, timeframe
ORDER BY min(window_from) IS NULL, dataset, timeframe;
