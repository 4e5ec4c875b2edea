-- Symbols that the lists of these days name again, after lists that did not: the days between are weighed too
-- reads: market.security_history, ops.coverage, ops.request
-- writes: evidence_day, returned_symbol

-- grain: one row per symbol and day on which the list of its board did not name it, and dataset that was
--   answered for the whole market: whether that was before the list that names it again. A symbol that comes
--   back after more than ten days, or on another board, was not traded in between (transfers take weeks).
CREATE OR REPLACE TEMP TABLE returned_symbol AS
WITH absence AS (
  SELECT later.symbol, later.valid_from AS back_on, later.request_id, max(former.valid_to) AS left_on
  FROM market.security_history later
  JOIN market.security_history former
    ON former.symbol = later.symbol AND former.board = later.board
      AND former.valid_to BETWEEN later.valid_from - 10 AND later.valid_from
  WHERE later.valid_from IN (FROM evidence_day)
  GROUP BY ALL
  HAVING max(former.valid_to) < later.valid_from
)
SELECT absence.symbol, coverage.dataset, coverage.window_from AS day,
  answer.received_at < list.received_at AS is_older
FROM absence
JOIN ops.request list ON list.request_id = absence.request_id
JOIN ops.coverage coverage
  ON coverage.dataset IN ('securitiesSummary', 'masterdata') AND coverage.key = '*'
    AND coverage.window_from >= absence.left_on AND coverage.window_from < absence.back_on
JOIN ops.request answer ON answer.request_id = coverage.request_id;

INSERT INTO evidence_day
SELECT DISTINCT day FROM returned_symbol ANTI JOIN evidence_day USING (day);
