-- grain: one row per daily summary of a symbol that traded
-- rule: 3
-- title: total_match_value = average × total_match × multiplier
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days
-- needs: a daily summary with matched volume, value and average
-- why: the average is defined as value over volume; a digit, a unit or a column that went wrong shows here
-- evidence: none measured
-- tolerance: 1 VND per share, 0.1 point per contract: the average is written in whole VND, or in ticks of a
--   future. Half a step where the source rounds values or volumes (audit_rounding)
SELECT trading_date, 'market' AS subject, 'market.daily_summary' AS relation,
  day_key(symbol, trading_date) AS key,
  as_text(num(average) * num(total_match) * multiplier) AS expected,
  as_text(total_match_value) AS actual,
  num(total_match_value) - num(average) * num(total_match) * multiplier AS residual,
  CASE
    WHEN abs(residual) <= num(total_match) * multiplier * (CASE
      WHEN kind = 'future' THEN 0.1
      ELSE 1
    END) + value_half + volume_half * num(average) * multiplier THEN 'pass'
    ELSE 'break'
  END AS result
FROM audit_day JOIN audit_rounding USING (trading_date)
WHERE total_match > 0 AND total_match_value > 0 AND average > 0
