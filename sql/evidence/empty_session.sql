-- grain: one row per window that was answered with nothing although other answers have its session
-- Of daily data, what is not older than 31 days, or than the first session that the service has, is expected.
-- An index may be newer than the session: only its own earlier summaries show that it existed.
-- reads: index_row, limit_row, market.index_member, market.price_limit, market.security, own_window
-- reads: served_from, summary_row
-- writes: empty_session
CREATE OR REPLACE TEMP TABLE empty_session AS
WITH summary_count AS (
  SELECT day, count(*) AS rows, count_if(total_match > 0) AS traded FROM summary_row GROUP BY day
), limit_count AS (
  SELECT day, count(*) AS rows FROM limit_row GROUP BY day
), index_count AS (
  SELECT day, count_if(total_match > 0) AS traded FROM index_row GROUP BY day
), empty_window AS (
  SELECT own_window.*, served_from.first_day <= own_window.day AS is_within,
    own_window.day >= served_from.newest_day - 31 AS is_recent
  FROM own_window
  LEFT JOIN served_from
    ON served_from.dataset = own_window.dataset AND served_from.timeframe = own_window.timeframe
      AND served_from.key = CASE WHEN own_window.dataset = 'indexSummary' THEN own_window.key ELSE '*' END
  WHERE own_window.state = 'empty'
), member_traded AS (
  SELECT DISTINCT member.index_code, summary_row.day
  FROM market.index_member member JOIN summary_row USING (symbol)
  WHERE summary_row.total_match > 0
)
SELECT gap.dataset, gap.key, gap.timeframe, gap.day,
  'no daily summaries, although ' || concat_ws(' and ',
    nullif(coalesce(index_count.traded, 0), 0) || ' indexes', limit_count.rows || ' price limits')
    || ' have the session' AS reason
FROM empty_window gap
LEFT JOIN summary_count USING (day)
LEFT JOIN limit_count USING (day)
LEFT JOIN index_count USING (day)
WHERE gap.dataset = 'securitiesSummary' AND gap.key = '*' AND (gap.is_within OR gap.is_recent)
  AND summary_count.rows IS NULL AND (limit_count.rows > 0 OR index_count.traded > 0)
UNION ALL
SELECT gap.dataset, gap.key, gap.timeframe, gap.day,
  'no price limits, although ' || summary_count.traded || ' symbols traded'
FROM empty_window gap JOIN summary_count USING (day)
WHERE gap.dataset = 'masterdata' AND (gap.is_within OR gap.is_recent) AND summary_count.traded > 0
UNION ALL
SELECT gap.dataset, gap.key, gap.timeframe, gap.day,
  'no summary of the index, although its members traded and ' || index_count.traded
    || ' other indexes have the session'
FROM empty_window gap
JOIN index_count USING (day)
JOIN member_traded ON member_traded.index_code = gap.key AND member_traded.day = gap.day
WHERE gap.dataset = 'indexSummary' AND gap.is_within AND index_count.traded > 0
UNION ALL
SELECT gap.dataset, gap.key, gap.timeframe, gap.day,
  'no candles, although its daily summary has ' || summary_row.total_match || ' matched'
FROM empty_window gap
JOIN summary_row ON summary_row.symbol = gap.key AND summary_row.day = gap.day
WHERE gap.dataset = 'ohlc' AND (gap.is_within OR gap.is_recent) AND summary_row.total_match > 0
UNION ALL
SELECT gap.dataset, gap.key, gap.timeframe, gap.day,
  'names no security, although ' || count(DISTINCT band.symbol) || ' symbols of the board have price limits'
FROM empty_window gap
JOIN market.price_limit band
  ON band.trading_date BETWEEN gap.day - 10 AND gap.day AND upper(band.exchange) = gap.key
WHERE gap.dataset = 'securities'
  AND band.trading_date BETWEEN getvariable('evidence_first') - 10 AND getvariable('evidence_last')
GROUP BY ALL
UNION ALL
SELECT gap.dataset, gap.key, gap.timeframe, gap.day, 'names no index, although securities are listed'
FROM empty_window gap
WHERE gap.dataset = 'indexes' AND EXISTS (FROM market.security WHERE is_listed);
