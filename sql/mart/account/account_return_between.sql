-- grain: one row per account, and one of all accounts together (ALL)
-- mart.account_growth_between from its first session to its last one. How: mart.account_period_of.
CREATE OR REPLACE MACRO mart.account_return_between(first_session, last_session, benchmark := NULL) AS TABLE
WITH growth AS MATERIALIZED (
  FROM mart.account_growth_between(first_session, last_session, benchmark := benchmark)
)
FROM mart.account_period_of('growth');
COMMENT ON MACRO TABLE mart.account_return_between IS
  'Accounts (and ALL) over the sessions from first_session to last_session: equity, flows, time- and '
  'money-weighted return (Modified Dietz), drawdown, beside VNINDEX, VN30 and benchmark (an index or a '
  'symbol; may be left out). Null with a reason where a day is not reconciled.';
