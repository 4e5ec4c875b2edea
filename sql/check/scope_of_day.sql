-- grain: one row per side of a day that runs brought: the session, the accounts. Bound: the day
SELECT DISTINCT subject = 'market' AS is_session FROM recon.finding WHERE trading_date = $1::DATE
UNION
SELECT true FROM ops.coverage
WHERE window_from = $1::DATE AND dataset IN ('securitiesSummary', 'indexSummary', 'masterdata', 'ohlc')
UNION
SELECT false FROM account.snapshot WHERE as_of = $1::DATE;
