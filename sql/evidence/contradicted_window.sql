-- grain: one row per window that other answers contradict, with the reason: a few symbols by name, the
-- others counted. The candles of a symbol and session that summaries or price limits lack are requested again
-- with them: where they are gone too, the service has withdrawn the session of the symbol.
-- reads: empty_session, evidence_omission, lacking_symbol, own_window, returned_symbol, unasked_symbol
-- reads: unlisted_index
-- writes: contradicted_window
CREATE OR REPLACE TEMP TABLE contradicted_window AS
WITH lacking AS (
  SELECT own_window.dataset, own_window.key, own_window.timeframe, own_window.day,
    lacking_symbol.symbol, min(lacking_symbol.evidence) AS evidence
  FROM lacking_symbol
  JOIN own_window
    ON own_window.dataset = lacking_symbol.dataset AND own_window.day = lacking_symbol.day
      AND own_window.timeframe = '' AND own_window.key IN ('*', lacking_symbol.symbol)
  WHERE own_window.state IN ('complete', 'empty')
  GROUP BY ALL
), lacking_window AS (
  SELECT dataset, key, timeframe, day,
    'lacks ' || array_to_string(list_slice(list_sort(list(symbol || ' (' || evidence || ')')), 1, 3), ', ')
      || CASE WHEN count(*) > 3 THEN ' and ' || (count(*) - 3) || ' more' ELSE '' END AS reason
  FROM lacking
  GROUP BY ALL
), candle_window AS (
  SELECT candles.dataset, candles.key, candles.timeframe, candles.day,
    any_value(CASE
      WHEN omission.symbol IS NOT NULL THEN 'its latest answer has no candles, ' || candles.row_count
        || ' are stored'
      ELSE 'its ' || CASE lacking_symbol.dataset WHEN 'masterdata' THEN 'price limits are'
        ELSE 'daily summary is' END || ' no longer in the answer'
    END ORDER BY lacking_symbol.dataset) AS reason
  FROM own_window candles
  JOIN lacking_symbol ON lacking_symbol.symbol = candles.key AND lacking_symbol.day = candles.day
  LEFT JOIN evidence_omission omission
    ON omission.dataset = 'ohlc' AND omission.symbol = candles.key AND omission.day = candles.day
      AND omission.timeframe = candles.timeframe
  WHERE candles.dataset = 'ohlc' AND candles.state = 'complete'
    AND (omission.symbol IS NOT NULL OR lacking_symbol.evidence LIKE 'stored%')
  GROUP BY ALL
), shortened_list AS (
  SELECT 'indexes' AS dataset, '*' AS key, '' AS timeframe, day,
    'no longer names ' || array_to_string(
      list_slice(list_sort(list(index_code || ' (last named on ' || last_seen || ')')), 1, 3), ', ')
      || CASE WHEN count(*) > 3 THEN ' and ' || (count(*) - 3) || ' more' ELSE '' END AS reason
  FROM unlisted_index
  GROUP BY day
), requested_minutes AS (
  SELECT key AS symbol, day FROM own_window
  WHERE dataset = 'ohlc' AND timeframe = '1m' AND state <> 'unasked'
)
SELECT dataset, key, timeframe, day, any_value(reason ORDER BY reason) AS reason
FROM (
  FROM empty_session UNION ALL FROM lacking_window UNION ALL FROM candle_window
  UNION ALL FROM shortened_list
  UNION ALL
  SELECT 'ohlc', symbol, '1m', day,
    'is listed, but has no daily summary: its candles were not requested yet'
  FROM unasked_symbol
  UNION ALL
  SELECT 'ohlc', symbol, '1m', day, 'lists name it again: its candles were not requested yet'
  FROM returned_symbol
  SEMI JOIN requested_minutes USING (day)
  ANTI JOIN requested_minutes USING (symbol, day)
)
GROUP BY ALL;
