-- Returns a row where anything is stored of the keys and sessions answered; mostly not, and then every row is
-- new
-- reads: $relation, session_answer
SELECT 1
FROM $relation stored JOIN session_answer answer ON $in_scope
WHERE stored.trading_date BETWEEN $first_day AND $last_day
LIMIT 1;
