-- grain: one row per walk and subject of a list: whether an earlier list filled a column, and today's for
-- values that are of the moment
-- reads: $relation, batch_page, market.security_daily, received_row, variable as_of, walk_field
-- writes: earlier_field
CREATE OR REPLACE TEMP TABLE earlier_field AS
SELECT page.walk, received.$subject AS subject, getvariable('as_of') AS day, $had
FROM received_row received
JOIN batch_page page USING (request_id)
JOIN walk_field USING (walk)
JOIN $relation earlier ON earlier.$subject = received.$subject
LEFT JOIN market.security_daily today
  ON today.symbol = received.$subject AND today.trading_date = getvariable('as_of')
GROUP BY ALL;
