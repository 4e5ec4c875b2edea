-- grain: one row per part, account (and ALL) and session; a period is at its last session
-- part session: each session from the account's first snapshot on. growth: those from $first on, compounded;
-- period: what the account did over them, up to the last session whose equity is known. One statement, since
-- mart.account_return takes most of the page's time.
WITH account_day AS MATERIALIZED (
  FROM mart.account_return
), growth AS MATERIALIZED (
  FROM mart.account_growth_of('account_day', $first, '9999-12-31', benchmark := $benchmark)
), known_growth AS MATERIALIZED (
  FROM growth WHERE equity IS NOT NULL
)
SELECT 'session' AS part, account_no, trading_date, state, before_of, equity, change, flow, costs, dividends,
  residual, time_weighted, reason
FROM account_day
UNION ALL BY NAME
SELECT 'growth' AS part, account_no, from_session, trading_date, equity, change, flow, time_weighted,
  drawdown, vnindex_return, vn30_return, benchmark_return, reason
FROM growth
UNION ALL BY NAME
SELECT 'period' AS part, account_no, from_session, to_session AS trading_date, equity_to AS equity, gain,
  flow, time_weighted, money_weighted, drawdown, max_drawdown, vnindex_return, vn30_return, benchmark_return,
  reason
FROM mart.account_period_of('known_growth')
ORDER BY part, account_no, trading_date
