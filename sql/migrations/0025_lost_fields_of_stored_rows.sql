-- Earlier versions loaded answers without a field as if they were whole: windows of stored rows that lack one are requested
-- again. Bars need every field; daily rows are known by the values that a later answer replaced with null.

CREATE TEMP TABLE found_field AS
WITH lacking_session AS (
  SELECT DISTINCT symbol, timeframe, trading_date FROM market.candle
  WHERE open IS NULL OR high IS NULL OR low IS NULL OR close IS NULL OR volume IS NULL OR value IS NULL
), counted_bar AS (
  SELECT symbol, timeframe, trading_date, count(*) AS records, [
      {'field': 'close', 'nulls': count(*) FILTER (close IS NULL)},
      {'field': 'high', 'nulls': count(*) FILTER (high IS NULL)},
      {'field': 'low', 'nulls': count(*) FILTER (low IS NULL)},
      {'field': 'open', 'nulls': count(*) FILTER (open IS NULL)},
      {'field': 'value', 'nulls': count(*) FILTER (value IS NULL)},
      {'field': 'volume', 'nulls': count(*) FILTER (volume IS NULL)}
    ] AS fields
  FROM market.candle SEMI JOIN lacking_session USING (symbol, timeframe, trading_date)
  GROUP BY ALL
), bar_field AS (
  SELECT symbol, timeframe, trading_date, records, unnest(fields, recursive := true) FROM counted_bar
), latest_change AS (
  SELECT relation, key, "column" AS name, arg_max(new IS NULL AND old IS NOT NULL, observed_at) AS is_lost
  FROM market.revision
  WHERE relation IN ('market.daily_summary', 'market.index_summary', 'market.price_limit') AND "column" <> '*'
  GROUP BY ALL
), lost_value AS (
  SELECT relation, name, key ->> '$.trading_date' AS day,
    coalesce(key ->> '$.symbol', key ->> '$.index_code') AS subject
  FROM latest_change WHERE is_lost
), stored_row AS (
  SELECT 'market.daily_summary' AS relation, symbol AS subject, trading_date FROM market.daily_summary
  UNION ALL SELECT 'market.price_limit', symbol, trading_date FROM market.price_limit
  UNION ALL SELECT 'market.index_summary', index_code, trading_date FROM market.index_summary
), window_row AS (
  SELECT coverage.dataset, coverage.key, coverage.window_from, stored_row.relation, stored_row.subject
  FROM ops.coverage coverage
  JOIN stored_row ON stored_row.trading_date = coverage.window_from
    AND coverage.key IN ('*', stored_row.subject)
    AND stored_row.relation = CASE coverage.dataset WHEN 'securitiesSummary' THEN 'market.daily_summary'
      WHEN 'indexSummary' THEN 'market.index_summary' WHEN 'masterdata' THEN 'market.price_limit' END
  WHERE EXISTS (
    SELECT 1 FROM lost_value WHERE lost_value.relation = stored_row.relation
      AND CAST(lost_value.day AS DATE) = coverage.window_from
  )
), counted_row AS (
  SELECT dataset, key, window_from, count(*) AS records FROM window_row GROUP BY ALL
), counted_value AS (
  SELECT window_row.dataset, window_row.key, window_row.window_from, lost_value.name, count(*) AS nulls
  FROM window_row JOIN lost_value ON lost_value.relation = window_row.relation
    AND lost_value.subject = window_row.subject AND CAST(lost_value.day AS DATE) = window_row.window_from
  GROUP BY ALL
)
SELECT 'ohlc' AS dataset, symbol AS key, timeframe, trading_date AS window_from, field, nulls, records
FROM bar_field WHERE nulls > 0 AND nulls * 3 >= records
UNION ALL
SELECT dataset, key, '', window_from,
  -- the API's spelling: total_match_value is totalMatchValue
  list_reduce(string_split(name, '_'), (left_part, part) -> left_part || upper(part[1]) || part[2:]),
  nulls, records
FROM counted_value JOIN counted_row USING (dataset, key, window_from)
WHERE nulls * 3 >= records AND nulls >= least(3, records);

CREATE TEMP TABLE found_window AS
SELECT dataset, key, timeframe, window_from,
  string_agg('field ' || field || ' is missing in ' || nulls || ' of ' || records || ' records', '; '
    ORDER BY field) AS reason
FROM found_field GROUP BY ALL;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'ops.coverage', strftime(window_from, '%Y-%m')
FROM ops.coverage SEMI JOIN found_window USING (dataset, key, timeframe, window_from)
WHERE state = 'complete';

UPDATE ops.coverage AS coverage
SET state = 'incomplete', reason = found_window.reason, reason_code = 'field_lost'
FROM found_window
WHERE coverage.state = 'complete' AND coverage.dataset = found_window.dataset
  AND coverage.key = found_window.key AND coverage.timeframe = found_window.timeframe
  AND coverage.window_from = found_window.window_from;

DROP TABLE found_window;
DROP TABLE found_field;
