-- Returns a row if any row is stored of the keys and sessions of the batch. Mostly none is, and then every
-- row is new
-- reads: $relation, session_answer
SELECT 1
FROM $relation stored JOIN session_answer answer ON $in_scope
WHERE stored.trading_date BETWEEN $first_day AND $last_day
LIMIT 1;
