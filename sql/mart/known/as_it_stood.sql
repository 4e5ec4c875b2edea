-- grain: one row per key of a relation whose row was there at the instant and was changed or withdrawn after
--   it
-- What the *_as_known_on macros rebuild rows from. A column that changed after the instant had the old value
-- of its first change since. A row withdrawn since was what that revision has of the whole row, but for
-- columns that had changed before the withdrawal; what happened to the key after that is of another life.
-- texts: what is known of its columns then: those that changed since; of a row withdrawn since all
-- (is_whole). mart.text_then reads them.
-- known_since of the first revision after the instant shows whether the row was there: it is the receipt of
-- the page that had brought the row as it was. Revisions of before there was that column count as known since
-- ever.
-- request_id: null where no revision names the page that brought the row as it was.
CREATE OR REPLACE MACRO mart.as_it_stood(of_relation, instant) AS TABLE
WITH revision AS (
  SELECT key, "column" AS name, old, observed_at, known_since, request_id
  FROM market.revision
  WHERE relation = of_relation
), first_change AS (
  -- in a struct: arg_min alone passes over what is NULL
  SELECT key, name, arg_min({'old': old, 'since': known_since}, observed_at) AS former_value,
    min(observed_at) AS changed_at
  FROM revision
  WHERE observed_at > CAST(instant AS TIMESTAMPTZ)
  GROUP BY key, name
), ordered_change AS (
  SELECT key, name, former_value, changed_at,
    min(changed_at) OVER (PARTITION BY key) AS next_change_at,
    min(changed_at) FILTER (WHERE name = '*') OVER (PARTITION BY key) AS withdrawn_at
  FROM first_change
), former_row AS (
  SELECT key,
    coalesce(map_from_entries(list({'k': name, 'v': former_value.old}) FILTER (WHERE name <> '*')),
      CAST(MAP {} AS MAP(VARCHAR, VARCHAR))) AS changed,
    any_value(former_value.old) FILTER (WHERE name = '*') AS whole,
    any_value(former_value.since) FILTER (WHERE changed_at = next_change_at) AS known_since,
    any_value(withdrawn_at = next_change_at) AS until_withdrawn
  FROM ordered_change
  WHERE withdrawn_at IS NULL OR changed_at <= withdrawn_at
  GROUP BY key
), source_page AS (
  SELECT key, observed_at, any_value(request_id) AS request_id
  FROM revision WHERE name <> '*'
  GROUP BY key, observed_at
)
SELECT former_row.key, whole IS NOT NULL AS is_whole,
  CASE
    WHEN whole IS NULL THEN changed
    ELSE map_concat(map_from_entries(list_transform(json_keys(whole),
      lambda member: {'k': member, 'v': mart.member_text(whole, member)})), changed)
  END AS texts,
  -- a withdrawal keeps the row with its page and arrival
  CASE
    WHEN until_withdrawn THEN mart.member_text(whole, 'request_id')
    ELSE source_page.request_id
  END AS request_id,
  CASE WHEN until_withdrawn THEN CAST(mart.member_text(whole, 'loaded_at') AS TIMESTAMPTZ)
    ELSE known_since END AS loaded_at
FROM former_row
LEFT JOIN source_page ON source_page.key = former_row.key AND source_page.observed_at = former_row.known_since
WHERE known_since IS NULL OR known_since <= CAST(instant AS TIMESTAMPTZ);
COMMENT ON MACRO TABLE mart.as_it_stood IS
  'Rows of a relation that were changed or withdrawn after an instant, as they stood then: part of the '
  'as_known_on macros.';
