-- grain: one row: the trading dates whose adjustment events may have changed
-- A partition is a session, a month or a year.
-- A declaration may name a day up to 15 days from that of the break, and counts on the first session that
-- follows within 45 days (mart.corporate_event).
WITH dirty AS (
  SELECT partition,
    CAST(partition || CASE length(partition) WHEN 4 THEN '-01-01' WHEN 7 THEN '-01' ELSE '' END
      AS DATE) AS day
  FROM ops.dirty_partition
  WHERE partition <> 'all'
    AND relation IN ('market.price_limit', 'market.daily_summary', 'ops.coverage', 'mart.adjustment_event',
      'mart.reference_glitch', 'mart.chain_gap')
), changed_day AS (
  SELECT day AS first_day,
    CASE length(partition)
      WHEN 4 THEN make_date(year(day), 12, 31)
      WHEN 7 THEN last_day(day)
      ELSE day
    END AS last_day
  FROM dirty
), changed_range AS (
  SELECT min(first_day) AS first_day, max(last_day) AS last_day FROM changed_day
), waiting_action AS (
  -- counted on its ex-date as long as no session follows
  SELECT min(action.ex_date) AS first_day
  FROM market.corporate_action action, changed_range
  WHERE action.ex_date BETWEEN changed_range.first_day - 45 AND changed_range.first_day
    AND NOT EXISTS (FROM market.price_limit limits WHERE limits.symbol = action.symbol AND ref_price > 0
      AND limits.trading_date BETWEEN action.ex_date AND changed_range.first_day - 1)
    AND NOT EXISTS (FROM market.daily_summary summary WHERE summary.symbol = action.symbol AND close > 0
      AND summary.trading_date BETWEEN action.ex_date AND changed_range.first_day - 1)
)
SELECT CAST(least(changed_range.first_day - 15, waiting_action.first_day) AS VARCHAR) AS first,
  CAST(changed_range.last_day + 15 + $oldest_basis AS VARCHAR) AS last
FROM changed_range, waiting_action;
