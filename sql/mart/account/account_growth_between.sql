-- grain: one row per account (and ALL) and session of the period, the first included
-- mart.account_return compounded from one session on, beside indexes: what a chart of returns needs. How:
-- mart.account_growth_of.
CREATE OR REPLACE MACRO mart.account_growth_between(first_session, last_session, benchmark := NULL) AS TABLE
WITH account_day AS MATERIALIZED (
  FROM mart.account_return
)
FROM mart.account_growth_of('account_day', first_session, last_session, benchmark := benchmark);
COMMENT ON MACRO TABLE mart.account_growth_between IS
  'Accounts (and ALL) session by session from first_session to last_session: compounded time-weighted '
  'return and drawdown since from_session, beside VNINDEX, VN30 and benchmark (an index or a symbol; may '
  'be left out).';
