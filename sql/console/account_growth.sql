-- grain: one row per account (and ALL) and session of the period: mart.account_growth_between
-- From $first to the last session of which anything is known.
SELECT account_no, from_session, trading_date, equity, change, flow, time_weighted, drawdown, vnindex_return,
  vn30_return, benchmark_return, reason
FROM mart.account_growth_between($first, '9999-12-31', benchmark := $benchmark)
ORDER BY account_no, trading_date
