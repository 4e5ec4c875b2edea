-- grain: one row if the service was asked for a trading date and no answer has trades of it, nor of a later
--   session: whether the day is a session is not known yet. No row if nobody asked for its daily summaries,
--   or they are incomplete. A record of an index without trades may come on a closed day too.
-- Bound: the trading date
WITH answer AS (
  SELECT dataset, state, row_count, window_from
  FROM ops.coverage
  WHERE dataset IN ('securitiesSummary', 'masterdata', 'ohlc') AND state <> 'imported'
    AND window_from >= $1::DATE
)
SELECT $1::DATE AS day
FROM answer
HAVING count_if(window_from = $1::DATE AND dataset = 'securitiesSummary' AND state = 'empty') > 0
  AND count_if(window_from = $1::DATE AND row_count > 0) = 0
  AND count_if(window_from > $1::DATE AND dataset = 'securitiesSummary' AND row_count > 0) = 0
  AND NOT EXISTS (FROM market.index_summary WHERE trading_date = $1::DATE AND total_match > 0);
