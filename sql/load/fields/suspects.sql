-- Returns the columns that any received record leaves empty. Most columns of a real answer have a value, or a
-- zero that is true, in every record: nothing more is computed for them
-- reads: received_row
WITH suspect AS (
  SELECT unnest([$suspects], recursive := true) FROM received_row received
)
SELECT name FROM suspect WHERE is_suspect;
