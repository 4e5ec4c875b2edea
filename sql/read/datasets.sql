-- grain: one row per dataset and timeframe: its windows by state, and when the first gap among them expires
SELECT dataset, timeframe, min(window_from) AS "from", max(window_to) AS "to",
  count(DISTINCT key)::INTEGER AS keys,
  (count(*) FILTER (WHERE state = 'complete'))::INTEGER AS complete,
  (count(*) FILTER (WHERE state = 'empty'))::INTEGER AS empty,
  (count(*) FILTER (WHERE state = 'incomplete'))::INTEGER AS incomplete,
  (count(*) FILTER (WHERE state = 'refused'))::INTEGER AS refused,
  (count(*) FILTER (WHERE state = 'imported'))::INTEGER AS imported,
  (
    SELECT min(gap.expires_on)
    FROM ($open_gap) gap
    WHERE gap.dataset = coverage.dataset AND gap.timeframe IS NOT DISTINCT FROM coverage.timeframe
  ) AS "nextExpiry"
FROM ops.coverage coverage
GROUP BY dataset, timeframe
ORDER BY min(window_from) IS NULL, dataset, timeframe;
