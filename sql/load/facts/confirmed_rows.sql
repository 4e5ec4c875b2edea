-- Imported rows that the service returned with equal values count as rows of the service from now on: no
-- later file may change them. Returns how many.
-- reads: $relation, changed_row, imported_page, received_row
-- writes: confirmed_row

-- grain: one row per key that was imported and that the service returned with equal values
CREATE OR REPLACE TEMP TABLE confirmed_row AS
SELECT $stored_key, received.request_id AS page
FROM $relation stored
JOIN received_row received USING ($key)
ANTI JOIN changed_row match ON $same_key
WHERE stored.trading_date BETWEEN $first_day AND $last_day
  AND stored.request_id IN (SELECT request_id FROM imported_page);

SELECT count(*) AS rows FROM confirmed_row;
