-- grain: one row: what of one stored relation, $relation, was known at $instant, and what was not
-- known: rows whose values of now had arrived. revised: keys that were changed or withdrawn since, which are
-- read as they were. later: rows whose values arrived after the instant, restated ones among them. Sessions
-- are those of the rows known; null for a relation without any ($session is then NULL). withheld: rows of
-- which a later value had arrived that readers do not see, since a broken rule withholds it. $same_key:
-- whether the key of arrived is that of own.
WITH stored AS (
  SELECT loaded_at <= $instant AS is_known, $session AS session
  FROM $relation
), revised AS (
  SELECT count(DISTINCT key) AS keys
  FROM market.revision
  WHERE relation = $name AND observed_at > $instant
    -- one that arrived after the instant, and changed again, was not known
    AND coalesce(known_since <= $instant, true)
), arrived AS (
  SELECT key, max(observed_at) AS arrived_at
  FROM market.revision
  WHERE relation = $name AND observed_at <= $instant
  GROUP BY key
), withheld AS (
  SELECT count(*) AS rows
  FROM $relation own
  JOIN arrived ON $same_key AND own.loaded_at < arrived.arrived_at
)
SELECT CAST(count(*) FILTER (WHERE is_known) AS VARCHAR) AS known,
  CAST(count(*) FILTER (WHERE NOT is_known) AS VARCHAR) AS later,
  CAST((SELECT keys FROM revised) AS VARCHAR) AS revised,
  CAST((SELECT rows FROM withheld) AS VARCHAR) AS withheld,
  CAST(min(session) FILTER (WHERE is_known) AS VARCHAR) AS first_session,
  CAST(max(session) FILTER (WHERE is_known) AS VARCHAR) AS last_session
FROM stored
