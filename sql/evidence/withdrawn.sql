-- grain: one row per dataset, symbol, timeframe and session whose rows are withdrawn. A listed symbol: where
-- the latest summaries, price limits and candles all omit what is stored of a session, on two trading dates.
-- One night's fault may hit all of them. A renamed symbol: on two trading dates, all that is stored under
-- both names. A name that no list ever had, and that is a listed symbol but for case and blanks: as soon as
-- the session's rows are there under the listed name. Rows of any other symbol that left the lists stay.
-- reads: bar_session, evidence_omission, limit_row, market.security, own_window, renamed, summary_row
-- writes: withdrawn_session
CREATE OR REPLACE TEMP TABLE withdrawn_session AS
WITH gone AS (
  SELECT omission.symbol, omission.day
  FROM evidence_omission omission
  ANTI JOIN summary_row USING (symbol, day)
  ANTI JOIN limit_row USING (symbol, day)
  ANTI JOIN bar_session USING (symbol, day)
  WHERE omission.symbol IN (SELECT symbol FROM market.security WHERE is_listed)
  GROUP BY ALL
  HAVING bool_and(omission.first_as_of < omission.last_as_of)
), misspelled AS (
  SELECT omission.*
  FROM evidence_omission omission
  JOIN market.security listed ON upper(trim(omission.symbol)) = listed.symbol AND listed.is_listed
  JOIN (
    SELECT 'securitiesSummary' AS dataset, symbol, day FROM summary_row
    UNION ALL SELECT 'masterdata', symbol, day FROM limit_row
  ) held ON held.dataset = omission.dataset AND held.symbol = listed.symbol AND held.day = omission.day
  WHERE omission.symbol NOT IN (SELECT symbol FROM market.security)
), under_new_name AS (
  SELECT renamed.symbol, renamed.day, new_symbol
  FROM renamed WHERE is_confirmed
)
SELECT dataset, symbol, timeframe, day, request_id, received_at
FROM evidence_omission JOIN gone USING (symbol, day)
UNION ALL
SELECT dataset, symbol, timeframe, day, request_id, received_at FROM misspelled
UNION ALL
SELECT omission.dataset, omission.symbol, omission.timeframe, omission.day, omission.request_id,
  omission.received_at
FROM evidence_omission omission JOIN under_new_name USING (symbol, day)
WHERE omission.dataset <> 'ohlc'
UNION ALL
SELECT 'ohlc', former.key, former.timeframe, former.day, omission.request_id, omission.received_at
FROM under_new_name
JOIN own_window former
  ON former.dataset = 'ohlc' AND former.key = under_new_name.symbol AND former.day = under_new_name.day
JOIN own_window later
  ON later.dataset = 'ohlc' AND later.key = under_new_name.new_symbol AND later.day = former.day
    AND later.timeframe = former.timeframe AND later.state = 'complete'
    AND later.row_count = former.row_count
JOIN evidence_omission omission
  ON omission.dataset = 'securitiesSummary' AND omission.symbol = under_new_name.symbol
    AND omission.day = under_new_name.day
WHERE former.state = 'complete' AND former.row_count > 0;

SELECT count(*) AS rows FROM withdrawn_session;
