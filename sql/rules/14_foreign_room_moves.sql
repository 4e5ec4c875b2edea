-- grain: one row per daily summary whose session before has one too, with foreign volumes and rooms
-- rule: 14
-- title: foreign room moves by what foreigners sold less what they bought
-- severity: warn
-- about: market
-- reach: back 45 days, forward 0 days
-- needs: a daily summary with foreign volumes and room, and the room of the session before
-- why: true in the books, but trades count on settlement and limits move: 33 % on real data, so a miss is
--   soft, always
-- evidence: 33 % of an unknown number of rows, all boards, days not recorded,
--   docs/market-facts.md#pass-rates
-- tolerance: none
WITH room AS (
  SELECT trading_date, symbol, remain_foreign_room, total_foreign_room,
    num(before_room) + num(total_foreign_sell) - num(total_foreign_buy) AS due
  FROM audit_day WHERE before_date = previous_date
)
SELECT trading_date, 'market' AS subject, 'market.daily_summary' AS relation,
  day_key(symbol, trading_date) AS key,
  as_text(due) AS expected, as_text(remain_foreign_room) AS actual,
  num(remain_foreign_room) - due AS residual,
  CASE WHEN num(remain_foreign_room) = due THEN 'pass' ELSE 'soft' END AS result
FROM room
WHERE total_foreign_room > 0 AND remain_foreign_room IS NOT NULL AND due IS NOT NULL
