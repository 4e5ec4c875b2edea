-- grain: one row per side of a day that runs brought: the session, the accounts. Bound: the day, three times
SELECT DISTINCT subject = 'market' AS is_session FROM recon.finding WHERE trading_date = ?::DATE
UNION
SELECT true FROM ops.coverage
WHERE window_from = ?::DATE AND dataset IN ('securitiesSummary', 'indexSummary', 'masterdata', 'ohlc')
UNION
SELECT false FROM account.snapshot WHERE as_of = ?::DATE;
