-- grain: one row per account and part of its gain over a period: symbols, dividends that no symbol explains,
--   interest, what is left, and the total
-- Over the sessions of mart.account_return_between: total is its gain, and the other parts add up to it. A
-- symbol's price_gain is what its value rose by (shares to come included), less what was bought, plus what
-- was sold or expired, less shares brought in (plus taken out) as mart.account_return counts them.
-- dividends: the rise of what the balance reports as to come, on days with ex-dates shared by
-- mart.dividend_expected. costs: fees and tax that are known (mart.account_cost); costs that are not known
-- are in the residual, as are interest on cash, which nothing reports, and the tax on dividends, by which
-- less arrives than was to come (mart.dividend_expected.tax). While a day of the period is not reconciled,
-- parts have no contribution, and reason says why.
CREATE OR REPLACE MACRO mart.account_attribution_between(first_session, last_session) AS TABLE
WITH position_change AS MATERIALIZED (
  FROM mart.position_change
), position_value AS MATERIALIZED (
  FROM mart.position_value
), account_cost AS MATERIALIZED (
  FROM mart.account_cost
), equity_day AS MATERIALIZED (
  FROM mart.account_equity_curve_of('position_change', 'position_value')
), account_session AS MATERIALIZED (
  FROM mart.account_return_of('equity_day', 'account_cost')
), growth AS MATERIALIZED (
  FROM mart.account_growth_of('account_session', first_session, last_session)
), period AS MATERIALIZED (
  SELECT account_no, from_session, to_session, equity_from, gain, reason
  FROM mart.account_period_of('growth')
  WHERE account_no <> 'ALL' AND to_session > from_session
), value AS MATERIALIZED (
  SELECT account_no, trading_date, symbol, market_value + dividend_value AS value,
    CAST(price AS DOUBLE) * multiplier AS unit_value
  FROM position_value
), change AS (
  SELECT change.*
  FROM position_change change
  JOIN period ON period.account_no = change.account_no AND change.trading_date > period.from_session
    AND change.trading_date <= period.to_session
), symbol_day AS (
  SELECT change.account_no, change.symbol,
    CASE WHEN now.symbol IS NULL THEN 0 ELSE now.value END
      - CASE WHEN before.symbol IS NULL THEN 0 ELSE before.value END
      - (change.bought_value - change.sold_value)
      + CASE WHEN change.expired = 0 THEN 0
        ELSE change.expired * change.expired_at * mart.multiplier(change.symbol) END
      - CASE WHEN change.unexplained_quantity = 0 OR change.has_ex_date THEN 0
        ELSE change.unexplained_quantity * coalesce(now.unit_value, before.unit_value) END AS price_gain
  FROM change
  LEFT JOIN value now ON now.account_no = change.account_no AND now.symbol = change.symbol
    AND now.trading_date = change.trading_date
  LEFT JOIN value before ON before.account_no = change.account_no AND before.symbol = change.symbol
    AND before.trading_date = change.before_of
), symbol_gain AS (
  SELECT account_no, symbol, CASE WHEN count(*) = count(price_gain) THEN sum(price_gain) END AS price_gain
  FROM symbol_day
  GROUP BY account_no, symbol
), cost_total AS (
  SELECT cost.account_no, cost.symbol, sum(cost.cost) AS costs
  FROM account_cost cost
  JOIN period ON period.account_no = cost.account_no AND cost.reported_on > period.from_session
    AND cost.reported_on <= period.to_session
  WHERE cost.cost IS NOT NULL
  GROUP BY cost.account_no, cost.symbol
), balance AS (
  SELECT day.account_no, day.trading_date, day.before_of, CAST(balance.dividend AS DOUBLE) AS to_come,
    lag(to_come) OVER (PARTITION BY day.account_no ORDER BY day.trading_date) AS to_come_before
  FROM mart.account_day day
  JOIN account.equity_balance balance
    ON balance.snapshot_id = day.snapshot_id AND balance.account_no = day.account_no
), dividend_day AS (
  SELECT balance.account_no, balance.trading_date, balance.before_of,
    balance.to_come - balance.to_come_before AS rise
  FROM balance
  JOIN period ON period.account_no = balance.account_no AND balance.trading_date > period.from_session
    AND balance.trading_date <= period.to_session
  WHERE balance.to_come > balance.to_come_before
), shared_dividend AS (
  SELECT day.account_no, expected.symbol, day.trading_date, day.rise * expected.gross
    / sum(expected.gross) OVER (PARTITION BY day.account_no, day.trading_date) AS dividends
  FROM dividend_day day
  JOIN mart.dividend_expected_of('position_change') expected ON expected.account_no = day.account_no
    AND expected.ex_date > day.before_of AND expected.ex_date <= day.trading_date
), dividend_total AS (
  SELECT account_no, symbol, sum(dividends) AS dividends
  FROM shared_dividend
  GROUP BY account_no, symbol
  UNION ALL
  SELECT day.account_no, NULL, sum(day.rise)
  FROM dividend_day day
  ANTI JOIN shared_dividend shared
    ON shared.account_no = day.account_no AND shared.trading_date = day.trading_date
  GROUP BY day.account_no
), part_symbol AS (
  SELECT account_no, symbol FROM symbol_gain
  UNION
  SELECT account_no, symbol FROM cost_total WHERE symbol IS NOT NULL
  UNION
  SELECT account_no, symbol FROM dividend_total WHERE symbol IS NOT NULL
), part AS (
  SELECT part_symbol.account_no, 'symbol' AS part, part_symbol.symbol,
    CASE WHEN gain.symbol IS NULL THEN 0 ELSE gain.price_gain END AS price_gain,
    coalesce(dividend.dividends, 0) AS dividends, coalesce(cost.costs, 0) AS costs
  FROM part_symbol
  LEFT JOIN symbol_gain gain ON gain.account_no = part_symbol.account_no AND gain.symbol = part_symbol.symbol
  LEFT JOIN cost_total cost ON cost.account_no = part_symbol.account_no AND cost.symbol = part_symbol.symbol
  LEFT JOIN dividend_total dividend
    ON dividend.account_no = part_symbol.account_no AND dividend.symbol = part_symbol.symbol
  UNION ALL
  SELECT period.account_no, 'dividends', NULL, 0, coalesce(dividend.dividends, 0), 0
  FROM period
  LEFT JOIN dividend_total dividend ON dividend.account_no = period.account_no AND dividend.symbol IS NULL
  UNION ALL
  SELECT period.account_no, 'interest', NULL, 0, 0, coalesce(cost.costs, 0)
  FROM period
  LEFT JOIN cost_total cost ON cost.account_no = period.account_no AND cost.symbol IS NULL
), part_total AS (
  SELECT account_no, sum(price_gain) AS price_gain, sum(dividends) AS dividends, sum(costs) AS costs
  FROM part
  GROUP BY account_no
), every_part AS (
  SELECT *, price_gain + dividends - costs AS contribution FROM part
  UNION ALL
  SELECT period.account_no, 'residual', NULL, 0, 0, 0,
    round(period.gain - (total.price_gain + total.dividends - total.costs), 2)
  FROM period
  JOIN part_total total ON total.account_no = period.account_no
  UNION ALL
  SELECT period.account_no, 'total', NULL, total.price_gain, total.dividends, total.costs, period.gain
  FROM period
  JOIN part_total total ON total.account_no = period.account_no
)
SELECT every_part.account_no, period.from_session, period.to_session, every_part.part, every_part.symbol,
  every_part.price_gain, every_part.dividends, every_part.costs,
  CASE WHEN period.reason IS NULL THEN every_part.contribution END AS contribution,
  CASE WHEN period.reason IS NULL AND period.equity_from > 0
    THEN every_part.contribution / period.equity_from END AS contribution_return,
  period.reason
FROM every_part
JOIN period ON period.account_no = every_part.account_no;
COMMENT ON MACRO TABLE mart.account_attribution_between IS
  'What each symbol, interest and dividends contributed to the gain of each account over a period, what is '
  'left (residual), and the total.';
