-- Decides which fields are lost: a large part of the records that should fill one does not, or no record
-- has it although an earlier answer filled it, or the number of any record has binary noise.
-- reads: batch_page, earlier_field, noisy_value, received_row, walk_field
-- writes: field_count, lost_field, lost_session

-- grain: one row per walk, session and suspect column: how many records there are, how many of them should
-- fill it and are null, how many of them cannot be zero and are, and how many have binary noise
CREATE OR REPLACE TEMP TABLE field_count AS
WITH received AS (
  SELECT page.walk, $day AS day, received_row.*
  FROM received_row JOIN batch_page page USING (request_id) JOIN walk_field USING (walk)
), counted AS (
  SELECT received.walk, received.day, count(*) AS records, [$counts] AS fields
  FROM received
  LEFT JOIN earlier_field earlier
    ON earlier.walk = received.walk AND earlier.subject = received.$subject AND earlier.day = received.day
  GROUP BY ALL
), field AS (
  SELECT walk, day, records, unnest(fields, recursive := true) FROM counted
), noisy_count AS (
  SELECT walk, day, name, count(*) AS noisy
  FROM noisy_value JOIN received USING (request_id, ordinal) GROUP BY ALL
)
SELECT field.*, coalesce(noisy, 0) AS noisy
FROM field LEFT JOIN noisy_count USING (walk, day, name);

-- grain: one row per walk, session and column that is lost; a zero that cannot be right counts as empty only
-- where is_zero
CREATE OR REPLACE TEMP TABLE lost_field AS
WITH pooled AS (
  SELECT *,
    lacking > 0 AND sum(lacking) OVER answer >= $lost_share * sum(expected) OVER answer
      AND sum(lacking) OVER answer >= least($fewest_records, sum(records) OVER answer) AS is_missing,
    false_zeros > 0 AND sum(false_zeros) OVER answer >= $lost_share * sum(non_zero) OVER answer
      AND (sum(false_zeros) OVER answer >= $fewest_records
        OR sum(certain_zeros) OVER answer >= least($fewest_records, sum(records) OVER answer)) AS is_zero,
    -- boards that never filled a field say nothing of one that other boards still fill
    nulls = records AND (proven > 0
      OR sum(proven) OVER answer > 0 AND sum(nulls) OVER answer = sum(records) OVER answer) AS is_empty
  FROM field_count
  WINDOW answer AS (PARTITION BY $answer, name)
), decided AS (
  SELECT pooled.*,
    -- the unknown field whose name is most like it
    list_filter(walk_field.unknown, lambda name:
      jaro_winkler_similarity(lower(replace(name, '_', '')), lower(pooled.field)) > 0.85)[1] AS instead
  FROM pooled JOIN walk_field USING (walk)
  WHERE is_missing OR is_zero OR noisy > 0
    OR (is_empty AND list_contains(walk_field.absent, pooled.field))
)
SELECT walk, day, name, is_zero,
  'field ' || field || CASE
      WHEN noisy > 0 THEN ' has binary noise in ' || noisy
      WHEN is_missing OR nulls = records THEN ' is missing in ' || nulls
      ELSE ' is zero in ' || zeros
    END
    || ' of ' || records || ' records'
    || coalesce(' (unknown field ' || instead || ' came instead)', '') AS reason
FROM decided;

-- grain: one row per walk and session with a lost field
CREATE OR REPLACE TEMP TABLE lost_session AS
WITH ranked AS (
  SELECT *, row_number() OVER (PARTITION BY walk, day ORDER BY name) AS rank,
    count(*) OVER (PARTITION BY walk, day) AS fields
  FROM lost_field
)
SELECT walk, day,
  string_agg(reason, '; ' ORDER BY rank) FILTER (rank <= 3)
    || CASE WHEN any_value(fields) > 3 THEN '; and ' || any_value(fields) - 3 || ' more fields' ELSE '' END
    AS reason
FROM ranked GROUP BY ALL;

SELECT count(*) AS fields FROM lost_field;
