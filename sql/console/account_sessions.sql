-- grain: one row per account (and ALL) and session, from the account's first snapshot on
-- cash, positions and total_equity are those of the curve; ALL has none of its own.
SELECT day.account_no, day.trading_date, day.state, day.before_of, day.equity, day.equity_before, day.change,
  day.flow, day.costs, day.dividends, day.residual, day.time_weighted, day.reason, curve.net_cash,
  curve.position_value, curve.total_equity, curve.difference
FROM mart.account_return day
LEFT JOIN mart.account_equity_curve curve
  ON curve.account_no = day.account_no AND curve.trading_date = day.trading_date
ORDER BY day.account_no, day.trading_date
