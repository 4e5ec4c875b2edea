-- grain: one row per dataset, symbol and session whose stored rows the latest answer omits, while the first
-- list without the symbol came on the same trading date: one night may leave a symbol out of every answer. A
-- symbol whose last trading date has passed has left. So has one that the next night leaves out again.
-- reads: evidence_omission, market.security, ops.coverage, renamed
-- writes: omitted_symbol
CREATE OR REPLACE TEMP TABLE omitted_symbol AS
SELECT DISTINCT omission.dataset, omission.symbol, omission.day
FROM evidence_omission omission
JOIN market.security security USING (symbol)
ANTI JOIN renamed USING (symbol, day)
WHERE NOT security.is_listed AND omission.dataset <> 'ohlc'
  AND omission.first_as_of = omission.last_as_of
  AND coalesce(security.last_trading_date >= omission.first_as_of, true)
  AND NOT EXISTS (
    FROM ops.coverage list
    WHERE list.dataset = 'securities' AND list.key = upper(security.board) AND list.state = 'complete'
      AND list.window_from > security.last_seen AND list.window_from < omission.first_as_of
  );
