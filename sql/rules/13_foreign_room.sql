-- grain: one row per daily summary of a symbol with a foreign limit
-- rule: 13
-- title: remaining foreign room ≤ total foreign room
-- severity: error
-- about: market
-- reach: back 0 days, forward 0 days
-- needs: a daily summary with both rooms, the total above zero
-- silence: where symbols that traded had rooms within 45 days, the summaries have lost them; a service
--   that never reported rooms has nothing to check
-- why: what is left is part of the whole; 2,000 of 2,000 on real data. Negative is legal: foreigners owned
--   more when the limit was lowered. A total of zero or null means that no limit was reported
-- evidence: 100 % of 2,000 rows, all boards, days not recorded, docs/market-facts.md#pass-rates
-- evidence: none measured, HOSE
-- evidence: none measured, HNX
-- evidence: none measured, UPCOM
-- evidence: none measured, DERIVATIVE
-- tolerance: none
SELECT trading_date, 'market' AS subject, 'market.daily_summary' AS relation,
  day_key(symbol, trading_date) AS key,
  'at most ' || as_text(total_foreign_room) AS expected, as_text(remain_foreign_room) AS actual,
  num(remain_foreign_room) - num(total_foreign_room) AS residual,
  CASE WHEN remain_foreign_room <= total_foreign_room THEN 'pass' ELSE 'break' END AS result
FROM audit_day
WHERE total_foreign_room > 0 AND remain_foreign_room IS NOT NULL
