-- Stored values of lost fields stay, row by row: received rows get them where they are empty. Without a
-- stored value the field is null, also where a zero came that cannot be right.
-- reads: $relation, batch_page, lost_field, market.security_daily, variable as_of
-- writes: filled_row, received_row

-- grain: one row per key of the dataset
CREATE OR REPLACE TEMP TABLE filled_row AS
WITH lost AS (
  SELECT walk, day, list(name) AS names, list(name) FILTER (is_zero) AS zeros FROM lost_field GROUP BY ALL
)
SELECT match.* REPLACE ($kept)
FROM received_row match
JOIN batch_page page USING (request_id)
LEFT JOIN lost ON lost.walk = page.walk AND lost.day = $day
LEFT JOIN $relation stored ON $same_key$in_range
-- values of the moment stay only for the day that they are of
LEFT JOIN market.security_daily today
  ON today.symbol = match.$subject AND today.trading_date = getvariable('as_of');

-- grain: one row per key of the dataset
CREATE OR REPLACE TEMP VIEW received_row AS
SELECT * FROM filled_row;
