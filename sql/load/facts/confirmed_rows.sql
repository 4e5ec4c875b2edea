-- Rows of a file that the service sends alike are the service's from now on: no later file may change them.
-- Returns how many.
-- reads: $relation, changed_row, imported_page, received_row
-- writes: confirmed_row

-- grain: one row per key that a file brought and that the service sent alike
CREATE OR REPLACE TEMP TABLE confirmed_row AS
SELECT $stored_key, received.request_id AS page
FROM $relation stored
JOIN received_row received USING ($key)
ANTI JOIN changed_row match ON $same_key
WHERE stored.trading_date BETWEEN $first_day AND $last_day
  AND stored.request_id IN (SELECT request_id FROM imported_page);

SELECT count(*) AS rows FROM confirmed_row;
