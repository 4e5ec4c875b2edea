-- Symbols that the lists of these days name again, after lists that did not; or for the first time, after the
-- first list of their board, although they were traded before it. The days between are weighed too.
-- reads: market.security_history, ops.coverage, ops.request
-- writes: evidence_day, returned_symbol

-- grain: one row per symbol and day, and dataset that was answered for the whole market while the list of its
--   board did not name it: whether that was before the list that names it again. The day may be one before:
--   the night after an outage asks for it. A symbol that comes back after more than ten days, or on another
--   board, was not traded in between (transfers take weeks).
CREATE OR REPLACE TEMP TABLE returned_symbol AS
WITH absence AS (
  SELECT later.symbol, later.board, later.valid_from AS back_on, later.request_id,
    max(former.valid_to) AS left_on, min(former.valid_from) AS began_on
  FROM market.security_history later
  JOIN market.security_history former
    ON former.symbol = later.symbol AND former.board = later.board
      AND former.valid_to BETWEEN later.valid_from - 10 AND later.valid_from
  WHERE later.valid_from IN (FROM evidence_day)
  GROUP BY ALL
  HAVING max(former.valid_to) < later.valid_from
  UNION ALL
  SELECT later.symbol, later.board, later.valid_from, later.request_id, first_list.day,
    later.first_trading_date
  FROM market.security_history later
  JOIN (
    SELECT key AS board, min(window_from) AS day
    FROM ops.coverage WHERE dataset = 'securities' AND state = 'complete'
    GROUP BY ALL
  ) first_list ON first_list.board = upper(later.board)
  WHERE later.valid_from IN (FROM evidence_day)
    AND first_list.day BETWEEN later.valid_from - 10 AND later.valid_from - 1
    AND later.first_trading_date <= first_list.day
    AND NOT EXISTS (
      FROM market.security_history former
      WHERE former.symbol = later.symbol AND former.valid_from < later.valid_from
    )
), dated_absence AS (
  SELECT absence.*, list.received_at AS named_again_at,
    -- a run that was killed may have asked for its sessions before its last list came
    CAST(timezone('UTC', first_list.received_at) + INTERVAL 7 HOUR AS DATE) AS first_unnamed
  FROM absence
  JOIN ops.request list ON list.request_id = absence.request_id
  LEFT JOIN ops.coverage unnamed
    ON unnamed.dataset = 'securities' AND unnamed.key = upper(absence.board)
      AND unnamed.window_from = absence.left_on
  LEFT JOIN ops.request first_list ON first_list.request_id = unnamed.request_id
), market_answer AS (
  -- coverage names the answer that its state is from: an equal one that came later changes nothing there
  SELECT dataset, received_at,
    TRY_CAST(replace(json_extract_string(query, '$.from'), '/', '-') AS DATE) AS first_day,
    TRY_CAST(replace(json_extract_string(query, '$.to'), '/', '-') AS DATE) AS last_day
  FROM ops.request
  WHERE dataset IN ('securitiesSummary', 'masterdata') AND row_count > 0
    AND json_extract_string(query, '$.symbol') IS NULL
    AND json_extract_string(query, '$.index') IS NULL
    AND received_at >= (SELECT min(named_again_at) FROM dated_absence)
)
SELECT absence.symbol, coverage.dataset, coverage.window_from AS day,
  answer.received_at < absence.named_again_at AND NOT EXISTS (
    FROM market_answer later
    WHERE later.dataset = coverage.dataset AND later.received_at >= absence.named_again_at
      AND coverage.window_from BETWEEN later.first_day AND later.last_day
  ) AS is_older
FROM dated_absence absence
JOIN ops.coverage coverage
  ON coverage.dataset IN ('securitiesSummary', 'masterdata') AND coverage.key = '*'
    AND coverage.window_from < absence.back_on
    AND coverage.window_from >= greatest(absence.began_on, absence.left_on - 10)
JOIN ops.request answer ON answer.request_id = coverage.request_id
WHERE coverage.window_from >= absence.left_on
  OR CAST(timezone('UTC', answer.received_at) + INTERVAL 7 HOUR AS DATE) >= absence.first_unnamed;

INSERT INTO evidence_day
SELECT DISTINCT day FROM returned_symbol ANTI JOIN evidence_day USING (day);
