-- grain: one row per dataset, symbol and day without a row that other answers of the session have. Stored
-- rows that the latest answer omits are evidence themselves while the symbol is listed. A symbol that has
-- left the lists keeps its rows, since a service may serve listed symbols alone; it is named where it was
-- renamed, and on the first night that leaves it out (left_out). What was never stored is judged by evidence
-- of trading: bars; or, in a session whose answer has symbols without trades too, price limits of a few
-- symbols whose candles nobody has requested yet (unasked_symbol). A symbol that lists name again may have
-- been left out of everything while they did not: answers from before are requested once more
-- (returned_symbol).
-- reads: bar_session, evidence_omission, left_out, limit_row, market.security, own_window, renamed
-- reads: returned_symbol, summary_row
-- writes: answered_summary, lacking_symbol, unasked_symbol

-- grain: one row per day with the daily summaries of the whole market: how many, and whether symbols without
--   trades are among them
CREATE OR REPLACE TEMP TABLE answered_summary AS
SELECT summary_row.day, count(*) AS rows, bool_or(coalesce(total_match, 0) = 0) AS has_untraded
FROM summary_row
JOIN own_window answer
  ON answer.dataset = 'securitiesSummary' AND answer.key = '*' AND answer.day = summary_row.day
    AND answer.state = 'complete'
GROUP BY ALL;

-- grain: one row per listed symbol and day with price limits, without a daily summary, whose candles were
-- never requested: few of those of a day, and where candles of the day are requested at all
CREATE OR REPLACE TEMP TABLE unasked_symbol AS
WITH without_summary AS (
  SELECT limit_row.symbol, limit_row.day, answered_summary.rows,
    count(*) OVER (PARTITION BY limit_row.day) AS symbols
  FROM limit_row
  JOIN answered_summary USING (day)
  ANTI JOIN summary_row
    ON summary_row.symbol = limit_row.symbol AND summary_row.day = limit_row.day
  ANTI JOIN evidence_omission omission
    ON omission.dataset = 'securitiesSummary' AND omission.symbol = limit_row.symbol
      AND omission.day = limit_row.day
  WHERE answered_summary.has_untraded
    AND limit_row.symbol IN (SELECT symbol FROM market.security WHERE is_listed)
)
SELECT without_summary.symbol, without_summary.day
FROM without_summary
ANTI JOIN own_window asked
  ON asked.dataset = 'ohlc' AND asked.timeframe = '1m' AND asked.key = without_summary.symbol
    AND asked.day = without_summary.day AND asked.state <> 'unasked'
WHERE symbols <= greatest(3, rows // 50)
  AND (getvariable('candles_follow')
    OR day IN (
      SELECT day FROM own_window WHERE dataset = 'ohlc' AND timeframe = '1m' AND state <> 'unasked'));

CREATE OR REPLACE TEMP TABLE lacking_symbol AS
WITH omitted AS (
  SELECT DISTINCT dataset, symbol, day
  FROM evidence_omission
  WHERE symbol IN (SELECT symbol FROM market.security WHERE is_listed)
)
SELECT dataset, symbol, day, 'stored' AS evidence FROM omitted
UNION ALL
SELECT dataset, symbol, day, 'stored, and left out of the lists too' FROM left_out
UNION ALL
SELECT 'securitiesSummary', symbol, day, 'stored, and as ' || new_symbol || ' with the same figures'
FROM renamed
UNION ALL
SELECT 'securitiesSummary', symbol, day, 'candles'
FROM bar_session
JOIN answered_summary USING (day)
ANTI JOIN summary_row USING (symbol, day)
ANTI JOIN (FROM evidence_omission WHERE dataset = 'securitiesSummary') omission USING (symbol, day)
WHERE symbol IN (SELECT symbol FROM market.security WHERE is_listed)
  AND day NOT IN (SELECT day FROM own_window WHERE key = symbol AND dataset = 'securitiesSummary')
UNION ALL
SELECT 'securitiesSummary', symbol, day, 'price limits, candles not requested yet' FROM unasked_symbol
UNION ALL
SELECT dataset, symbol, day, 'lists name it again'
FROM returned_symbol
ANTI JOIN (
  SELECT 'securitiesSummary' AS dataset, symbol, day FROM summary_row
  UNION ALL SELECT 'masterdata', symbol, day FROM limit_row
) held USING (dataset, symbol, day)
WHERE is_older
UNION ALL
-- by symbol: an answer without its row
SELECT 'securitiesSummary', answer.key, answer.day, 'candles'
FROM own_window answer
JOIN bar_session ON bar_session.symbol = answer.key AND bar_session.day = answer.day
ANTI JOIN evidence_omission omission
  ON omission.dataset = 'securitiesSummary' AND omission.symbol = answer.key AND omission.day = answer.day
WHERE answer.dataset = 'securitiesSummary' AND answer.key <> '*' AND answer.state = 'empty';
