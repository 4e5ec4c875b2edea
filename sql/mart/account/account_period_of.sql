-- grain: one row per account, and one of all accounts together (ALL)
-- mart.account_return_between of a relation that is given by name: growth_rows has rows of
-- mart.account_growth_between. Figures are null where a day of the period is not reconciled, or the
-- account's last session in it is partial or missing: reason says which.
-- money_weighted: Modified Dietz, gain over equity at the beginning and flows by the part of the period for
-- which they were there; like a daily return, money in counts from before_of on, money out until its day.
-- Not XIRR: that may have several solutions or none, has to be searched for, and is stated per year, which
-- makes a number without meaning of a period of days. Both agree closely where flows are small beside
-- equity or the period is short. Of a period of one day it equals time_weighted.
CREATE OR REPLACE MACRO mart.account_period_of(growth_rows) AS TABLE
WITH growth AS MATERIALIZED (
  FROM query_table(growth_rows)
), period AS (
  SELECT account_no, arg_max(account_type, trading_date) AS account_type,
    any_value(from_session) AS from_session,
    max(trading_date) FILTER (WHERE equity IS NOT NULL) AS to_session, count(equity) - 1 AS sessions,
    arg_min(equity, trading_date) AS equity_from,
    CASE WHEN count(change) = count(flow) THEN sum(flow) END AS flow,
    CASE WHEN count(change) = count(costs) THEN sum(costs) END AS costs,
    min(drawdown) AS lowest, arg_min(trading_date, drawdown) AS lowest_on,
    arg_max({equity: equity, time_weighted: time_weighted, drawdown: drawdown, vnindex: vnindex_return,
      vn30: vn30_return, benchmark: benchmark_return, reason: reason}, trading_date) AS latest
  FROM growth
  GROUP BY account_no
), weighted_flow AS (
  SELECT growth.account_no,
    sum(growth.flow * (period.to_session
      - CASE WHEN growth.flow > 0 THEN growth.before_of ELSE growth.trading_date END)
      / (period.to_session - period.from_session)) AS flow_weighted
  FROM growth
  JOIN period ON period.account_no = growth.account_no
  WHERE growth.trading_date > growth.from_session AND growth.flow <> 0
  GROUP BY growth.account_no
), dated_period AS (
  SELECT period.*, coalesce(weighted_flow.flow_weighted, 0) AS flow_weighted,
    CASE WHEN sessions < 1 AND latest.equity IS NOT NULL
      THEN 'no later session than ' || from_session ELSE latest.reason END AS reason
  FROM period
  LEFT JOIN weighted_flow ON weighted_flow.account_no = period.account_no
)
SELECT account_no, account_type, from_session, to_session, greatest(sessions, 0) AS sessions, equity_from,
  latest.equity AS equity_to, latest.equity - equity_from AS change,
  CASE WHEN reason IS NULL THEN flow END AS flow,
  CASE WHEN reason IS NULL THEN latest.equity - equity_from - flow END AS gain,
  CASE WHEN reason IS NULL THEN costs END AS costs,
  CASE WHEN reason IS NULL THEN latest.time_weighted END AS time_weighted,
  CASE WHEN reason IS NULL AND equity_from + flow_weighted > 0
    THEN (latest.equity - equity_from - flow) / (equity_from + flow_weighted) END AS money_weighted,
  CASE WHEN reason IS NULL THEN lowest END AS max_drawdown,
  CASE WHEN reason IS NULL AND lowest < 0 THEN lowest_on END AS max_drawdown_on,
  CASE WHEN reason IS NULL THEN latest.drawdown END AS drawdown,
  latest.vnindex AS vnindex_return, latest.vn30 AS vn30_return, latest.benchmark AS benchmark_return, reason
FROM dated_period;
COMMENT ON MACRO TABLE mart.account_period_of IS
  'mart.account_return_between of sessions that are given by name: rows of mart.account_growth_between.';
