-- grain: one row per dataset, symbol and day without a row that other answers of the session have. Stored
-- rows that the latest answer omits are evidence themselves while the symbol is listed. A symbol that has
-- left the lists keeps its rows, since a service may serve listed symbols alone; it is named where it was
-- renamed, and on the first night that leaves it out (omitted_symbol). What was never stored is judged by
-- evidence of trading: bars; or by symbols whose candles nobody has requested yet (unasked_symbol). A symbol
-- that lists name again may have been left out of everything while they did not: answers from before are
-- requested once more (returned_symbol).
-- reads: answered_summary, bar_session, evidence_omission, omitted_symbol, limit_row, market.price_limit
-- reads: market.security, own_window, renamed, returned_symbol, summary_row, unasked_symbol
-- writes: lacking_symbol
CREATE OR REPLACE TEMP TABLE lacking_symbol AS
WITH omitted AS (
  SELECT DISTINCT dataset, symbol, day
  FROM evidence_omission
  WHERE symbol IN (SELECT symbol FROM market.security WHERE is_listed)
)
SELECT dataset, symbol, day, 'stored' AS evidence FROM omitted
UNION ALL
SELECT dataset, symbol, day, 'stored, and left out of the lists too' FROM omitted_symbol
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
SELECT 'masterdata', bar_session.symbol, bar_session.day, 'candles'
FROM bar_session
JOIN own_window answer
  ON answer.dataset = 'masterdata' AND answer.key = '*' AND answer.day = bar_session.day
    AND answer.state = 'complete'
ANTI JOIN limit_row ON limit_row.symbol = bar_session.symbol AND limit_row.day = bar_session.day
ANTI JOIN evidence_omission omission
  ON omission.dataset = 'masterdata' AND omission.symbol = bar_session.symbol
    AND omission.day = bar_session.day
SEMI JOIN market.price_limit earlier
  ON earlier.symbol = bar_session.symbol AND earlier.trading_date < bar_session.day
    AND earlier.trading_date >= bar_session.day - 10
WHERE bar_session.symbol IN (SELECT symbol FROM market.security WHERE is_listed)
UNION ALL
SELECT 'securitiesSummary', symbol, day, 'listed, candles not requested yet' FROM unasked_symbol
UNION ALL
SELECT dataset, symbol, day, 'lists name it again'
FROM returned_symbol
ANTI JOIN (
  SELECT 'securitiesSummary' AS dataset, symbol, day FROM summary_row
  UNION ALL SELECT 'masterdata', symbol, day FROM limit_row
) held USING (dataset, symbol, day)
WHERE is_older
UNION ALL
-- by symbol: an answer without its row, which no other answer has brought since
SELECT 'securitiesSummary', answer.key, answer.day, 'candles'
FROM own_window answer
JOIN bar_session ON bar_session.symbol = answer.key AND bar_session.day = answer.day
ANTI JOIN summary_row ON summary_row.symbol = answer.key AND summary_row.day = answer.day
ANTI JOIN evidence_omission omission
  ON omission.dataset = 'securitiesSummary' AND omission.symbol = answer.key AND omission.day = answer.day
WHERE answer.dataset = 'securitiesSummary' AND answer.key <> '*' AND answer.state = 'empty';
