-- Rows of a user's file are skipped for sessions of which rows of the service are stored. Returns how many.
-- reads: $relation, imported_page, received_row
-- writes: blocking_session

-- grain: one row per subject (and timeframe) and session of the file of which any stored row came with an
-- answer
CREATE OR REPLACE TEMP TABLE blocking_session AS
SELECT DISTINCT $scope
FROM $relation stored SEMI JOIN received_row USING ($scope)
WHERE stored.trading_date BETWEEN $first_day AND $last_day
  AND stored.request_id NOT IN (SELECT request_id FROM imported_page);

SELECT
  (SELECT count(*) FROM received_row SEMI JOIN blocking_session USING ($scope)) AS rows,
  count(*) AS sessions
FROM blocking_session;
