-- grain: one row per incomplete window that no later answer replaces: lists and snapshots are of their
--   moment, so that a later list of the same key, and a later snapshot of the same API key, takes the place
--   of an incomplete one; and nothing replaces what an index has no longer since it left. Of such an index,
--   sessions of which its summary is stored are no gap either. Other statements include this one: repair,
--   status, metrics, report, conclusion.
-- A catalog that an earlier version published has no column key_name: its rows are of the only key there was.
-- Nor has it last_seen and left_on: every index counts as listed.
WITH snapshot AS (
  SELECT NULL::VARCHAR AS key_name, NULL::VARCHAR AS account_no, NULL::DATE AS as_of LIMIT 0
), listing AS (
  SELECT NULL::VARCHAR AS index_code, NULL::DATE AS last_seen, NULL::DATE AS left_on LIMIT 0
), gone_index AS (
  SELECT index_code, last_seen
  FROM (SELECT * FROM listing UNION ALL BY NAME SELECT * FROM market.market_index)
  WHERE left_on IS NOT NULL
), key_snapshot AS (
  SELECT DISTINCT coalesce(key_name, 'default') AS key_name, account_no, as_of
  FROM (SELECT * FROM snapshot UNION ALL BY NAME SELECT * FROM account.snapshot)
  WHERE account_no <> '*'
), latest_snapshot AS (
  -- whether a later one exists: pairs of all evenings of a key grow with the square of the years
  SELECT key_name, max(as_of) AS as_of FROM key_snapshot GROUP BY key_name
), incomplete_window AS (
  SELECT *, CASE WHEN dataset = 'snapshot' AND key[1] = '*' THEN coalesce(nullif(key[3:], ''), 'default') END
    AS listing_key
  FROM ops.coverage
  WHERE state = 'incomplete'
), replaced_snapshot AS (
  SELECT DISTINCT gap.key, gap.window_from
  FROM incomplete_window gap
  JOIN key_snapshot same ON same.account_no = gap.key AND same.as_of = gap.window_from
  JOIN latest_snapshot later ON later.key_name = same.key_name AND later.as_of > gap.window_from
  WHERE dataset = 'snapshot'
  UNION
  -- the list of accounts itself failed, and its accounts may have been read without it: one of the same day
  -- that is whole deletes the gap
  SELECT DISTINCT gap.key, gap.window_from
  FROM incomplete_window gap
  JOIN latest_snapshot later ON later.key_name = gap.listing_key AND later.as_of > gap.window_from
), gone_window AS (
  SELECT gap.dataset, gap.key, gap.window_from
  FROM incomplete_window gap
  JOIN gone_index gone ON gone.index_code = gap.key
  LEFT JOIN market.index_summary stored
    ON stored.index_code = gap.key AND stored.trading_date = gap.window_from
  WHERE gap.dataset = 'indexMembers'
    OR gap.dataset = 'indexSummary' AND (gap.window_from > gone.last_seen OR stored.index_code IS NOT NULL)
)
SELECT gap.* EXCLUDE (listing_key)
FROM incomplete_window gap
WHERE NOT (
    dataset IN ('securities', 'indexes', 'indexMembers', 'snapshot')
    AND EXISTS (
      SELECT 1 FROM ops.coverage later
      WHERE later.dataset = gap.dataset AND later.key = gap.key AND later.window_from > gap.window_from
    )
  )
  AND NOT (dataset = 'snapshot' AND (key, window_from) IN (FROM replaced_snapshot))
  AND (dataset, key, window_from) NOT IN (FROM gone_window)
