-- grain: one row per index, other than those of whole boards, whose members are known and all summarised
-- rule: 43
-- title: an index's totals and breadth are those of its members
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days, index members
-- needs: an index summary, its members on that session, and the daily summary of each of them
-- why: the same figures reported twice; boards have rules 16 and 19. Nothing was measured, and memberships
--   are known only from the day they were first read: a flag
-- evidence: none measured
-- tolerance: that of HOSE, whose members the indexes have (mart.board_total: 0.02 %)
WITH summary AS (
  SELECT *
  FROM market.index_summary SEMI JOIN audit_session USING (trading_date)
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
), member AS (
  SELECT summary.index_code, summary.trading_date,
    any_value(coalesce(mart.board_total('HOSE', summary.trading_date) / 100, 0)) AS slack,
    count(*) AS members, count(day.symbol) AS summarised,
    sum(day.total_match) AS match, sum(day.total_match_value) AS match_value,
    count(*) FILTER (day.total_match > 0 AND day.close > day.ref_price) AS rising,
    count(*) FILTER (day.total_match > 0 AND day.close < day.ref_price) AS falling
  FROM summary
  JOIN market.index_member member
    ON member.index_code = summary.index_code AND member.valid_from <= summary.trading_date
    AND (member.valid_to IS NULL OR member.valid_to > summary.trading_date)
  LEFT JOIN audit_day day ON day.symbol = member.symbol AND day.trading_date = summary.trading_date
  WHERE mart.board_of_index(summary.index_code) IS NULL
  GROUP BY ALL
)
SELECT trading_date, 'market' AS subject, 'market.index_summary' AS relation,
  index_key(index_code, trading_date) AS key,
  concat_ws(', ', 'matched ' || as_text(match), 'value ' || as_text(match_value), 'rising ' || rising,
    'falling ' || falling,
    'of ' || members) AS expected,
  concat_ws(', ', 'matched ' || as_text(total_match), 'value ' || as_text(total_match_value),
    'rising ' || total_advance_stock,
    'falling ' || total_decline_stock) AS actual,
  num(total_match) - num(match) AS residual,
  CASE
    WHEN abs(num(total_match) - num(match)) > slack * num(match)
      OR abs(num(total_match_value) - num(match_value)) > slack * num(match_value)
      OR total_advance_stock <> rising OR total_decline_stock <> falling
      OR total_advance_stock + total_decline_stock + total_no_change_stock > members THEN 'soft'
    ELSE 'pass'
  END AS result
FROM summary JOIN member USING (index_code, trading_date)
WHERE members = summarised AND total_match IS NOT NULL
