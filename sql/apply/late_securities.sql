-- Security lists of a day before the latest one applied → the validity history, where they take their place
-- among the others: a list counts from its day to the next list, in whatever order lists come.
-- market.security stays as the latest lists have it, but for symbols that had left by then. Returns how many
-- securities changed.
-- reads: market.security, market.security_history, ops.coverage, received_row, variable all_boards
-- reads: variable as_of, variable next_list_day
-- writes: closed_history, listed_security, market.security, market.security_history, next_security
-- writes: opened_security, ops.dirty_partition, variable next_list_day

-- the next lists of all boards: only where all are complete does absence mean delisted
SET VARIABLE next_list_day = (
  SELECT min(window_from) FROM (
    SELECT window_from FROM ops.coverage
    WHERE dataset = 'securities' AND state = 'complete' AND window_from > getvariable('as_of')
      AND list_contains($boards, key)
    GROUP BY window_from HAVING count(*) = len($boards)
  )
);

-- grain: one row per security that the lists name
CREATE OR REPLACE TEMP TABLE listed_security AS
SELECT * EXCLUDE (ordinal, reason, payload, received_at), received_at AS loaded_at FROM received_row;

-- grain: one row per validity of this day that the lists contradict: other attributes, or no list names the
-- symbol
CREATE OR REPLACE TEMP TABLE closed_history AS
SELECT history.*
FROM market.security_history history
LEFT JOIN listed_security listed USING (symbol)
WHERE history.valid_from <= getvariable('as_of') AND coalesce(history.valid_to > getvariable('as_of'), true)
  AND CASE WHEN listed.symbol IS NULL THEN getvariable('all_boards')
    ELSE $listed_attributes IS DISTINCT FROM $history_attributes
  END;

-- it closes on this day, and goes on with the next list
DELETE FROM market.security_history AS history USING closed_history closed
WHERE history.symbol = closed.symbol AND history.valid_from = closed.valid_from;
INSERT INTO market.security_history BY NAME
SELECT * REPLACE (getvariable('as_of') AS valid_to) FROM closed_history
WHERE valid_from < getvariable('as_of')
UNION ALL BY NAME
SELECT * REPLACE (getvariable('next_list_day') AS valid_from) FROM closed_history
WHERE coalesce(valid_to > getvariable('next_list_day'), true);

-- the figures of a validity are those of its last list
UPDATE market.security_history AS history
SET i_index = listed.i_index, i_nav = listed.i_nav, open_interest = listed.open_interest,
    settlement_price = listed.settlement_price, request_id = listed.request_id, loaded_at = listed.loaded_at
FROM listed_security listed
WHERE history.symbol = listed.symbol AND history.valid_from <= getvariable('as_of')
  AND history.valid_to = getvariable('next_list_day')
  AND (history.i_index, history.i_nav, history.open_interest, history.settlement_price)
    IS DISTINCT FROM (listed.i_index, listed.i_nav, listed.open_interest, listed.settlement_price);

-- grain: one row per security without a validity on this day, with its validity from the next list on where
-- that list has the same attributes
CREATE OR REPLACE TEMP TABLE opened_security AS
WITH next_validity AS (
  SELECT symbol, min(valid_from) AS day FROM market.security_history
  WHERE valid_from > getvariable('as_of') GROUP BY symbol
)
SELECT listed.*, least(next_validity.day, getvariable('next_list_day')) AS next_day,
  later.symbol IS NOT NULL AS begins_earlier
FROM listed_security listed
LEFT JOIN next_validity ON next_validity.symbol = listed.symbol
LEFT JOIN market.security_history later
  ON later.symbol = listed.symbol AND later.valid_from = next_validity.day
    AND coalesce(next_validity.day <= getvariable('next_list_day'), true)
    AND $listed_attributes IS NOT DISTINCT FROM $later_attributes
WHERE NOT EXISTS (
  SELECT 1 FROM market.security_history history
  WHERE history.symbol = listed.symbol AND history.valid_from <= getvariable('as_of')
    AND coalesce(history.valid_to > getvariable('as_of'), true)
);

UPDATE market.security_history AS history SET valid_from = getvariable('as_of')
FROM opened_security opened
WHERE opened.begins_earlier AND history.symbol = opened.symbol
  AND history.valid_from = opened.next_day;
INSERT INTO market.security_history BY NAME
SELECT * EXCLUDE (begins_earlier, next_day), getvariable('as_of') AS valid_from, next_day AS valid_to
FROM opened_security WHERE NOT begins_earlier;

-- grain: one row per security that had left by the latest lists: it is known as the last list that named it
-- had it
CREATE OR REPLACE TEMP TABLE next_security AS
SELECT listed.*, coalesce(stored.first_seen, getvariable('as_of')) AS first_seen,
  getvariable('as_of') AS last_seen, false AS is_listed
FROM listed_security listed LEFT JOIN market.security stored USING (symbol)
WHERE coalesce(stored.last_seen < getvariable('as_of') AND NOT stored.is_listed, true);
DELETE FROM market.security WHERE symbol IN (SELECT symbol FROM next_security);
INSERT INTO market.security BY NAME SELECT * FROM next_security;
UPDATE market.security SET first_seen = getvariable('as_of')
WHERE first_seen > getvariable('as_of') AND symbol IN (SELECT symbol FROM listed_security);

INSERT INTO ops.dirty_partition
SELECT unnest(['market.security', 'market.security_history']), 'all';

SELECT (SELECT count(*) FROM closed_history) + (SELECT count(*) FROM opened_security) AS rows;
