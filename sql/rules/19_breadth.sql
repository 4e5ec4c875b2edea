-- grain: one row per index summary that reports how many stocks rose and fell
-- rule: 19
-- title: at the ceiling ≤ rising, at the floor ≤ falling; a board's stocks give its breadth
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days, securities
-- needs: an index summary with its breadth; to count again, complete daily summaries and reference prices of
--   the board
-- why: who closed at the ceiling rose. Counted again from closes and reference prices over the stocks that
--   traded, as boards count (docs/market-facts.md#board-totals); deployments count untraded stocks as
--   unchanged or not at all, so that number may lie between
-- evidence: none measured
-- tolerance: none
WITH breadth AS (
  SELECT index_code, trading_date, total_advance_stock AS advance, total_ceiling_stock AS ceiling,
    total_decline_stock AS decline, total_floor_stock AS floor, total_no_change_stock AS no_change
  FROM market.index_summary SEMI JOIN audit_session USING (trading_date)
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
), board_count AS (
  SELECT index_code, trading_date, rising, falling, unchanged, untraded
  FROM audit_board WHERE whole AND unknown = 0
), comparison AS (
  SELECT *, ceiling <= advance AND floor <= decline AS ordered,
    coalesce(advance = rising AND decline = falling, true)
      AND coalesce(no_change BETWEEN unchanged AND unchanged + untraded, true) AS agrees
  FROM breadth LEFT JOIN board_count USING (index_code, trading_date)
)
SELECT trading_date, 'market' AS subject, 'market.index_summary' AS relation,
  index_key(index_code, trading_date) AS key,
  CASE WHEN NOT ordered THEN 'rising at least ' || ceiling || ', falling at least ' || floor
    ELSE 'rising ' || rising || ', falling ' || falling || ', unchanged ' || unchanged || ' to '
      || (unchanged + untraded)
  END AS expected,
  'rising ' || advance || ', falling ' || decline || coalesce(', unchanged ' || no_change, '') AS actual,
  CASE WHEN NOT ordered THEN least(num(advance) - num(ceiling), num(decline) - num(floor))
    ELSE num(advance) - num(rising) + num(decline) - num(falling)
  END AS residual,
  CASE WHEN ordered AND agrees THEN 'pass' ELSE 'break' END AS result
FROM comparison
WHERE ordered IS NOT NULL
