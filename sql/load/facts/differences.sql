-- Compares received rows with stored ones. Literal bounds let DuckDB skip row groups of other sessions: the
-- cost follows the window, not what is stored.
-- reads: $relation, imported_page, received_row, session_answer
-- writes: changed_row, inserted_row, withdrawn_row

-- grain: one row per key whose stored values differ from the received ones
CREATE OR REPLACE TEMP TABLE changed_row AS
SELECT $match_key, stored.trading_date AS old_date, match.trading_date AS new_date,
  stored.request_id IN (SELECT request_id FROM imported_page) AS was_imported
FROM received_row match JOIN $relation stored ON $same_key
WHERE stored.trading_date BETWEEN $first_day AND $last_day AND ($differs);

-- grain: one row per key that was not stored
CREATE OR REPLACE TEMP TABLE inserted_row AS
WITH stored AS (
  SELECT $key FROM $relation stored WHERE stored.trading_date BETWEEN $first_day AND $last_day
)
SELECT match.* FROM received_row match ANTI JOIN stored ON $same_key;

-- grain: one row per key that is stored for a session and that a complete answer of the same symbol or index
-- no longer has. Rows that an answer for the whole market does not name stay: sql/load/facts/omissions.sql.
CREATE OR REPLACE TEMP TABLE withdrawn_row AS
SELECT $stored_key, answer.received_at, answer.request_id
FROM $relation stored
JOIN session_answer answer ON $in_scope
ANTI JOIN received_row match ON $same_key
WHERE stored.trading_date BETWEEN $first_day AND $last_day AND answer.state = 'complete'
  AND answer.key <> '*';
